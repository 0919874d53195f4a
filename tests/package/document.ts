/** docs/operations.md, as somebody follows it: its commands, and the lines that go into files. */
import { readFileSync } from 'node:fs';

const TEXT = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');

export interface Section {
  title: string;
  /** The commands of its blocks, in their order. */
  steps: Step[];
}

export interface Step {
  command: string;
  /** The lines that the document gives for a file, next after the command; for an editor. */
  lines: string;
}

export function readSections(): Section[] {
  return TEXT.split(/^## /m)
    .slice(1)
    .map((part) => ({ title: part.split('\n')[0] as string, steps: stepsOf(part) }));
}

const BLOCK = /^```(\w+)\n([\s\S]*?)^```$/gm;

function stepsOf(part: string): Step[] {
  const blocks = [...part.matchAll(BLOCK)].map(([, language, text]) => ({ language, text: text as string }));
  return blocks.flatMap(({ language, text }, i) =>
    language === 'sh'
      ? commandsOf(text).map((command) => ({
          command,
          lines: blocks.slice(i + 1).find((next) => next.language === 'ini')?.text ?? '',
        }))
      : [],
  );
}

/** Without the remarks behind them. */
function commandsOf(text: string): string[] {
  return text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/\s+#\s.*$/, ''))
    .filter(Boolean);
}

/** The block that holds these words. */
export function blockWith(words: string): string {
  const blocks = [...TEXT.matchAll(BLOCK)].map(([, , text]) => text as string);
  const block = blocks.find((text) => text.includes(words));
  if (!block) throw new Error(`docs/operations.md has no block with ${words}`);
  return block;
}

/** Each esignctl command that the sentences name, without its arguments. */
export function namedCommands(): string[] {
  const prose = TEXT.replaceAll(BLOCK, '');
  const named = [...prose.matchAll(/`(?:sudo -u esign )?esignctl ([a-z][a-z -]*)/g)];
  return [...new Set(named.map(([, words]) => (words as string).trim()))];
}
