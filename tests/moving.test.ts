/** docs/moving.md is followed to the letter: an old machine, a new one, and a customer who signs in between. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { isHeld } from '../src/core/installation/hold.js';
import { run, startCli } from './cli/support.js';
import { startApp, temporaryDirectory, testSettings } from './support/app.js';

const TEXT = readFileSync(new URL('../docs/moving.md', import.meta.url), 'utf8');

/** The code blocks of a section, in their order. */
function blocksOf(title: string, language: string): string[] {
  const section = TEXT.split(/^## /m).find((each) => each.startsWith(title)) ?? '';
  return [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, text]) =>
    name === language ? [(text as string).trim()] : [],
  );
}

/** What is none of ours, and done here otherwise. */
const OTHERS = ['systemctl', 'rsync', 'chown'];

test('the last snapshot of the old server brings the new one to where the providers are', async () => {
  const old = await startCli();
  const { request, signId } = await old.waitingRequest({ firstName: 'Anna', lastName: 'Weber' });
  const home = temporaryDirectory();
  const dataDir = join(home, 'data');
  const env = { ...old.env, ...testSettings(dataDir, old.sandbox) };
  const places: Record<string, string> = {
    '/var/lib/esign/snapshot': join(home, 'copy'),
    // What rsync would have brought.
    '/var/lib/esign/incoming': join(home, 'copy'),
  };
  const follow = async (block: string, settings: Record<string, string>) => {
    const lines: string[] = [];
    for (const line of block.split('\n')) {
      const [program, ...words] = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
        ([, quoted, plain]) => quoted ?? plain,
      );
      if (OTHERS.includes(program ?? '')) continue;
      // Root is refused: the service could not write what it makes.
      expect([program, ...words.slice(0, 3)]).toEqual(['sudo', '-u', 'esign', 'esignctl']);
      const argv = words.slice(3).map((word) => places[word as string] ?? (word as string));
      const terminal = { stdin: true, stdout: 1_000, stderr: 1_000 };
      // Without a line of progress, which the answer would come too early for.
      const ran = await run(argv, { env: { ...settings, TERM: 'dumb' }, terminal, stdin: 'y\n' });
      // The doctor finds that the data is held.
      expect([line, ran.code]).toEqual([line, argv[0] === 'doctor' ? 1 : 0]);
      lines.push(...stripVTControlCharacters(`${ran.stdout}\n${ran.stderr}`).split('\n'));
    }
    return lines.map((line) => line.trim().replaceAll(/ {2,}/g, '  '));
  };
  const [stop = ''] = blocksOf('On the old server', 'sh');
  await follow(stop, old.env);
  await old.ctx.close();
  old.sandbox.sign(signId);

  const [arrive = '', takeOver = ''] = blocksOf('On the new server', 'sh');
  const [arrived = '', taken = ''] = blocksOf('On the new server', 'text');
  expectLines(await follow(arrive, env), arrived);
  expectLines(await follow(takeOver, env), taken);

  const app = await startApp({ dataDir, beside: old, context: { clock: old.clock } });
  expect(isHeld(app.ctx)).toBe(false);
  expect(app.request(request.id).status).toBe('WAITING_PAYMENT');
});

/** Each line of the document is printed, in its order; `…` stands for anything. */
function expectLines(printed: readonly string[], wanted: string): void {
  let at = 0;
  for (const line of wanted.split('\n').map((each) => each.replaceAll(/ {2,}/g, '  '))) {
    const escaped = line.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const found = printed.findIndex((each, i) => i >= at && new RegExp(`^${escaped.join('.*')}$`).test(each));
    expect({ line, isPrinted: found !== -1, after: found === -1 ? printed.slice(at) : [] }).toEqual({
      line,
      isPrinted: true,
      after: [],
    });
    at = found + 1;
  }
}
