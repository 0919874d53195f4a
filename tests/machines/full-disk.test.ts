/** A full disk: no torn file, no half change, and no restart needed when there is space again. */
import { cpSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startSignature } from '../support/start-signature.js';
import { createApp } from '../../src/server/app.js';
import {
  anyContractPdf,
  rejection,
  startApp,
  temporaryDirectory,
  type AppOptions,
  TESTER,
  type TestApp,
} from '../support/app.js';
import { MINUTE } from '../support/clock.js';
import { ready } from '../support/readiness.js';
import { deliver, deliverPayment, deliverRaw, eventBody, sign } from '../support/webhooks.js';
import { startCli } from '../cli/support.js';
import { isRoot } from './needs.js';
import { mountOver, smallDisk } from './small-disk.js';

const contractFiles = ({ dataDir }: TestApp) => readdirSync(join(dataDir, 'contracts')).sort();

/** Data directory and all on a small disk. */
async function appOnSmallDisk(options: Pick<AppOptions, 'context'> = {}) {
  const disk = smallDisk(tmpdir());
  const app = await startApp({ dataDir: disk.directory, ...options });
  const waiting = await app.waitingRequest();
  return { app, disk, waiting };
}

describe.skipIf(!isRoot)('where the PDFs go', () => {
  /** Only the PDFs: the database has all the space it wants. */
  async function appWithFullContracts() {
    const app = await startApp();
    const disk = smallDisk();
    mountOver(join(app.dataDir, 'contracts'), disk);
    return { app, disk };
  }

  test('the signed PDF finds no space: 202, nothing moved, no piece of a file; later it is done', async () => {
    const { app, disk } = await appWithFullContracts();
    const { request, contract, signId } = await app.waitingRequest();
    app.sandbox.sign(signId);
    disk.fill();
    const before = contractFiles(app);

    expect(await deliver(app, signId)).toBe(202);
    await app.ctx.jobs.idle();
    expect(contractFiles(app)).toEqual(before);
    expect(app.request(request.id).status).toBe('WAITING_SIGNATURE');
    expect(app.jobs('complete-signature')).toMatchObject([
      { state: 'available', lastError: expect.stringContaining('ENOSPC') },
    ]);

    disk.free();
    app.clock.advance(MINUTE);
    await app.drain();
    expect(contractFiles(app)).toContain(`${contract.id}.pdf`);
    expect(app.request(request.id).status).toBe('WAITING_PAYMENT');
  });

  test('the PDF to be sent finds no space: refused before the provider hears of it; later it is sent', async () => {
    const { app, disk } = await appWithFullContracts();
    const { id } = await app.addRequest();
    const pdf = await anyContractPdf();
    disk.fill();

    expect(await rejection(startSignature(app.ctx, id, { actor: TESTER, pdf }))).toMatchObject({
      code: 'ENOSPC',
    });
    expect(app.sandbox.state().signatureRequests).toEqual([]);
    expect(contractFiles(app)).toEqual(['ballast']);

    disk.free();
    await startSignature(app.ctx, id, { actor: TESTER, pdf });
    expect(app.request(id).status).toBe('WAITING_SIGNATURE');
    expect(app.sandbox.state().signatureRequests).toHaveLength(1);
    // The one that was begun, not another beside it.
    expect(app.ctx.db.raw.prepare('SELECT status FROM contracts').all()).toEqual([{ status: 'PENDING' }]);
  });
});

