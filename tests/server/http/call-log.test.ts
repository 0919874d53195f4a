/** The log at `info`: ids, and nothing that names a person. */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { LOG_FORM } from '../../../src/core/log/form.js';
import { createUser } from '../../../src/core/users/create-user.js';
import { setPassword, setUserEnabled } from '../../../src/core/users/users.js';
import { anyContractPdf, startApp } from '../../support/app.js';
import { deliver, deliverPayment } from '../../support/webhooks.js';
import { apiOf, PASSWORD } from '../support.js';

const CUSTOMER = { username: 'zoe.quincampoix@example.org', firstName: 'Zoé', lastName: 'Quincampoix' };
const ADMIN = 'marguerite@firm.example';

test('the whole story, with all that can fail in it, leaves no name and no address in the log', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'info', ...LOG_FORM }, { write: (line: string) => void lines.push(line) });
  const app = await startApp({ context: { log } });
  const { ctx, sandbox } = app;
  const api = apiOf(app);
  const call = async (method: string, path: string, token: string, body: unknown) =>
    (await api.call(method, path, { ...(token && { token }), body })).json;
  const tokenOf = async (username: string, password = PASSWORD) =>
    String((await call('POST', '/api/login_check', '', { username, password }))['token']);

  const marguerite = { kind: 'user', name: ADMIN } as const;
  await createUser(ctx, { username: ADMIN, password: PASSWORD, role: 'ROLE_ADMIN' }, marguerite);
  const { id: userId } = await createUser(ctx, { ...CUSTOMER, password: PASSWORD }, marguerite);
  await tokenOf(CUSTOMER.username, 'a wrong pass phrase');
  const token = await tokenOf(CUSTOMER.username);
  const admin = await tokenOf(ADMIN);
  await call('PATCH', '/api/users/me', token, { phone: '+33612345678' });
  const boiler = { name: 'Boiler', model: 'B-200', serialNumber: 'SN-1' };
  const { '@id': equipment } = await call('POST', '/api/equipments', token, boiler);
  const words = { title: 'Yearly maintenance', description: 'Check the burner.', equipment };
  const requestId = Number((await call('POST', '/api/requests', token, words))['id']);

  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(await anyContractPdf())], { type: 'application/pdf' }), 'c.pdf');
  await call('POST', `/api/requests/${requestId}/signature`, admin, form);
  const signId = app.contract(requestId).signId as string;
  sandbox.sign(signId);
  for (const fault of ['pdf:not_pdf:1', 'smtp:550:2', 'payment.create:500:1']) sandbox.faults.add(fault);
  await deliver(app, signId);
  await ctx.jobs.idle();
  for (let round = 0; round < 6; round += 1) {
    await app.drain();
    app.clock.advance(10_000);
  }
  await deliverPayment(app, app.request(requestId).paymentId as string);
  await app.drain();
  await setPassword(ctx, userId, 'another pass phrase', marguerite);
  await setUserEnabled(ctx, userId, false, marguerite);

  expect(app.request(requestId).status).toBe('COMPLETE');
  const all = lines.join('');
  expect(all).toContain('job failed, will be tried again');
  expect(all).toContain('no such mailbox');
  expect(all).toContain('user disabled');
  const personal = /zoe|quincampoix|zoé|marguerite|@(example|firm)|33612345678|Yearly|SN-1|Boiler/i;
  expect(lines.filter((line) => personal.test(line))).toEqual([]);
});

test('of an unexpected failure the stack stays readable, the addresses in it do not', () => {
  const lines: string[] = [];
  const log = pino({ ...LOG_FORM }, { write: (line: string) => void lines.push(line) });
  log.error({ err: new Error('UNIQUE failed: zoe@example.org') }, 'request failed');
  const { err } = JSON.parse(lines[0] as string) as { err: { message: string; stack: string } };
  expect(err.message).toBe('UNIQUE failed: …@…');
  expect(err.stack).toContain('log.test.ts');
});
