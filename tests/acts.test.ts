/** Every act on a request is to be had on every surface, by its declaration. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { REASON_LENGTH_MAX } from '../src/core/calls/reason.js';
import { surveyOf } from '../src/server/api/docs/survey.js';
import { ACTS } from '../src/core/requests/acts.js';
import { text } from '../src/core/texts/index.js';
import { cancelRequest } from '../src/core/requests/cancel-request.js';
import { openCase } from '../src/core/requests/settle-request.js';
import { ourPayments } from '../src/core/payment/our-payments.js';
import { alerts, officeOn, startOffice, staffedOffice } from './server/admin/support.js';
import { run } from './cli/support.js';
import { startApi, twoRequests } from './server/support.js';
import { TESTER } from './support/app.js';
import { A4, pdfOf } from './support/odd-pdfs.js';
import { story } from './support/story.js';
import { deliverOtherAmount } from './support/webhooks.js';

const TOO_LONG = 'x'.repeat(REASON_LENGTH_MAX + 1);

test('names, commands and paths are all different', () => {
  for (const of of ['name', 'command', 'path'] as const)
    expect(new Set(ACTS.map((act) => act[of])).size).toBe(ACTS.length);
});

describe('of the API', () => {
  test('each act is a POST that is described, for administrators', () => {
    const { routes } = surveyOf(startApi().app);
    const described = routes.map(({ method, path, operation }) => [
      method,
      path,
      operation.isForAdministrators,
    ]);
    for (const { path } of ACTS)
      expect(described).toContainEqual(['POST', `/api/requests/{id}/${path}`, true]);
  });

  test('a reason that is missing where one is needed, or too long, is 422 with the field', async () => {
    const { admin } = await twoRequests();
    for (const { reason, path } of ACTS) {
      for (const [body, told] of [
        [{}, reason === 'required' && 'This value should not be blank.'],
        [
          { reason: TOO_LONG },
          reason !== 'none' && 'This value is too long. It should have 1000 characters or less.',
        ],
      ] as const) {
        if (told === false) continue;
        const { status, json } = await admin('POST', `/api/requests/1/${path}`, { body });
        expect([path, status, json['errors']]).toEqual([path, 422, { reason: told }]);
      }
    }
  });
});

describe('of the back office', () => {
  test('each act has a page; one that is not open leads back', async () => {
    const { office, staff } = await staffedOffice();
    const { id } = await office.addRequest();
    for (const { name, isOpen } of ACTS) {
      const page = await staff.get(`/admin/requests/${id}/${name}`);
      expect([name, page.status]).toEqual([name, isOpen(STANDING_OF_NEW) ? 200 : 303]);
    }
  });

  test('a reason that is missing or too long is said above the question, and nothing is done', async () => {
    const { office, staff } = await staffedOffice();
    const { id } = await office.addRequest();
    const path = `/admin/requests/${id}/cancel`;
    for (const [reason, said] of [
      ['', 'Please give a reason.'],
      [TOO_LONG, 'Too long: at most 1,000 characters.'],
    ]) {
      await staff.get(path);
      const answer = await staff.submit(path, { reason: reason as string });
      expect([answer.status, answer.location]).toEqual([303, path]);
      expect(alerts(await staff.get(path))[0]?.message).toBe(said);
    }
    expect(office.request(id).status).toBe('in_progress');
  });
});

describe('a start in the back office', () => {
  const PDF = pdfOf([A4]).toString('latin1');

  async function starting() {
    const { office, staff } = await staffedOffice();
    const { id } = await office.addRequest();
    const path = `/admin/requests/${id}/start-signature`;
    const { text: form } = await staff.get(path);
    expect(form).toMatch(/enctype="multipart\/form-data"[^]*type="file"/);
    const folder = join(office.ctx.config.dataDir, 'contracts');
    return { office, staff, id, path, files: () => readdirSync(folder) };
  }

  test('sends the PDF that comes with the form in place of the generated contract', async () => {
    const { office, staff, id, path, files } = await starting();
    await staff.upload(path, { reason: 'our own terms' }, { name: 'terms.pdf', content: PDF });
    expect(office.request(id).status).toBe('WAITING_SIGNATURE');
    const [draft] = files();
    const sent = readFileSync(join(office.ctx.config.dataDir, 'contracts', draft ?? ''), 'latin1');
    expect([files().length, sent]).toEqual([1, PDF]);
    expect((await staff.get(`/admin/requests/${id}`)).text).toContain('our own terms');
  });

  test('without a file sends the generated contract', async () => {
    const { office, staff, id, path } = await starting();
    await staff.upload(path, {}, { name: '', content: '' });
    expect(office.request(id).status).toBe('WAITING_SIGNATURE');
  });

  test('with a file that is no PDF leads back to the question and says what is wrong; nothing stays', async () => {
    const { office, staff, id, path, files } = await starting();
    const answer = await staff.upload(path, {}, { name: 'terms.pdf', content: 'x'.repeat(500) });
    expect([answer.status, answer.location]).toEqual([303, path]);
    expect(alerts(await staff.get(path))).toEqual([{ type: 'danger', message: 'The file is not a PDF.' }]);
    expect([office.request(id).status, files()]).toEqual(['in_progress', []]);
  });

  test('by a form that is not of this session stores nothing', async () => {
    const { office, staff, id, path, files } = await starting();
    const answer = await staff.upload(path, { csrf: 'foreign' }, { name: 'terms.pdf', content: PDF });
    expect([answer.status, office.request(id).status, files()]).toEqual([403, 'in_progress', []]);
  });
});

describe('settling in the back office', () => {
  /** Two payments of a canceled request do not count. */
  async function twoCases() {
    const { app, id } = await story().linked().end();
    await cancelRequest(app.ctx, id, { actor: TESTER, reason: 'sold' });
    for (const paymentId of ['cs_first', 'cs_second']) await deliverOtherAmount(app, id, paymentId);
    const staff = await (await officeOn(app)).staff();
    const open = () => openCase(app.ctx.db, ourPayments(app.ctx.db, id)).payments;
    return { staff, id, open };
  }

  test('offers each payment with its amount, ticked; only what stays ticked is settled', async () => {
    const { staff, id, open } = await twoCases();
    const path = `/admin/requests/${id}/settle`;
    const { text: form } = await staff.get(path);
    expect([...form.matchAll(/name="payments"\s+value="([^"]+)"\s+checked/g)].map(([, one]) => one)).toEqual(
      open(),
    );
    expect(form).toContain('Payment cs_first (US$99.00)');
    expect(form).not.toContain('name="signature"');
    await staff.submit(path, { reason: 'refunded', payments: 'cs_second' });
    expect(open()).toEqual(['cs_first']);
  });

  test('with nothing ticked settles nothing', async () => {
    const { staff, id, open } = await twoCases();
    const path = `/admin/requests/${id}/settle`;
    await staff.get(path);
    await staff.submit(path, { reason: 'refunded' });
    expect(alerts(await staff.get(`/admin/requests/${id}`))[0]?.message).toContain('nothing was selected');
    expect(open()).toHaveLength(2);
  });

  test('of several requests offers the payments of each', async () => {
    const { staff, id, open } = await twoCases();
    const path = `/admin/requests/several?act=settle&id=${id}`;
    const { text: form } = await staff.get(path);
    expect(form).toContain('does not count. Has it been dealt with');
    expect(form).toMatch(new RegExp(`name="payments[.]${id}"\\s+value="cs_first"\\s+checked`));
    await staff.submit(path, { reason: 'refunded', [`payments.${id}`]: 'cs_first' });
    expect(open()).toEqual(['cs_second']);
  });
});

