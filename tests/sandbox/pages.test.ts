import { expect, test } from 'vitest';
import { anOngoing, aSandbox, aDraft, api, createSession, read } from './support.js';

const press = (url: string, form: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });

const text = async (answer: Response): Promise<string> => (await answer.text()).replace(/\s+/g, ' ');

test('the customer reads the document, signs, and a second click is harmless and says so', async () => {
  const sandbox = await aSandbox();
  const { id, link } = await anOngoing(sandbox);
  expect(sandbox.mails()[0]!.text).toContain(link);

  const page = await text(await fetch(link));
  expect(page).toContain('Sign the document');
  const pdf = await fetch(`${sandbox.url}/sign/${id}/document.pdf`);
  expect((await pdf.text()).slice(0, 5)).toBe('%PDF-');

  const action = link.replace('?', '/sign?');
  const clicks = await Promise.all([press(action), press(action)]);
  const answers = await Promise.all(clicks.map(text));
  const titles = answers.map((answer) => /<h1>(.*?)<\/h1>/.exec(answer)?.[1] ?? '');
  expect(titles.sort()).toEqual(['Already signed', 'Done: signed']);
  expect(sandbox.state().signatureRequests[0]).toMatchObject({ id, status: 'done' });
  expect(await text(await fetch(link))).toContain('You have signed this document.');
});

test('the customer pays once, whatever is clicked', async () => {
  const sandbox = await aSandbox();
  const session = await read<{ id: string; url: string }>(await createSession(sandbox));

  expect(await text(await fetch(session.url))).toContain('€120.00');
  expect(await text(await press(`${session.url}/give-up`))).toContain('Nothing was paid');
  expect(await text(await press(`${session.url}/pay`))).toContain('Done: paid');
  expect(await text(await press(`${session.url}/pay`))).toContain('already been made');
  expect(await text(await fetch(session.url))).toContain('already been made');
  expect(sandbox.state().sessions[0]).toMatchObject({ payment_status: 'paid' });
});

test('the console pays another amount, or the price in a currency of the customer’s', async () => {
  const sandbox = await aSandbox();
  const [one, other] = await Promise.all(
    ['a', 'b'].map(async (key) => (await read<{ id: string }>(await createSession(sandbox, key))).id),
  );
  const charge = (id: string | undefined, form: object) =>
    press(`${sandbox.url}/console/charge`, { id: id ?? '', currency: 'usd', amount: '100', ...form });
  expect((await charge(one, { currency: 'dollars' })).status).toBe(409);
  await charge(one, { converted: '' });
  await charge(other, { converted: 'presentment_details' });
  const paid = Object.fromEntries(sandbox.state().sessions.map((session) => [session.id, session]));
  expect(paid[one!]).toMatchObject({ amount_total: 100, currency: 'usd' });
  expect(paid[other!]).toMatchObject({
    amount_total: 12_000,
    presentment_details: { presentment_amount: 100 },
  });
});

test('the console shows what there is, escapes it, and its buttons work', async () => {
  const sandbox = await aSandbox();
  const { id } = await anOngoing(sandbox);
  await aDraft(sandbox, undefined, { name: 'Contract "2" < 3 & 4' });
  await createSession(sandbox);

  const page = await fetch(sandbox.url);
  const shown = await text(page);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(shown).toContain('Contract 1');
  expect(shown).toContain('Contract &quot;2&quot; &lt; 3 &amp; 4');
  expect(shown).not.toContain('< 3');

  expect((await press(`${sandbox.url}/console/act`, { id, action: 'sign' })).status).toBe(303);
  expect((await press(`${sandbox.url}/console/act`, { id, action: 'sign' })).status).toBe(409);
  expect((await press(`${sandbox.url}/console/faults`, { fault: 'pdf:empty:1', delay: '5' })).status).toBe(
    303,
  );
  expect((await press(`${sandbox.url}/console/faults`, { fault: 'nonsense' })).status).toBe(409);
  expect(sandbox.faults.list()).toMatchObject([{ target: 'pdf', kind: 'empty', times: 1, delayMs: 5 }]);
  expect((await press(`${sandbox.url}/console/faults/clear`)).status).toBe(303);
  expect(sandbox.faults.list()).toEqual([]);
  expect((await api(sandbox, `/signature_requests/${id}`)).status).toBe(200);
});
