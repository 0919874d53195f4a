/**
 * What was decided about the mutants that no test notices: `ops/mutants/judged/PART.json` says why each of them may stay. A mutant
 * is identified by the text of its line, before and after, so that it is found again when lines move.
 */
import { existsSync, readFileSync } from 'node:fs';

/** From each reason to the mutants that it lets stay, as `nameOf` writes them. */
type Verdicts = Readonly<Record<string, readonly string[]>>;

interface Place {
  line: number;
  column: number;
}

interface ReportedMutant {
  status: string;
  replacement?: string;
  location: { start: Place; end: Place };
}

interface Report {
  files: Record<string, { source: string; mutants: ReportedMutant[] }>;
}

export interface Judgement {
  /** They survive, and nobody has said why that is acceptable. */
  unjudged: string[];
  /** They were judged, but now a test notices them or their line is gone. */
  outdated: string[];
}

/** Compares the survivors of a part's last run with what was decided about them. */
export function judge(part: string): Judgement {
  const survivors = new Set(survivorsOf(JSON.parse(readFileSync(reportOf(part), 'utf8')) as Report));
  const judged = new Set(Object.values(verdictsOn(part)).flat());
  return {
    unjudged: [...survivors].filter((each) => !judged.has(each)),
    outdated: [...judged].filter((each) => !survivors.has(each)),
  };
}

export function reportOf(part: string): string {
  return `reports/mutants/${part}.json`;
}

function verdictsOn(part: string): Verdicts {
  const file = `ops/mutants/judged/${part}.json`;
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Verdicts) : {};
}

function survivorsOf({ files }: Report): string[] {
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .map((mutant) => nameOf(file, source.split('\n'), mutant)),
  );
}

/** The file, the line, and the line as the mutant changes it. If there are several lines: the first. */
function nameOf(
  file: string,
  lines: readonly string[],
  { replacement = '', location }: ReportedMutant,
): string {
  const { start, end } = location;
  const first = lines[start.line - 1] ?? '';
  const last = lines[end.line - 1] ?? '';
  const changed = first.slice(0, start.column - 1) + replacement + last.slice(end.column - 1);
  return `${file}: ${first.trim()} → ${changed.trim().split('\n')[0]}`;
}