describe('several requests, chosen in their list', () => {
  const path = '/admin/requests/several';

  test('the list has a box for each and a form for every act', async () => {
    const office = await startOffice();
    const { id } = await office.addRequest();
    const { text } = await (await office.staff()).get('/admin/requests');
    expect(text).toMatch(new RegExp(`name="id"\\s+value="${id}"\\s+form="several"`));
    for (const { name } of ACTS) expect(text).toContain(`<option value="${name}">`);
  });

  test('each is shown before the question, with customer, price and what will happen; then one that fails stops no other', async () => {
    const { office, staff } = await staffedOffice();
    const { request: waiting } = await office.waitingRequest();
    const { id } = await office.addRequest();

    const question = `${path}?act=start-signature&id=${waiting.id}&id=${id}`;
    const asked = await staff.get(question);
    expect(asked.text).toContain('Start signature: 1 request?');
    expect(asked.text).toContain('Not possible right now, so these stay as they are:');
    expect(asked.text).toMatch(/Ada Lovelace, €[\d,.]+/);
    expect(asked.text).toContain('This is not possible for the request right now.');
    expect(asked.text).toContain('will get an e-mail with a signing link');
    expect(asked.text).toContain('and send it to the customer for signature?');
    expect(office.request(id).status).toBe('in_progress');

    const done = await staff.submit(question, {});
    expect([done.status, done.location]).toEqual([303, '/admin/requests']);
    const [alert] = alerts(await staff.get('/admin/requests'));
    expect(alert?.type).toBe('danger');
    expect(alert?.message).toMatch(new RegExp(`^1 done, 1 failed\\. ${waiting.reference}: `));
    expect(office.request(id).status).toBe('WAITING_SIGNATURE');
  });

  test('one that cannot be sent to its customer says so before anything is done, as the start would', async () => {
    const { office, staff } = await staffedOffice();
    const { id } = await office.addRequest(await office.addUser({ firstName: '' }));
    const question = `${path}?act=start-signature&id=${id}`;
    expect((await staff.get(question)).location).toBe('/admin/requests');
    const [{ message: told } = { message: '' }] = alerts(await staff.get('/admin/requests'));
    await staff.submit(question, {});
    const [alert] = alerts(await staff.get('/admin/requests'));
    const refusal = alert?.message.split(`${office.request(id).reference}: `)[1] as string;
    expect(refusal).toMatch(/name/);
    expect(told).toContain(refusal);
  });

  test('a form that is sent twice acts once: by then the contract is another one', async () => {
    const { office, staff } = await staffedOffice();
    const { request } = await office.waitingRequest();
    const question = `${path}?act=reset-signature&id=${request.id}`;
    const { text: page } = await staff.get(question);
    const shown = [...page.matchAll(/type="hidden" name="(contract[.]\d+)" value="([^"]*)"/g)];
    const form = Object.fromEntries(shown.map(([, name = '', value = '']) => [name, value]));
    await staff.submit(question, form);
    expect(alerts(await staff.get('/admin/requests'))[0]?.message).toBe('1 request done.');
    const { id } = office.contract(request.id);
    await staff.submit(question, form);
    const refusal = `0 done, 1 failed. ${request.reference}: ${text('en', 'already_reset')}`;
    expect(alerts(await staff.get('/admin/requests'))[0]?.message).toBe(refusal);
    expect(office.contract(request.id).id).toBe(id);
  });

  test('more than a hundred are refused with their number, before the question and by it', async () => {
    const { office, staff } = await staffedOffice();
    const { id } = await office.addRequest();
    const ids = Array.from({ length: 101 }, (_, i) => String(id + i));
    const question = `${path}?act=start-signature&${ids.map((each) => `id=${each}`).join('&')}`;
    const said = 'At most 100 can be selected at once, not 101.';
    expect((await staff.get(question)).location).toBe('/admin/requests');
    expect(alerts(await staff.get('/admin/requests'))[0]?.message).toBe(said);
    await staff.submit(question, {});
    expect(alerts(await staff.get('/admin/requests'))[0]?.message).toBe(said);
    expect(office.request(id).status).toBe('in_progress');
  });

  test('a missing reason leads back to the question; nothing chosen, or a form of somebody else, does nothing', async () => {
    const { office, staff } = await staffedOffice();
    const { id } = await office.addRequest();
    const question = `${path}?act=cancel&id=${id}`;
    await staff.get(question);
    const without = await staff.submit(question, {});
    expect([without.status, without.location]).toEqual([303, question]);
    expect((await staff.get(path)).location).toBe('/admin/requests');
    expect((await staff.post(question, new URLSearchParams({ reason: 'x' }))).status).toBe(403);
    expect(office.request(id).status).toBe('in_progress');
    await staff.get(question);
    await staff.submit(question, { reason: 'sold' });
    expect(office.request(id).status).toBe('CANCELED');
  });
});

