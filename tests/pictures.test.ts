/** The pictures of README and docs: what is in them still exists, and each document shows only pictures that exist. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startOffice } from './server/admin/support.js';
import { run } from './cli/support.js';
import { fileOf, PICTURES, THEMES, type Picture } from './pictures/pictures.js';
import { testSettings } from './support/app.js';
import { deliver } from './support/webhooks.js';

test('the page or command of each picture still exists', async () => {
  const office = await startOffice();
  const { request } = await office.waitingRequest();
  const signed = await office.waitingRequest();
  office.sandbox.sign(signed.signId);
  await deliver(office, signed.signId);
  await office.drain();
  const firm = { office, url: 'http://127.0.0.1:8080', lost: request.id };
  const staff = await office.staff();
  const env = testSettings(office.dataDir, office.sandbox);
  const comes = async ({ of }: Picture) => {
    if ('command' in of) return (await run(of.command(firm), { env })).code === 0;
    const address = of.page(firm);
    const { status } = address.startsWith(firm.url)
      ? await staff.get(address.slice(firm.url.length))
      : await office.sandbox.fetch(address);
    return status === 200;
  };
  for (const picture of PICTURES) expect([picture.name, await comes(picture)]).toEqual([picture.name, true]);
});

test('README shows pictures that were taken, for both themes', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const shown = [...readme.matchAll(/docs\/pictures\/([\w-]+\.webp)/g)].map(([, name]) => name);
  const taken = PICTURES.flatMap((picture) => THEMES.map((theme) => fileOf(picture, theme)));
  expect(taken.filter((file) => !existsSync(file))).toEqual([]);
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.filter((name) => !taken.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
});
