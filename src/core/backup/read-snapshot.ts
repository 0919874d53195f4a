/** Reads a snapshot, also one that was brought back from elsewhere, and trusts nothing in it that can be compared. */
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { chmod, copyFile, mkdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Inspection } from '../../db/installation/snapshot.js';
import { isContractPdf } from '../contracts/contract-files.js';
import { inspectCopy, pdfProblem, type BackupReport } from './check-backup.js';
import { DATABASE, MANIFEST, measureFile, type ArchivedFile } from './manifest.js';
import { filesBelow, linkOrCopy } from './mirror.js';
import { damaged, modeOf } from './read-backup.js';
import { parseSnapshot, placeOf, type SnapshotManifest } from './snapshot.js';

/** A directory is read as a snapshot, anything else as an archive. */
export function isSnapshot(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Undefined when none was finished there. Does not look at the files. */
export function findSnapshot(directory: string): SnapshotManifest | undefined {
  const file = join(directory, MANIFEST);
  return existsSync(file) ? parseSnapshot(readFileSync(file, 'utf8')) : undefined;
}

/** Reads every file that has a digest. Throws `backup_damaged`; what is wrong with signed PDFs is in the report. */
export async function checkSnapshot(directory: string, signal?: AbortSignal): Promise<BackupReport> {
  const manifest = requireSnapshot(directory);
  for (const file of [manifest.database, ...manifest.keys]) await mustMatch(directory, file, signal);
  const inspection = await inspectCopy(directory, join(directory, DATABASE), signal);
  return {
    ...countFiles(directory, signal),
    madeAt: manifest.madeAt,
    installation: manifest.installation,
    version: manifest.version,
    schema: manifest.schema,
    requests: inspection.requests,
    keys: manifest.keys.length,
    problems: await problemsOf(directory, inspection, signal),
  };
}

/** The same, and puts the files where a data directory has them. PDFs become further links of those in the snapshot. */
export async function unpackSnapshot(
  snapshot: string,
  { directory, signal }: { directory: string; signal: AbortSignal | undefined },
): Promise<BackupReport> {
  const report = await checkSnapshot(snapshot, signal);
  const copies = [DATABASE, ...requireSnapshot(snapshot).keys.map(({ name }) => name)];
  for (const folder of ['keys', 'contracts'])
    await mkdir(join(directory, folder), { recursive: true, mode: 0o700 });
  for (const name of copies) {
    await copyFile(join(snapshot, name), join(directory, name));
    await chmod(join(directory, name), modeOf(name));
  }
  for (const place of contractFiles(snapshot, signal))
    linkOrCopy(join(snapshot, 'contracts', place), join(directory, 'contracts', basename(place)));
  return report;
}

/** Throws `backup_damaged`. */
export function requireSnapshot(directory: string): SnapshotManifest {
  const manifest = findSnapshot(directory);
  if (!manifest) throw damaged(directory, `it has no ${MANIFEST} of a snapshot: it was never finished`);
  return manifest;
}

async function mustMatch(
  directory: string,
  listed: ArchivedFile,
  signal: AbortSignal | undefined,
): Promise<void> {
  const found = await measured(directory, listed.name, signal);
  if (found === undefined) throw damaged(directory, `${listed.name} is missing`);
  if (found.sha256 === listed.sha256 && found.size === listed.size) return;
  throw damaged(
    directory,
    `${listed.name} is not what its ${MANIFEST} says: the last run was cut off, or the file was changed`,
  );
}

async function measured(
  directory: string,
  name: string,
  signal: AbortSignal | undefined,
): Promise<ArchivedFile | undefined> {
  const file = join(directory, name);
  // A link could lead out of the snapshot.
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  return measureFile(name, file, signal);
}

function countFiles(directory: string, signal: AbortSignal | undefined) {
  const counts = { file: resolve(directory), size: statSync(join(directory, DATABASE)).size, pdfs: 0 };
  for (const place of contractFiles(directory, signal)) {
    counts.size += statSync(join(directory, 'contracts', place)).size;
    if (isContractPdf(basename(place))) counts.pdfs += 1;
  }
  return counts;
}

/** Their places below `contracts`. */
function* contractFiles(directory: string, signal: AbortSignal | undefined): Generator<string> {
  for (const place of filesBelow(join(directory, 'contracts'))) {
    signal?.throwIfAborted();
    if (placeOf(basename(place)) === place) yield place;
  }
}

async function problemsOf(
  directory: string,
  { signedPdfs, trailFiles }: Inspection,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const problems: string[] = [];
  const digestOf = async (name: string) =>
    (await measured(directory, join('contracts', placeOf(name) ?? name), signal))?.sha256;
  for (const { contractId, sha256 } of signedPdfs) {
    const found = await digestOf(`${contractId}.pdf`);
    if (found !== sha256) problems.push(pdfProblem(contractId, found));
  }
  for (const { contractId, name, sha256 } of trailFiles) {
    const found = await digestOf(`${contractId}.${name}`);
    if (found === sha256) continue;
    const what = found === undefined ? 'is missing' : 'is not the one that was stored';
    problems.push(`${name} of contract ${contractId} ${what}`);
  }
  return problems;
}