describe('of the command line', () => {
  test.each(ACTS)('$command takes several, and has the options and the dry run of its act', async (act) => {
    const { code, stdout } = await run([...act.command.split(' '), '--help']);
    expect(code).toBe(0);
    const noun = act.namesContracts ? 'id' : 'request';
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`\\[options\\] [<[]${noun}\\.\\.\\.`));
    const options = Object.entries(act.options ?? {}).map(([name, { flag = name }]) => flag);
    for (const flag of [...options, 'dry-run', 'reason', 'yes']) expect(stdout).toContain(`--${flag}`);
  });

  test.each(ACTS)(
    '$command without a reason is wrong usage, if it needs one',
    async ({ command, reason }) => {
      const { code, stderr } = await run([...command.split(' '), '1']);
      // The others go on to their settings, of which there are none.
      expect([code, stderr.includes('needs a reason')]).toEqual([2, reason === 'required']);
    },
  );

  test.each(ACTS)('$command with a reason that is too long says the limit', async ({ command }) => {
    const { code, stderr } = await run([...command.split(' '), '1', '--reason', TOO_LONG]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('1000 characters or less')]);
  });
});

const STANDING_OF_NEW = {
  status: 'new',
  signature: 'none',
  payment: 'not_due',
  isLate: false,
  isOnSecond: false,
  hasPayments: false,
  hasPayLink: false,
  case: { payments: [], signature: false, term: false },
  isRenewable: false,
  isErased: false,
} as const;
