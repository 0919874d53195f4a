/**
 * The form of a snapshot: a directory that holds at any time one whole copy of the data, made again in place, for a
 * program that sends changed files elsewhere.
 *
 *     manifest.json              written last: it says what the snapshot holds
 *     esign.db                   page for page as in the data directory
 *     keys/NAME
 *     contracts/0/12/1234.pdf    drafts, signed PDFs and audit trails, of a hundred contracts in each directory
 *
 * Such a program saves the list of a directory anew when one file in it changes, so none may be long. The digests of
 * signed PDFs and audit trails are in the database; the manifest has those of the database and the keys.
 */
import { z } from 'zod';
import { contractOfFile } from '../contracts/contract-files.js';
import { DATABASE, fileSchema, isArchiveName } from './manifest.js';

const FORMAT = 'esign-snapshot/1';

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  /** The program that made it. */
  version: z.string(),
  /** What was committed by then is in it. */
  madeAt: z.iso.datetime(),
  /** The id of the installation; a snapshot of another one is never replaced. */
  installation: z.string().regex(/^[0-9a-f]{16}$/),
  /** Of the database. */
  schema: z.number().int(),
  /** Rows of the most telling tables. */
  counts: z.record(z.string(), z.number().int()),
  database: fileSchema.refine(({ name }) => name === DATABASE),
  keys: z.array(fileSchema.refine(({ name }) => name.startsWith('keys/'))),
  /** Files of contracts. */
  contractFiles: z.number().int(),
  /** The state of the directory of contracts in which its files were last compared; null: compare them. */
  contractsSeen: z.string().nullable(),
});

export type SnapshotManifest = z.infer<typeof manifestSchema>;

export function snapshotText(manifest: Omit<SnapshotManifest, 'format'>): string {
  return `${JSON.stringify({ format: FORMAT, ...manifest }, undefined, 1)}\n`;
}

/** Undefined: not a manifest of this format. */
export function parseSnapshot(text: string): SnapshotManifest | undefined {
  try {
    return manifestSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

const PER_DIRECTORY = 100;

/** Where a file of `contracts/` lies in a snapshot; undefined for one that is half written, or none of ours. */
export function placeOf(name: string): string | undefined {
  const id = contractOfFile(name);
  if (id === undefined || !isArchiveName(`contracts/${name}`)) return undefined;
  const hundred = Math.floor(id / PER_DIRECTORY);
  return `${Math.floor(hundred / PER_DIRECTORY)}/${hundred % PER_DIRECTORY}/${name}`;
}
