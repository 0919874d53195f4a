/**
 * `npm run bench -- memory`: 32 PDFs of 49 MB at once, through everything that touches a PDF: supplied by the office, signed,
 * mailed to customers, downloaded, exported. The daemon is the real one, with the sandbox and a mail server beside it. Peaks are
 * the kernel's own (VmHWM); a peak above the bound ends with exit code 1. Needs Linux.
 */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { openAsBlob, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { install, type Installation } from './soak/installation.js';
import { takeMails, type MailServer } from './memory-mails.js';
import { print, processorMs } from './support.js';

const PDFS = Number(process.env['BENCH_PDFS'] ?? 32);
const PDF_BYTES = 49 * 1024 * 1024;
const PEAK_MB_MAX = 600;
/** As in ops/systemd/esignd.service. */
const NODE_OPTIONS = process.env['BENCH_NODE_OPTIONS'] ?? '--max-semi-space-size=8';
const WITHIN_MS = 20 * 60_000;

interface Part {
  name: string;
  peakMb: number;
  /** With the processes that it has started. */
  allMb: number;
  tookMs: number;
  /** Processor time of the daemon. */
  workedMs: number;
  healthMs: number;
}

export async function run(): Promise<void> {
  const mails = await takeMails();
  const installation = await install();
  installation.env['ESIGN_SMTP_URL'] = mails.url;
  installation.env['NODE_OPTIONS'] = NODE_OPTIONS;
  try {
    const parts = await measure(installation, mails);
    for (const { name, peakMb, allMb, tookMs, workedMs, healthMs } of parts) {
      const took = `${seconds(tookMs)} (${seconds(workedMs)} of processor time)`;
      print(
        `${PDFS} PDFs of 49 MB, ${name}`,
        `${peakMb} MB (${allMb} MB with its helpers), ${took}, /healthz ${healthMs.toFixed(0)} ms at most`,
      );
    }
    const peakMb = Math.max(...parts.flatMap((part) => [part.peakMb, part.allMb]));
    print('peak', `${peakMb} MB with its helpers (bound: ${PEAK_MB_MAX} MB)`);
    if (peakMb > PEAK_MB_MAX) process.exitCode = 1;
  } finally {
    await installation.leave({ keep: false });
    await mails.close();
  }
}

async function measure(installation: Installation, mails: MailServer): Promise<Part[]> {
  const daemon = await installation.startDaemon();
  const api = new Api(installation);
  await api.logIn();
  const ids = await api.newRequests(PDFS);
  const file = join(installation.directory, 'large.pdf');
  writeFileSync(file, largePdf());
  const parts: Part[] = [];
  const part = async (name: string, work: () => Promise<unknown>) => {
    resetPeak(daemon.pid);
    const health = watchHealth(installation.baseUrl);
    const tree = watchAll(daemon.pid);
    const begun = performance.now();
    const worked = processorMs(daemon.pid);
    await work();
    const tookMs = performance.now() - begun;
    const workedMs = processorMs(daemon.pid) - worked;
    const healthMs = await health.stop();
    parts.push({ name, tookMs, workedMs, peakMb: peakMb(daemon.pid), allMb: tree.stop(), healthMs });
  };
  try {
    await part('supplied and sent', () => all(ids, (id) => api.start(id, file)));
    const rows = new Database(join(installation.dataDir, 'esign.db'), { readonly: true });
    const contracts = rows.prepare('SELECT id, requestId, signId FROM contracts').all() as Contract[];
    await part('signed and mailed', async () => {
      await all(contracts, ({ signId }) => installation.sandbox.act(signId, 'sign'));
      const digests = rows.prepare('SELECT pdfSha256 FROM contracts WHERE pdfSha256 IS NOT NULL').pluck();
      await until(() => digests.all().length === PDFS);
      await until(() => digests.all().every((digest) => mails.attachments.has(String(digest))));
      if (new Set(digests.all()).size !== PDFS) throw new Error('two signed PDFs are the same');
    });
    await part('downloaded', () => all(contracts, ({ id }) => api.download(`/api/contracts/${id}/pdf`)));
    const staff = await api.staff();
    await part('exported', () => all(ids, (id) => staff.takeExport(id)));
    rows.close();
    return parts;
  } finally {
    await daemon.stop();
  }
}

interface Contract {
  id: number;
  requestId: number;
  signId: string;
}

function all<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<unknown> {
  return Promise.all(items.map(act));
}

async function until(isDone: () => boolean): Promise<void> {
  const end = performance.now() + WITHIN_MS;
  while (!isDone()) {
    if (performance.now() > end) throw new Error('it took too long');
    await pause(100);
  }
}

/** One page, and one object that no compression makes smaller. */
function largePdf(): Buffer {
  const stream = randomBytes(PDF_BYTES - 2_000);
  const objects: (string | Buffer)[][] = [
    ['<< /Type /Catalog /Pages 2 0 R >>'],
    ['<< /Type /Pages /Kids [3 0 R] /Count 1 >>'],
    ['<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << >> >>'],
    [`<< /Length ${stream.length} >>\nstream\n`, stream, '\nendstream'],
  ];
  const pieces = [Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1')];
  const offsets: number[] = [];
  const size = () => pieces.reduce((sum, piece) => sum + piece.length, 0);
  for (const [i, body] of objects.entries()) {
    offsets.push(size());
    for (const words of [`${i + 1} 0 obj\n`, ...body, '\nendobj\n'])
      pieces.push(Buffer.from(words as string));
  }
  const xref = size();
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  pieces.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}` +
        `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(pieces);
}

/** In a thread of its own: this one is busy with the mails. */
function watchHealth(baseUrl: string): { stop(): Promise<number> } {
  const worker = new Worker(
    `const { workerData, parentPort } = require('node:worker_threads');
     (async () => {
       for (;;) {
         const begun = performance.now();
         const answer = await fetch(workerData + '/healthz');
         if (!answer.ok) throw new Error('/healthz answered ' + answer.status);
         await answer.text();
         parentPort.postMessage(performance.now() - begun);
         await new Promise((resolve) => setTimeout(resolve, 20));
       }
     })();`,
    { eval: true, workerData: baseUrl },
  );
  let longest = 0;
  worker.on('message', (ms: number) => (longest = Math.max(longest, ms)));
  const failed = once(worker, 'error').then(([error]) => Promise.reject(error as Error));
  failed.catch(() => undefined);
  return {
    async stop() {
      await Promise.race([worker.terminate(), failed]);
      return longest;
    },
  };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Looked at ten times a second. */
function watchAll(pid: number): { stop(): number } {
  let mostKb = 0;
  const look = () => {
    const kb = [pid, ...childrenOf(pid)].map((each) => residentKb(each));
    mostKb = Math.max(
      mostKb,
      kb.reduce((sum, one) => sum + one, 0),
    );
  };
  const timer = setInterval(look, 100);
  return {
    stop: () => {
      clearInterval(timer);
      return Math.round(mostKb / 1024);
    },
  };
}

/** None when it has just ended. */
function childrenOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  } catch {
    return [];
  }
}

