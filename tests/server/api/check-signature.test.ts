/** GET /check_signature/request/{id} in a browser (rules 4): acts on a click in the back office, and on nothing less. */
import { describe, expect, test } from 'vitest';
import { adviceText } from '../../../src/core/commands.js';
import { saidParts, text } from '../../../src/core/texts/index.js';
import { HOUR } from '../../support/clock.js';
import { alerts, startOffice, type Office, type Visitor } from '../admin/support.js';

const CLICK = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };

async function begin() {
  const office = await startOffice();
  const waiting = await office.waitingRequest();
  return {
    office,
    staff: await office.staff(),
    path: `/check_signature/request/${waiting.request.id}`,
    ...waiting,
  };
}

/** What the provider was asked, and what came of it here. */
function effects(office: Office, id: number) {
  return { status: office.request(id).status, contract: office.contract(id).status };
}

const UNTOUCHED = { status: 'WAITING_SIGNATURE', contract: 'PENDING' };

async function flashOn(staff: Visitor, id: number) {
  return alerts(await staff.get(`/admin/requests/${id}`));
}

describe('a click', () => {
  test.each([
    ['ongoing', () => undefined, 'info', 'check_signature_info.ongoing', {}],
    ['done', (o: Office, id: string) => o.sandbox.sign(id), 'success', 'check_signature_success', {}],
    [
      'declined',
      (o: Office, id: string) => o.sandbox.decline(id),
      'info',
      'check_signature_info.status',
      { status: 'declined' },
    ],
    [
      'gone',
      (o: Office, id: string) => o.sandbox.delete(id, { permanent: true }),
      'danger',
      'signature_not_found',
      {},
    ],
  ] as const)(
    '%s: the result is said once on the page of the request',
    async (_, before, type, key, params) => {
      const { office, staff, path, request, signId } = await begin();
      before(office, signId);

      const answer = await staff.get(path, CLICK);

      expect([answer.status, answer.location]).toEqual([303, `/admin/requests/${request.id}`]);
      expect(await flashOn(staff, request.id)).toEqual([
        { type, message: adviceText(saidParts('en', { words: key, params })) },
      ]);
      expect(await flashOn(staff, request.id)).toEqual([]);
    },
  );

  test('on a request that does not wait is answered by the rule', async () => {
    const { office, staff } = await begin();
    const { id } = await office.addRequest();
    await staff.get(`/check_signature/request/${id}`, CLICK);
    expect(await flashOn(staff, id)).toEqual([
      { type: 'danger', message: text('en', 'not_waiting_signature') },
    ]);
  });

  test('on a request that does not exist is a page that says so', async () => {
    const { staff } = await begin();
    const page = await staff.get('/check_signature/request/999', CLICK);
    expect([page.status, page.headers.get('Content-Type')]).toEqual([404, 'text/html; charset=utf-8']);
  });
});

