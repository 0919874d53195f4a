/**
 * 32 PDFs of 49 MB at once (or as many as `BENCH_PDFS` says), through everything that touches a PDF: supplied by the office, signed, mailed to
 * customers, downloaded, exported. The daemon is the real one. A peak above the bound ends with exit code 1. Linux.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { openAsBlob, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { until } from '../demo/patience.js';
import { Api } from './storm/customers.js';
import { withRecords } from './storm/verdict.js';
import { install, type Installation } from './storm/installation.js';
import { clocked, numberIn, tell } from './support.js';

const PDFS = Number(process.env['BENCH_PDFS'] ?? 32);
const PDF_BYTES = 49 * 1024 * 1024;
const PEAK_MB_MAX = 600;
const HEALTH_MS_MAX = 300;
const WAIT = { timeoutMs: 20 * 60_000, everyMs: 100 };

export async function run(): Promise<void> {
  const installation = await install();
  const mails = await takeMails();
  // As in ops/systemd/esignd.service.
  Object.assign(installation.env, { ESIGN_SMTP_URL: mails.url, NODE_OPTIONS: '--max-semi-space-size=8' });
  try {
    const peaks: number[] = [];
    for await (const { name, mb, healthMs } of measure(installation, mails)) {
      tell(`${PDFS} PDFs of 49 MB, ${name}`, { own: mb, unit: 'MB', aim: `${PEAK_MB_MAX} MB` });
      tell('/healthz meanwhile, at most', { own: healthMs, unit: 'ms', aim: `${HEALTH_MS_MAX} ms` });
      peaks.push(mb);
    }
    if (Math.max(...peaks) > PEAK_MB_MAX) process.exitCode = 1;
  } finally {
    await installation.leave({ keep: false });
    mails.close();
  }
}

async function* measure(installation: Installation, mails: { large: number }) {
  const { dataDir, directory, sandbox, baseUrl } = installation;
  const daemon = await installation.startDaemon();
  const part = async (name: string, work: () => Promise<unknown>) => {
    const [memory, health] = [watchMemory(daemon.pid), watchHealth(baseUrl)];
    await work();
    return { name, mb: memory.stop(), healthMs: await health.stop() };
  };
  const contracts = () =>
    withRecords(dataDir, (rows) =>
      rows<{ id: number; requestId: number; signId: string; pdfSha256: string | null }>(
        'SELECT * FROM contracts',
      ),
    );
  try {
    const api = new Api(installation, { callsRepeated: 0 });
    const token = await api.logIn(installation.administrator);
    const boiler = { name: 'Boiler', model: 'B-200', serialNumber: '1' };
    const { '@id': equipment } = await api.post<{ '@id': string }>('/api/equipments', token, boiler);
    const request = { title: 'Maintenance', description: 'Check the burner.', equipment };
    const ids: number[] = [];
    while (ids.length < PDFS) ids.push((await api.post<{ id: number }>('/api/requests', token, request)).id);
    const file = join(directory, 'large.pdf');
    writeFileSync(file, largePdf());
    const type = 'application/pdf';
    yield await part('supplied', () =>
      // What stands behind its end makes each another one. Those that a slow machine does not take in time are sent again.
      all(ids, async (id) =>
        api.startSignature(id, token, new Blob([await openAsBlob(file), `% ${id}\n`], { type })),
      ),
    );
    yield await part('signed and mailed', async () => {
      await all(contracts(), ({ signId }) => sandbox.act(signId, 'sign'));
      const isStored = () => contracts().every(({ pdfSha256 }) => pdfSha256 !== null);
      await until('every document', () => isStored() || undefined, WAIT);
      await until('every mail', () => mails.large >= PDFS || undefined, WAIT);
    });
    yield await part('downloaded', () =>
      all(contracts(), async ({ id }) =>
        drained(
          await fetch(`${baseUrl}/api/contracts/${id}/pdf`, {
            headers: { authorization: `Bearer ${token}` },
          }),
        ),
      ),
    );
    const submit = await browserOf(installation);
    yield await part('exported', () =>
      all(ids, async (id) => drained(await submit(`/admin/requests/${id}/export`, {}))),
    );
  } finally {
    await daemon.stop();
  }
}

function all<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<unknown> {
  return Promise.all(items.map(act));
}

/** A mail server that keeps nothing but the number of the mails with a large PDF. */
async function takeMails() {
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onData: (stream, _session, callback) => {
      let bytes = 0;
      stream.on('data', (chunk: Buffer) => (bytes += chunk.length));
      stream.on('end', () => {
        if (bytes > PDF_BYTES) mails.large += 1;
        callback();
      });
    },
  });
  smtp.on('error', () => undefined);
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const { port } = smtp.server.address() as AddressInfo;
  const mails = { url: `smtp://127.0.0.1:${port}`, large: 0, close: () => smtp.close() };
  return mails;
}

/** One page, and one object that no compression makes smaller. */
function largePdf(): Buffer {
  const noise = randomBytes(PDF_BYTES - 2_000).toString('latin1');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << >> >>',
    `<< /Length ${noise.length} >>\nstream\n${noise}\nendstream`,
  ];
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, i) => {
    const offset = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 5\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size 5 /Root 1 0 R >>\n`;
  return Buffer.from(`${text}${table}startxref\n${text.length}\n%%EOF\n`, 'latin1');
}

/** Returns how long the longest answer took. */
function watchHealth(baseUrl: string): { stop(): Promise<number> } {
  let isOver = false;
  const watched = (async () => {
    let longest = 0;
    while (!isOver) {
      longest = Math.max(longest, await clocked(async () => drained(await fetch(`${baseUrl}/healthz`))));
      await pause(20);
    }
    return longest;
  })();
  return {
    stop() {
      isOver = true;
      return watched;
    },
  };
}

/** Of the daemon its kernel's peak; with its helpers, as looked at ten times a second: the larger of both, in megabytes. */
function watchMemory(pid: number): { stop(): number } {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  let mostKb = 0;
  const look = () => {
    try {
      const helpers = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
      const kb = [String(pid), ...helpers].map((each) =>
        numberIn(`/proc/${each}/status`, /^VmRSS:\s+(\d+) kB/m),
      );
      // A helper that has just ended, and is not waited for yet, has none.
      mostKb = Math.max(
        mostKb,
        kb.reduce((sum, one) => sum + (one || 0), 0),
      );
    } catch {
      // One has just ended.
    }
  };
  const timer = setInterval(look, 100);
  return {
    stop: () => {
      clearInterval(timer);
      return Math.max(mostKb, numberIn(`/proc/${pid}/status`, /^VmHWM:\s+(\d+) kB/m)) / 1024;
    },
  };
}

/** Logs in to the back office; returns how its forms are sent. */
async function browserOf({ baseUrl, administrator }: Installation) {
  const csrfIn = (page: string) => /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const keep = (answer: Response) => {
    cookie = answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    return answer;
  };
  let cookie = '';
  let csrf = csrfIn(await keep(await fetch(`${baseUrl}/admin/login`)).text());
  const submit = (path: string, fields: Record<string, string>) => {
    return fetch(`${baseUrl}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ ...fields, csrf }),
    });
  };
  const { email: username, password } = administrator;
  keep(await submit('/admin/login', { username, password }));
  csrf = csrfIn(await (await fetch(`${baseUrl}/admin`, { headers: { cookie } })).text());
  return submit;
}

async function drained({ ok, status, url, body }: Response): Promise<void> {
  if (!ok) throw new Error(`${url} answered ${status}`);
  for await (const _ of body ?? []);
}