describe.skipIf(!isRoot)('where the database is', () => {
  test('a webhook that cannot be stored answers 503; the provider comes again, and it is done', async () => {
    const { app, disk, waiting } = await appOnSmallDisk();
    app.sandbox.sign(waiting.signId);
    const server = createApp(app.ctx);
    const send = () => {
      const body = eventBody(app, waiting.signId, { eventId: 'event-1' });
      const headers = { 'x-esign-signature-256': sign(body), 'content-type': 'application/json' };
      return server.request('/webhook/contract-signed', { method: 'POST', body, headers });
    };
    disk.fill();

    const refused = await send();
    expect(refused.status).toBe(503);
    expect(app.request(waiting.request.id).status).toBe('WAITING_SIGNATURE');

    disk.free();
    expect((await send()).status).toBe(200);
    await app.drain();
    expect(app.sandbox.state().sessions).toHaveLength(1);
  });

  test('reading goes on while nothing can be written', async () => {
    const { app, disk, waiting } = await appOnSmallDisk();
    const server = createApp(app.ctx);
    disk.fill();
    expect(app.request(waiting.request.id).status).toBe('WAITING_SIGNATURE');
    expect((await server.request('/healthz')).status).toBe(200);
  });

  test('the secret for access tokens is made whole or not at all', async () => {
    const { app, disk } = await appOnSmallDisk();
    disk.fill();
    expect(() => app.ctx.jwtSecret()).toThrow('ENOSPC');
    expect(readdirSync(join(app.dataDir, 'keys'))).toEqual([]);

    disk.free();
    const secret = app.ctx.jwtSecret();
    expect(secret.length).toBeGreaterThanOrEqual(32);
    expect(app.ctx.jwtSecret()).toBe(secret);
    expect(readdirSync(join(app.dataDir, 'keys'))).toEqual(['jwt.secret']);
  });

  test('a signature accepted before the disk was full is completed when there is space, without a restart', async () => {
    const { app, disk, waiting } = await appOnSmallDisk({ context: { webhookPatienceMs: 100 } });
    app.sandbox.sign(waiting.signId);
    app.sandbox.faults.add({
      target: 'signature',
      operation: 'download',
      kind: 'delay',
      delayMs: 600,
      times: 1,
    });
    const event = eventBody(app, waiting.signId);
    expect(await deliverRaw(app, event, sign(Buffer.from(event)))).toBe(202);
    disk.fill();
    await app.ctx.jobs.idle();
    expect(app.request(waiting.request.id).status).toBe('WAITING_SIGNATURE');

    disk.free();
    await afterTheNextLook(app);
    expect(app.request(waiting.request.id).status).toBe('WAITING_PAYMENT');
    expect(app.sandbox.state().sessions).toHaveLength(1);
  });

  test('a payment session made while it was full is the one that counts afterwards', async () => {
    const { app, disk, waiting } = await appOnSmallDisk();
    app.sandbox.sign(waiting.signId);
    expect(await deliver(app, waiting.signId)).toBe(200);
    app.sandbox.faults.add({
      target: 'payment',
      operation: 'create',
      kind: 'delay',
      delayMs: 300,
      times: 1,
    });
    const draining = app.drain();
    await expect.poll(() => app.sandbox.state().counters.calls['payment.create']).toBe(1);
    disk.fill();
    await draining.catch(() => undefined);
    await app.ctx.jobs.idle();
    expect(app.request(waiting.request.id).paymentId).toBeNull();

    disk.free();
    await afterTheNextLook(app);
    const [session, ...more] = app.sandbox.state().sessions;
    expect(more).toEqual([]);
    expect(app.request(waiting.request.id).paymentId).toBe(session?.id);
    expect(await deliverPayment(app, session?.id as string)).toBe(200);
    expect(app.request(waiting.request.id).status).toBe('COMPLETE');
  });
});

describe.skipIf(!isRoot)('/readyz', () => {
  test('where everything lies: not ready; ready again when there is space, without a restart', async () => {
    const disk = smallDisk(tmpdir());
    const app = await startApp({ dataDir: disk.directory });
    const { ask, later } = await ready(app);
    disk.fill();
    expect(await later()).toEqual({ status: 503, notReady: ['database', 'contracts'] });
    expect(await ask()).toMatchObject({ status: 503 });
    disk.free();
    expect(await later()).toEqual({ status: 200 });
  });

  test('where only the PDFs lie: told as such', async () => {
    const app = await startApp();
    const disk = smallDisk();
    mountOver(join(app.dataDir, 'contracts'), disk);
    const { later } = await ready(app);
    disk.fill();
    expect(await later()).toEqual({ status: 503, notReady: ['contracts'] });
    disk.free();
    expect(await later()).toEqual({ status: 200 });
  });
});

describe.skipIf(!isRoot)('a backup', () => {
  test.each(['where it goes', 'where the database is copied'])(
    'finds no space %s: said in words, and nothing of it is left',
    async (where) => {
      const cli = await startCli();
      await cli.waitingRequest();
      await cli.ctx.close();
      const disk = smallDisk(tmpdir());
      const target = where === 'where it goes' ? disk.directory : temporaryDirectory();
      if (where !== 'where it goes') {
        cpSync(cli.dataDir, disk.directory, { recursive: true });
        cli.env['ESIGN_DATA_DIR'] = disk.directory;
      }
      disk.fill();
      const before = [readdirSync(target), readdirSync(disk.directory)];

      const { code, stdout, stderr } = await cli.run('backup', join(target, 'esign.tar'));

      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('[disk_full]');
      expect([readdirSync(target), readdirSync(disk.directory)]).toEqual(before);
    },
  );
});

/** What the daemon does every five seconds: tries whose end could not be written down are taken up again. */
async function afterTheNextLook(app: TestApp): Promise<void> {
  await app.ctx.jobs.recover();
  app.clock.advance(MINUTE);
  await app.drain();
}