/** Headers that are less than a click in the back office, beside those of one. */
const LESS = {
  'no word of where it comes from': { 'Sec-Fetch-Site': '' },
  'a typed address': { 'Sec-Fetch-Site': 'none' },
  'a sister site': { 'Sec-Fetch-Site': 'same-site' },
  'another site': { 'Sec-Fetch-Site': 'cross-site' },
  'a page fetched ahead': { 'Sec-Purpose': 'prefetch' },
  'a page drawn ahead': { 'Sec-Purpose': 'prefetch;prerender' },
  'an image': { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' },
  'a frame': { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' },
};

describe('less than a click', () => {
  test('is asked first, and nothing happens until the answer', async () => {
    const { office, staff, path, request, signId } = await begin();
    office.sandbox.sign(signId);
    const action = `/admin/requests/${request.id}/check-signature`;
    const aScript = { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' };

    for (const [what, headers] of Object.entries({ ...LESS, 'a script': aScript })) {
      const question = await staff.get(path, { ...CLICK, ...headers });
      const isAsked = question.text.includes(`action="${action}"`);
      expect([what, question.status, isAsked]).toEqual([what, 200, true]);
      expect(effects(office, request.id)).toEqual(UNTOUCHED);
    }

    const answer = await staff.submit(action, {});
    expect([answer.status, answer.location]).toEqual([303, `/admin/requests/${request.id}`]);
    expect(effects(office, request.id)).toEqual({ status: 'WAITING_PAYMENT', contract: 'SIGNED' });
  });

  test('HEAD and OPTIONS never act', async () => {
    const { office, staff, path, request, signId } = await begin();
    office.sandbox.sign(signId);
    const cookie = `esign_session=${staff.cookies.get('esign_session')}`;
    for (const method of ['HEAD', 'OPTIONS']) {
      const headers = { ...CLICK, Accept: 'text/html', Cookie: cookie };
      expect((await office.app.request(path, { method, headers })).status).toBe(405);
    }
    expect(effects(office, request.id)).toEqual(UNTOUCHED);
  });

  test('whoever is not logged in is led to the log-in, which leads back to the question', async () => {
    const { office, path, request, signId } = await begin();
    office.sandbox.sign(signId);
    const visitor = office.visitor();
    const away = await visitor.get(path, CLICK);
    expect([away.status, away.location]).toEqual([303, `/admin/login?next=${encodeURIComponent(path)}`]);

    const { location } = await visitor.logIn(undefined, undefined, path);
    const question = await visitor.get(location, CLICK);

    expect(question.text).toContain(`action="/admin/requests/${request.id}/check-signature"`);
    expect(effects(office, request.id)).toEqual(UNTOUCHED);
  });

  test('a program without a token gets the answer in its own language', async () => {
    const { office, path } = await begin();
    const answer = await office.app.request(path, { headers: { Accept: 'application/json' } });
    expect([answer.status, ((await answer.json()) as { code: number }).code]).toEqual([401, 401]);
  });
});

describe('as JSON, by the session', () => {
  const SCRIPT = {
    Accept: 'application/json',
    'Sec-Fetch-Site': 'same-origin',
    'Sec-Fetch-Mode': 'cors',
    'Sec-Fetch-Dest': 'empty',
  };

  test('a script of our own pages is answered, and the check has acted', async () => {
    const { office, staff, path, request, signId } = await begin();
    const ongoing = JSON.parse((await staff.get(path, SCRIPT)).text) as unknown;
    expect(ongoing).toEqual({
      type: 'info',
      key: 'check_signature_info.ongoing',
      params: {},
      message: text('en', 'check_signature_info.ongoing'),
    });

    office.sandbox.sign(signId);
    const bare = { Accept: 'application/ld+json', 'Sec-Fetch-Site': 'same-origin' };
    const done = await staff.get(path, bare);
    expect([done.status, JSON.parse(done.text)]).toMatchObject([200, { key: 'check_signature_success' }]);
    expect(effects(office, request.id)).toEqual({ status: 'WAITING_PAYMENT', contract: 'SIGNED' });

    const again = await staff.get(path, SCRIPT);
    expect([again.status, JSON.parse(again.text)]).toMatchObject([422, { key: 'not_waiting_signature' }]);
  });

  test('less than a call of our own pages is refused, and nothing happens', async () => {
    const { office, staff, path, request, signId } = await begin();
    office.sandbox.sign(signId);
    for (const [what, headers] of Object.entries(LESS)) {
      const answer = await staff.get(path, { ...SCRIPT, ...headers });
      const refused = [403, { code: 403, errors: {} }];
      expect([what, answer.status, JSON.parse(answer.text)]).toMatchObject([what, ...refused]);
    }
    expect(effects(office, request.id)).toEqual(UNTOUCHED);
  });

  test('a session that has ended is 401, and a wrong token beside a good session too', async () => {
    const { office, staff, path, request, signId } = await begin();
    office.sandbox.sign(signId);
    expect((await staff.get(path, { ...SCRIPT, Authorization: 'Bearer e30.e30.e30' })).status).toBe(401);
    office.clock.advance(3 * HOUR);
    expect((await staff.get(path, SCRIPT)).status).toBe(401);
    expect(effects(office, request.id)).toEqual(UNTOUCHED);
  });
});
