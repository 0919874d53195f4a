/** How long a command takes, beside `node -e 0`: among 1,000 requests and 100,000 failed jobs. */
import { spawnSync } from 'node:child_process';
import { programFile } from '../demo/program.js';
import { openData } from '../src/core/installation/data.js';
import { fillFirm } from './firm.js';
import { clocked, inDirectory, inTurn, median, settings, tell } from './support.js';

const JOBS = 100_000;
const RUNS = 25;

/** Each with how many times as long as `node -e 0` it may take. */
const COMMANDS: Readonly<Record<string, string>> = {
  'requests list': '2.5',
  'failed list': '2.5',
  'explain 5 --offline': '3',
  status: '3.5',
  todo: '3.5',
};

export function run(): Promise<void> {
  return inDirectory(async (directory) => {
    fillFirm(directory, { requests: 1_000, failed: 0 });
    fillFailedList(directory);
    const env = settings(directory);
    const started = (argv: string[]) => () =>
      clocked(() => {
        const { status, stderr } = spawnSync(process.execPath, argv, { env, encoding: 'utf8' });
        if (status !== 0) throw new Error(stderr);
      });
    const commands = Object.keys(COMMANDS).map((words) => [
      words,
      started([programFile('esignctl'), ...words.split(' ')]),
    ]);
    const { node = [], ...times } = await inTurn<Record<string, () => Promise<number>>>(RUNS, {
      node: started(['-e', '0']),
      ...Object.fromEntries(commands),
    });
    for (const [words, aim] of Object.entries(COMMANDS))
      tell(`esignctl ${words}`, { own: median(times[words] ?? []), base: median(node), unit: 'ms', aim });
  });
}

function fillFailedList(dataDir: string): void {
  const db = openData(dataDir);
  db.raw.exec(`
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${JOBS - 1})
      INSERT INTO jobs (kind, payload, state, attempt, runAt, lastError, errors, createdAt, finishedAt)
      SELECT 'send-mail', '{}', 'failed', 7, at, 'the mail server answered ' || (450 + i % 5), '[]', at, at
      FROM (SELECT i, strftime('%Y-%m-%dT%H:%M:%fZ', 1767225600 + i * 60, 'unixepoch') AS at FROM n)`);
  db.close();
}