/** Zero when it has just ended. */
function residentKb(pid: number | string): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function peakMb(pid: number): number {
  const [, kb] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kb) / 1024);
}

class Api {
  readonly #installation: Installation;
  #token = '';

  constructor(installation: Installation) {
    this.#installation = installation;
  }

  async logIn(): Promise<void> {
    const { email, password } = this.#installation.administrator;
    const body = { username: email, password };
    this.#token = ((await this.#json('/api/login_check', body)) as { token: string }).token;
  }

  async newRequests(count: number): Promise<number[]> {
    const { '@id': equipment } = (await this.#json('/api/equipments', {
      name: 'Boiler',
      model: 'B-200',
      serialNumber: '1',
    })) as { '@id': string };
    const ids: number[] = [];
    for (let i = 1; i <= count; i += 1) {
      const request = { title: `Maintenance ${i}`, description: 'Check the burner.', equipment };
      ids.push(((await this.#json('/api/requests', request)) as { id: number }).id);
    }
    return ids;
  }

  /** A slow machine may not take all of them within the 30 s that a call may last; those are sent again. */
  async start(id: number, file: string): Promise<void> {
    const form = new FormData();
    // What stands behind its end makes each another one.
    const pdf = new Blob([await openAsBlob(file), `% ${id}\n`], { type: 'application/pdf' });
    form.set('file', pdf, 'contract.pdf');
    try {
      await drained(await this.#call(`/api/requests/${id}/signature`, { method: 'POST', body: form }));
    } catch (error) {
      if (!(error instanceof TypeError) && !String(error).includes(': 408 ')) throw error;
      return this.start(id, file);
    }
  }

  async download(path: string): Promise<void> {
    await drained(await this.#call(path, {}));
  }

  /** The back office, as a browser uses it. */
  async staff() {
    const { baseUrl, administrator } = this.#installation;
    const page = await fetch(`${baseUrl}/admin/login`);
    let cookie = cookieOf(page);
    const submit = async (path: string, fields: Record<string, string>, csrf: string) =>
      fetch(`${baseUrl}${path}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie, 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ ...fields, csrf }),
      });
    const { email: username, password } = administrator;
    const entered = await submit('/admin/login', { username, password }, csrfIn(await page.text()));
    cookie = cookieOf(entered);
    const csrf = csrfIn(await (await fetch(`${baseUrl}/admin`, { headers: { cookie } })).text());
    return {
      takeExport: async (id: number) => {
        const answer = await submit(`/admin/requests/${id}/export`, {}, csrf);
        if (answer.status !== 200) throw new Error(`the export of ${id} answered ${answer.status}`);
        await drained(answer);
      },
    };
  }

  async #json(path: string, body: object): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    return (await this.#call(path, { method: 'POST', body: JSON.stringify(body), headers })).json();
  }

  async #call(path: string, init: RequestInit): Promise<Response> {
    const headers = {
      ...(init.headers as object),
      ...(this.#token && { authorization: `Bearer ${this.#token}` }),
    };
    const answer = await fetch(`${this.#installation.baseUrl}${path}`, { ...init, headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }
}

async function drained({ body }: Response): Promise<void> {
  const hash = createHash('sha256');
  for await (const chunk of body ?? []) hash.update(chunk as Uint8Array);
}

function cookieOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

function csrfIn(page: string): string {
  return /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
}
