/** The commands of the signature story against the sandbox: what they print, what they change, what a shell hears. */
import { stateWords } from '../../../src/cli/output/output.js';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anyContractPdf } from '../../support/app.js';
import { json, jsonError, startCli } from '../support.js';

test('of a customer with several requests one must be chosen: without a terminal they are listed, exit 2', async () => {
  const cli = await startCli();
  const { request, owner } = await cli.waitingRequest();
  const other = await cli.addRequest(owner);
  const { code, stdout, stderr } = await cli.run('requests show', owner.username);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  for (const { reference, status, title } of [other, request]) {
    const state = stateWords(status).toLowerCase();
    expect(stderr).toContain(`\n  ${reference}, ${state}, Ada Lovelace <${owner.username}>, ${title}\n`);
  }
});

describe('check-signature of a customer with several requests', () => {
  test('is about the only one that waits for a signature, without a question', async () => {
    const cli = await startCli();
    const { owner, request } = await cli.waitingRequest();
    await cli.addRequest(owner);

    const ran = await cli.run('check-signature', owner.username, '--json');

    expect(ran.code).toBe(0);
    expect(json(ran)['key']).toBe('check_signature_info.ongoing');
    expect(cli.history(request.id)).toContain('signature.checked');
  });

  test('is refused as not_waiting_signature when none waits', async () => {
    const cli = await startCli();
    const owner = await cli.addUser();
    await cli.addRequest(owner);
    await cli.addRequest(owner);

    const ran = await cli.run('check-signature', owner.username, '--json');

    expect(ran.code).toBe(3);
    expect(jsonError(ran)).toEqual({
      code: 'not_waiting_signature',
      message: `None of the 2 requests of ${owner.username} is waiting for a signature.`,
      hint: `esignctl explain ${owner.username}`,
    });
  });
});

describe('check-signature', () => {
  test('a request that waits: the info key, exit 0, nothing changed', async () => {
    const cli = await startCli();
    const { request } = await cli.waitingRequest();

    const { code, stdout, stderr } = await cli.run(`check-signature ${request.id}`);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      'The customer has not signed yet. Nothing was changed. [check_signature_info.ongoing]\n',
    );
    expect(cli.request(request.id).status).toBe('WAITING_SIGNATURE');
  });

  test('signed: success, exit 0, the request waits for the payment and the history names the person', async () => {
    const cli = await startCli();
    const { request, signId } = await cli.waitingRequest();
    cli.sandbox.sign(signId);

    const ran = await cli.runIn(
      { env: { SUDO_USER: 'anna' } },
      'check-signature',
      request.reference,
      '--json',
    );

    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(json(ran)).toEqual({
      type: 'success',
      key: 'check_signature_success',
      params: {},
      message: expect.stringContaining('signed'),
    });
    expect(cli.request(request.id)).toMatchObject({
      status: 'WAITING_PAYMENT',
      paymentUrl: expect.stringContaining('http'),
    });
    const actors = cli.ctx.db.raw.prepare('SELECT DISTINCT actor FROM history').pluck().all();
    expect(actors).toContain('cli:anna');
  });

  test('error keys: on stderr with exit 3; with --json also as the document', async () => {
    const cli = await startCli();
    const { id } = await cli.addRequest();

    const plain = await cli.run(`check-signature ${id}`);
    expect(plain).toMatchObject({ code: 3, stdout: '' });
    expect(plain.stderr).toMatch(/^esignctl: .+ \[not_waiting_signature\]\nhint: esignctl explain \d+\n$/);

    const machine = await cli.run(`check-signature ${id} --json`);
    expect(machine.code).toBe(3);
    expect(json(machine)).toMatchObject({ type: 'error', key: 'not_waiting_signature', params: {} });
    expect(jsonError(machine).code).toBe('not_waiting_signature');
  });

  test('an unknown request, number or reference: exit 4', async () => {
    const cli = await startCli();
    const { request } = await cli.waitingRequest();
    const wrongYear = request.reference.replace(/-\d{4}-/, '-1999-');

    for (const argument of ['999', 'REQ-2026-000999', wrongYear]) {
      const ran = await cli.run('check-signature', argument, '--json');
      expect(ran).toMatchObject({ code: 4, stdout: '' });
      expect(jsonError(ran).code).toBe('request_not_found');
    }
    expect((await cli.run('check-signature', request.reference.toLowerCase())).code).toBe(0);
  });

  test('payment provider down: payment_creation_failed, exit 5, and the signature is kept', async () => {
    const cli = await startCli();
    const { request, signId } = await cli.waitingRequest();
    cli.sandbox.sign(signId);
    cli.sandbox.faults.add('payment:500');

    const ran = await cli.run(`check-signature ${request.id} --json`);

    expect(ran.code).toBe(5);
    expect(json(ran)).toMatchObject({ type: 'error', key: 'payment_creation_failed' });
    expect(cli.request(request.id).status).toBe('WAITING_PAYMENT');
    expect(cli.jobs('create-payment-session')).toMatchObject([{ state: 'available' }]);
  });
});

