/** What the signature provider refuses, in the words of the four commands that ask it (rules 2). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import PdfDocument from 'pdfkit';
import { expect, test } from 'vitest';
import type { Explanation } from '../../../src/core/explain/explain.js';
import { json, jsonError, startCli, type Cli } from '../support.js';

function contractPdf(title: string): Promise<Buffer> {
  const pdf = new PdfDocument({ size: 'A4' });
  pdf.text(title);
  pdf.end();
  return buffer(pdf);
}

const NOT_ITS_FORM = 'answered 404, but not in its own format';

type Told = readonly [fault: string, code: number, key: string, words: readonly string[]];

/** What each answer is told as, wherever it comes. */
const TOLD: Told[] = [
  ['401', 5, 'provider_unavailable', ['refuses the API key', 'esignctl doctor']],
  [
    '403',
    5,
    'provider_unavailable',
    ['A given feature is required to perform this action.', 'the account lacks a feature', 'esignctl doctor'],
  ],
  ['404_html', 5, 'provider_unavailable', [NOT_ITS_FORM, 'esignctl doctor']],
  ['429', 5, 'provider_unavailable', ['try again in 1 s']],
  ['500', 5, 'provider_unavailable', ['500 (Something wrong occurred.)', 'try again']],
];

/** Only what changes something sends data. */
const WRONG_DATA: Told[] = [
  ['400', 3, 'provider_rejected', ['info.last_name: This value is not valid.', 'Check the details']],
  ['422', 3, 'provider_rejected', ['422 (Unprocessable)', 'Check the details']],
];

async function expectTold(cli: Cli, args: string[], [, code, key, words]: Told) {
  const ran = await cli.run(...args, '--json');
  expect(ran.code).toBe(code);
  const error = jsonError(ran);
  expect(error.code).toBe(key);
  for (const word of words) expect(`${error.message} ${error.hint}`).toContain(word);
  expect(error.message).not.toContain('cannot be reached');
}

test.each(TOLD)(
  '%s to a check, a reset, a reminder and a start is told alike and explained, and nothing changes',
  async (...told) => {
    const [fault] = told;
    const cli = await startCli();
    const { request } = await cli.waitingRequest();
    const { id } = await cli.addRequest();
    cli.sandbox.faults.add(`signature:${fault}`);
    for (const command of [['check-signature'], ['reset-signature', '--yes'], ['requests', 'remind']])
      await expectTold(cli, [...command, String(request.id)], told);
    await expectTold(cli, ['start-signature', String(id)], told);
    expect(cli.contract(request.id).status).toBe('PENDING');
    const { stdout } = await cli.run(`explain ${request.id}`);
    expect(stdout).toContain(fault === '401' ? 'refuses our API key' : fault.slice(0, 3));
    const next = fault.startsWith('4') && fault !== '429' ? 'doctor' : `check-signature ${request.id}`;
    expect(stdout).toContain(`esignctl ${next}`);
  },
);

test.each(WRONG_DATA)('%s to a start names the data, and the field if there is one', async (...told) => {
  const cli = await startCli();
  const { id } = await cli.addRequest();
  cli.sandbox.faults.add(`signature.signer:${told[0]}`);
  await expectTold(cli, ['start-signature', String(id)], told);
});

test.each([
  ['upload', '400_document', 'An error has been detected on the given Document.'],
  ['signer', '400_locked', 'Document is locked'],
])(
  'a PDF that is refused at its %s (%s): the reason stays in explain and todo, and another PDF is sent',
  async (operation, fault, reason) => {
    const cli = await startCli();
    const request = await cli.addRequest();
    const id = String(request.id);
    const [refused, other] = ['refused.pdf', 'other.pdf'].map((name) => join(cli.dataDir, name));
    for (const file of [refused, other]) writeFileSync(file as string, await contractPdf(file as string));
    cli.sandbox.faults.add(`signature.${operation}:${fault}:1`);
    const told: Told = [fault, 3, 'provider_rejected', [reason, 'Try again with another PDF.']];
    await expectTold(cli, ['start-signature', id, '--pdf', refused as string], told);

    const { findings } = json(await cli.run('explain', id, '--json')) as unknown as Explanation;
    expect(findings[0]).toMatchObject({
      key: 'start_unfinished',
      cause: 'refused',
      message: expect.stringContaining(reason),
      next: `esignctl start-signature ${id} --pdf …`,
    });
    expect((await cli.run('todo')).stdout).toContain(reason);

    expect(await cli.run('start-signature', id, '--pdf', other as string)).toMatchObject({ code: 0 });
    expect(cli.sandbox.state().signatureRequests).toMatchObject([{ status: 'ongoing' }]);
    expect(cli.request(request.id).status).toBe('WAITING_SIGNATURE');
  },
);
