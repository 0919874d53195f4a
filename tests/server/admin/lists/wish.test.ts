/** Whatever stands in the address of a page: the answer is a page with words, never a fault of ours. */
import { expect, test } from 'vitest';
import { everyNth } from '../../../support/breadth.js';
import { happened, subscribed } from '../../../support/subscriptions.js';
import { deliver } from '../../../support/webhooks.js';
import { startOffice, type Office } from '../support.js';

/** What is filtered, sorted or walked. */
const LISTS = [
  '/admin/find',
  '/admin/todo/unknown',
  '/admin/requests',
  '/admin/users',
  '/admin/inbox',
  '/admin/deliveries',
  '/admin/webhooks',
  '/admin/failed',
  '/admin/history',
];
const FILES = ['requests', 'users', 'inbox', 'deliveries', 'webhooks', 'failed'].map(
  (name) => `/admin/${name}.csv`,
);
const OTHERS = [
  '/admin',
  '/admin/todo',
  '/admin/requests/1',
  '/admin/requests/1/cancel',
  '/admin/requests/1/reply',
  '/admin/users/new',
  '/admin/users/1',
  '/admin/inbox/1',
  '/admin/deliveries/1',
  '/admin/webhooks/1',
  '/admin/failed/push/send-mail',
  '/admin/sessions',
  '/admin/login',
];
/** Files and other pages read an address as the lists do: a tenth will do for them, and a third for the lists. */
const SHARE = { lists: 3, others: 10 };

/** All that any page reads, and one that none does. */
const NAMES = [
  'q', 'status', 'owner', 'after', 'before', 'since', 'statusSince', 'order', 'page', 'cursor', 'document', 'kind',
  'error', 'group', 'webhook', 'request', 'source', 'by', 'about', 'what', 'next', 'nothing',
]; // prettier-ignore

const VALUES = [
  '', '%20', '0', '-1', '1.5', '1e999', '9'.repeat(15), '9'.repeat(400), '%00', '%FF%FE', '%C3%28', '%', '%zz', '%ED%A0%80',
  '%F0%9F%94%A5', '%E2%80%AE', '%0D%0Aset-cookie:x', "'%20OR%201=1--", '%25_%25', '%22*%22', 'NEAR(', 'a:b', '--x', 'NaN', '[]',
  '2026-02-31', '0000-01-01', '9999-12-31', '99999d', 'today', '~', '~1', '2026~9', 'created-asc', 'since-asc', '__proto__', 'constructor',
  '/admin', '//evil.test', '%3Cscript%3E', 'x'.repeat(5_000),
]; // prettier-ignore

/** Every value under every name, all names of a page in one address; each value a turn later for the next name. */
function queries(): string[] {
  const turned = VALUES.map((_, turn) =>
    NAMES.map((name, i) => `${name}=${VALUES[(turn + i) % VALUES.length]}`).join('&'),
  );
  const doubled = NAMES.map((name) => `${name}=1&${name}=&${name}[]=x&${name}[a]=-1`);
  return [...turned, ...doubled, '&&=&?', 'q', '%=%', '[]=1', 'x'.repeat(7_000)];
}

async function anOffice(): Promise<Office> {
  const office = await startOffice({ env: { ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' } });
  const { signId } = await office.waitingRequest();
  await subscribed(office, { url: 'http://127.0.0.1:9/' });
  await happened(office);
  office.sandbox.sign(signId);
  await deliver(office, signId);
  return office;
}

test('a page answers with words whatever its address says, and so does each list as a file', async () => {
  const office = await anOffice();
  const staff = await office.staff();
  const wrong: string[] = [];
  for (const page of [...LISTS, ...FILES, ...OTHERS]) {
    for (const query of everyNth(queries(), LISTS.includes(page) ? SHARE.lists : SHARE.others)) {
      const { status, text, location } = await staff.get(`${page}?${query}`);
      const isLed = status === 303 && location.startsWith('/admin');
      const isFile = status === 200 && page.endsWith('.csv') && text.startsWith('\ufeff');
      const isPage =
        (status === 200 || status === 404) && text.includes('<h1') && !/undefined|NaN</.test(text);
      if (!isLed && !isFile && !isPage) wrong.push(`${status} ${page}?${query}`.slice(0, 300));
    }
  }
  expect(wrong).toEqual([]);
});

test('a list asks for nothing that is empty: it is the whole list', async () => {
  const office = await anOffice();
  const staff = await office.staff();
  const empty = NAMES.map((name) => `${name}=`).join('&');
  for (const page of LISTS.filter((each) => !/find|unknown/.test(each))) {
    const [plain, asked] = [await staff.get(page), await staff.get(`${page}?${empty}`)];
    const count = (text: string) => text.split('<tr>').length;
    expect([page, asked.status, count(asked.text), asked.text.includes('not a possible value')]).toEqual([
      page,
      200,
      count(plain.text),
      false,
    ]);
  }
});

test('a stored time that is none is a dash, and takes no page away', async () => {
  const office = await anOffice();
  office.ctx.db.raw.exec("UPDATE requests SET statusSince = ''");
  const staff = await office.staff();
  for (const page of [
    '/admin',
    '/admin/requests',
    '/admin/requests?order=since-asc',
    '/admin/requests.csv',
  ]) {
    expect([page, (await staff.get(page)).status]).toEqual([page, 200]);
  }
});