describe('check-signature --all', () => {
  test('shows what changed, counts the rest, exit 0', async () => {
    const cli = await startCli();
    const [signed, waiting] = [await cli.waitingRequest(), await cli.waitingRequest()];
    cli.sandbox.sign(signed.signId);

    const { code, stdout } = await cli.run('check-signature --all');

    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(
        `^request ${signed.request.id}, contract \\d+: The contract is signed.* \\[check_signature_success\\]\nchecked 2, changed 1, failed 0\n$`,
      ),
    );
    expect(cli.request(waiting.request.id).status).toBe('WAITING_SIGNATURE');
  });

  test('names what the provider has of this installation and nothing here knows, with what can be done', async () => {
    const cli = await startCli();
    const { contract, request, signId } = await cli.waitingRequest();
    cli.sandbox.sign(signId);
    cli.ctx.db.raw.exec(
      "DELETE FROM contracts; DELETE FROM jobs; UPDATE requests SET status = 'in_progress'",
    );
    const { externalId } = contract;
    const name = `${request.reference} Yearly maintenance`;

    const { code, stdout } = await cli.run('check-signature --all');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(
        `^unknown here: signature ${signId}, done, made \\S+, “${name}” \\(${externalId}\\): The customer has`,
      ),
    );
    for (const flags of [[], ['--dry-run']]) {
      expect(json(await cli.run('check-signature --all --json', ...flags))).toMatchObject({
        checked: 0,
        unknown: [
          {
            signId,
            externalId,
            status: 'done',
            createdAt: expect.any(String),
            name,
            message: expect.stringContaining('console'),
          },
        ],
      });
    }
    expect(cli.request(request.id).status).toBe('in_progress');

    expect((await cli.run('todo')).stdout).toContain(
      `esignctl check-signature --settle ${signId} --reason "…"`,
    );
    expect((await cli.run('check-signature --settle', signId)).code).toBe(2);
    const settled = await cli.run('check-signature --settle', signId, '--reason', 'sent by post');
    expect(settled.stdout).toBe(`settled ${signId}\n`);
    expect((await cli.run('todo')).stdout).not.toContain(signId);
    expect((await cli.run('history --what signature.settled')).stdout).toContain('sent by post');
  });

  test('a check that broke off is not done, although nothing has failed: exit 1, and where the next one goes on', async () => {
    const cli = await startCli();
    await cli.waitingRequest();
    cli.sandbox.faults.add('signature.list:500');
    for (const flags of [[], ['--dry-run']]) {
      const ran = await cli.run('check-signature --all', ...flags);
      expect(ran.code).toBe(1);
      expect(ran.stdout).toContain('failed 0');
      expect(ran.stderr).toContain('The check broke off: the list: signature provider answered 500');
      expect(ran.stderr).toContain('The next one continues from there.');
    }
  });
});

describe('start-signature', () => {
  test('sends the contract: lines with signId and link, the reason in the history', async () => {
    const cli = await startCli();
    const { id, reference } = await cli.addRequest();

    const { code, stdout } = await cli.run('start-signature', reference, '--reason', 'asked by phone');

    const { signId, signUrl } = cli.contract(id);
    expect(code).toBe(0);
    expect(stdout).toContain(`started the signature of request ${id} ${reference}: contract `);
    expect(stdout).toContain(String(signId));
    expect(stdout).toContain(String(signUrl));
    expect(cli.request(id).status).toBe('WAITING_SIGNATURE');
    const reasons = cli.ctx.db.raw.prepare(
      "SELECT detail ->> 'reason' FROM history WHERE what = 'contract.sent'",
    );
    expect(reasons.pluck().all()).toEqual(['asked by phone']);
  });

  test('--json is the contract; --pdf sends that file', async () => {
    const cli = await startCli();
    const { id } = await cli.addRequest();
    const file = join(cli.dataDir, 'own.pdf');
    writeFileSync(file, await anyContractPdf());

    const ran = await cli.run(`start-signature ${id} --pdf`, file, '--json');

    expect(json(ran)).toMatchObject({ requestId: id, status: 'PENDING', signedAt: null });
    const sent = readFileSync(join(cli.dataDir, 'contracts', `${cli.contract(id).id}.draft.pdf`));
    expect(sent.equals(readFileSync(file))).toBe(true);
  });

  test('a file that is missing or no PDF: exit 2, nothing sent', async () => {
    const cli = await startCli();
    const { id } = await cli.addRequest();
    const text = join(cli.dataDir, 'text.pdf');
    writeFileSync(text, 'hello');

    const missing = await cli.run(`start-signature ${id} --pdf /nowhere.pdf`);
    expect(missing).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('/nowhere.pdf cannot be read (ENOENT)'),
    });
    for (const wish of [['--dry-run'], []]) {
      const noPdf = await cli.run(`start-signature ${id} --pdf`, text, ...wish);
      expect(noPdf).toMatchObject({ code: 2, stderr: expect.stringContaining('The file is not a PDF.') });
    }
    expect(cli.request(id).status).toBe('in_progress');
  });
});

describe('reset-signature', () => {
  test('without a terminal and without --yes: exit 2 that names the option, nothing changed', async () => {
    const cli = await startCli();
    const { request, contract } = await cli.waitingRequest();

    const { code, stdout, stderr } = await cli.run(`reset-signature ${request.id}`);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--yes');
    expect(cli.contract(request.id).id).toBe(contract.id);
  });

  test.each([
    ['y\r', 0],
    ['n\r', 130],
    ['\r', 130],
  ])('on a terminal it asks on stderr: %j answers with exit %i', async (stdin, exit) => {
    const cli = await startCli();
    const { request, contract } = await cli.waitingRequest();

    const { code, stdout, stderr } = await cli.runIn(
      { stdin, terminal: { stdin: true, stderr: 80 } },
      `reset-signature ${request.id}`,
    );

    expect(code).toBe(exit);
    expect(stderr).toContain(`Withdraw the contract of ${request.reference}`);
    expect(stderr).toContain('Ada Lovelace <');
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
      /The signing link mailed to Ada Lovelace on [^.]+ will stop working; a new one will be mailed\./,
    );
    expect(stdout.startsWith('sent a new contract')).toBe(exit === 0);
    expect(cli.contract(request.id).id !== contract.id).toBe(exit === 0);
  });
});
