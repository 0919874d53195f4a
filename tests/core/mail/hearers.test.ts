/** Who in the office hears of what (setting ESIGN_ADMIN_EMAIL). */
import { expect, test } from 'vitest';
import { hearersOf, type OfficeMail } from '../../../src/core/mail/hearers.js';
import { parseHearers } from '../../../src/core/settings/hearers.js';
import { startApp } from '../../support/app.js';
import { deliver } from '../../support/webhooks.js';

const SETTING = 'anna@x.example, bob@x.example=digest+payments, eve@x.example=signatures';

test.each<[OfficeMail, string]>([
  ['contract-ended', 'anna'],
  ['jobs-failed', 'anna'],
  ['digest', 'anna bob'],
  ['admin-paid', 'anna bob'],
  ['admin-signed', 'anna eve'],
])('%s is heard by %s', (mail, names) => {
  const addresses = names.split(' ').map((name) => `${name}@x.example`);
  expect(hearersOf(parseHearers(SETTING), mail)).toEqual(addresses);
});

test('each of several gets a mail of its own: one that is refused keeps no other from hearing, and none comes twice', async () => {
  const app = await startApp({ env: { ESIGN_ADMIN_EMAIL: SETTING } });
  const { signId } = await app.waitingRequest();
  app.sandbox.sign(signId);
  await deliver(app, signId);
  await app.drain();
  const told = app.sandbox
    .mails()
    .flatMap(({ to }) => to.filter((address) => address.endsWith('@x.example')));
  expect(told.toSorted()).toEqual(['anna@x.example', 'eve@x.example']);
});
