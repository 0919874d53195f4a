/** What a supplied PDF says of itself, in a process of its own: a page of text can unpack to gigabytes, or never end (rules 1). */
import { resolve } from 'node:path';
import { atMost } from '../at-most.js';
import { inOwnProcess, KilledError } from '../../db/own-process.js';
import type { PdfFile } from './contract-files.js';

export interface PdfFacts {
  pages: number;
  /** The last one as a reader shows it, in points: cropped and turned. */
  lastPage: { width: number; height: number };
}

/** `locked`: it cannot be changed, or not even read, without a password. */
export type ReadPdf = PdfFacts | 'locked' | 'unreadable';

const MS_MAX = 30_000;
const MEGABYTES_MAX = 450;
const KEPT = 20;

/** By SHA-256: a start asks twice, and after a failure again. */
const known = new Map<string, ReadPdf>();

/** The memory of several would be more than a daemon has. */
const inTurn = atMost(1);

/** Reads every page: one that is missing would be missing in what the customer signs. */
export function readPdf(pdf: PdfFile): Promise<ReadPdf> {
  return inTurn(() => readInTurn(pdf));
}

async function readInTurn(pdf: PdfFile): Promise<ReadPdf> {
  const { sha256 } = pdf;
  const read = known.get(sha256) ?? (await readAnew(pdf));
  known.delete(sha256);
  // That it cannot be read may be for lack of time or memory just now.
  if (read !== 'unreadable') known.set(sha256, read);
  for (const oldest of known.keys()) if (known.size > KEPT) known.delete(oldest);
  return read;
}

async function readAnew({ path }: PdfFile): Promise<ReadPdf> {
  try {
    return await inOwnProcess<ReadPdf>({
      script: SCRIPT,
      library: 'unpdf',
      input: { path: resolve(path) },
      options: [`--max-old-space-size=${MEGABYTES_MAX}`, '--import', `data:text/javascript,${WATCH}`],
      msMax: MS_MAX,
    });
  } catch (error) {
    if (error instanceof KilledError) return 'unreadable';
    throw error;
  }
}

const SCRIPT = `
  const { getDocumentProxy } = library;
  try {
    const bytes = require('node:fs').readFileSync(input.path);
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
    let page;
    for (let number = 1; number <= pdf.numPages; number += 1) page = await pdf.getPage(number);
    // A password may protect a document that anybody can read.
    if (await pdf.getPermissions()) output = 'locked';
    else {
      const { width, height } = page.getViewport({ scale: 1 / page.userUnit });
      output = { pages: pdf.numPages, lastPage: { width, height } };
    }
  } catch ({ name }) {
    output = name === 'PasswordException' ? 'locked' : 'unreadable';
  }`;

/** Ends its process when that needs too much memory; what a stream unpacks to is not in Node's own limit. */
const WATCH = encodeURIComponent(`
  import { Worker } from 'node:worker_threads';
  const watch = 'setInterval(() => process.memoryUsage.rss() > ${MEGABYTES_MAX} * 1024 ** 2 && process.kill(process.pid, "SIGKILL"), 20)';
  new Worker(watch, { eval: true }).unref();`);
