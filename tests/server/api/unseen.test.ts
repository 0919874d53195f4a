/** Input that looks like nothing, or that the signature provider is known to refuse, is refused where it is entered. */
import { expect, test } from 'vitest';
import { aRequest, PASSWORD, startApi } from '../support.js';

const BLANK = 'This value should not be blank.';
const UNSEEN = ['\u200b', '\u3164\u3164', '\u2800', '\u00a0 \u00a0', '\u202e', '\u{e0041}'];

test.each(UNSEEN)('words of %j alone are blank, wherever they are given', async (unseen) => {
  const app = startApi();
  const anna = await app.as('anna@example.org');
  const admin = await app.as('admin@example.org');
  await aRequest(anna);
  const errors = async (caller: typeof anna, path: string, body: object, method = 'POST') => {
    const headers = method === 'PATCH' ? { 'Content-Type': 'application/merge-patch+json' } : {};
    const { status, json } = await caller(method, path, { body, headers });
    return [status, json['errors']];
  };

  const request = { title: unseen, description: unseen, equipment: '/api/equipments/1' };
  expect(await errors(anna, '/api/requests', request)).toEqual([422, { title: BLANK, description: BLANK }]);
  const equipment = { name: unseen, model: unseen, serialNumber: unseen };
  expect(await errors(anna, '/api/equipments', equipment)).toEqual([
    422,
    { name: BLANK, model: BLANK, serialNumber: BLANK },
  ]);
  const offer = { request: '/api/requests/1', amount: 1, description: unseen };
  expect(await errors(admin, '/api/offers', offer)).toEqual([422, { description: BLANK }]);
  expect(await errors(admin, '/api/requests/1/complete', { reason: unseen })).toEqual([
    422,
    { reason: BLANK },
  ]);
  const password = unseen.repeat(12);
  expect(await errors(anna, '/api/users/me', { password, currentPassword: PASSWORD }, 'PATCH')).toEqual([
    422,
    { password: BLANK },
  ]);
  // White space at the ends of a name does not count; what is left is no name.
  const named = unseen.trim() === '' ? [200, undefined] : [422, { firstName: BLANK }];
  expect(await errors(anna, '/api/users/me', { firstName: unseen }, 'PATCH')).toEqual(named);
});

test('a start whose customer the provider would refuse names the field and a key, and asks the provider nothing', async () => {
  const app = startApi();
  const admin = await app.as('admin@example.org');
  for (const username of ['anna@example.org', 'ben@intranet']) await aRequest(await app.as(username));
  app.ctx.db.raw.exec(`UPDATE users SET firstName = 'Anna', lastName = 'Ott'`);
  app.ctx.db.raw.exec(`UPDATE users SET lastName = 'Ott & Co.' WHERE username = 'anna@example.org'`);

  const name = await admin('POST', '/api/requests/1/signature');
  const address = await admin('POST', '/api/requests/2/signature');

  expect(name).toMatchObject({
    status: 422,
    json: { key: 'invalid_signer_name', errors: { lastName: expect.stringContaining('signature provider') } },
  });
  expect(address).toMatchObject({
    status: 422,
    json: {
      key: 'invalid_signer_email',
      errors: { username: expect.stringContaining('signature provider') },
    },
  });
});
