/** The command line speaks English, whatever `ESIGN_LOCALE` says; what customers read does not. */
import { expect, test } from 'vitest';
import { everyCase } from '../../support/breadth.js';
import { startCli } from '../support.js';

const TIME = /\d{4}-\d{2}-\d{2}[T ][\d:.]+Z?/g;

/** Of a house with a request that waits, one whose payment is open, a failed job, and a customer who was edited. */
async function aHouse() {
  const cli = await startCli();
  await cli.addFailedJob({ error: 'mail server: 450 try later' });
  const { request } = await cli.waitingRequest();
  const paying = await cli.waitingRequest();
  cli.sandbox.sign(paying.signId);
  expect((await cli.run('check-signature', String(paying.request.id))).code).toBe(0);
  return { cli, waiting: String(request.id), paying: String(paying.request.id) };
}

test('every command prints the same in a French office as in an English one, on a terminal and in a pipe', async () => {
  const { cli, waiting, paying } = await aHouse();
  const commands = [
    ['requests', 'list'],
    ['requests', 'show', waiting],
    ['requests', 'cancel', waiting, '--dry-run', '--reason', 'test'],
    ['check-signature', waiting],
    ['check-signature', '--all', '--dry-run'],
    ['reset-signature', waiting, '--dry-run'],
    ['payments', 'check', paying],
    ['payments', 'check', waiting],
    ['payments', 'list'],
    ['contracts', 'list'],
    ['equipments', 'list'],
    ['explain', waiting, '--offline'],
    ['explain', paying],
    ['history', '--limit', '5'],
    ['history', '--about', `request:${paying}`],
    ['failed', 'list'],
    ['jobs', 'list'],
    ['inbox', 'list'],
    ['webhooks', 'list'],
    ['users', 'list'],
    ['todo'],
  ];
  for (const terminal of everyCase([{}, { stdout: 120 }], [{ stdout: 120 }])) {
    for (const command of commands) {
      const said = async (locale: string) => {
        const { code, stdout, stderr } = await cli.runIn(
          { env: { ESIGN_LOCALE: locale }, terminal },
          ...command,
        );
        return { command, code, said: `${stdout}${stderr}`.replaceAll(TIME, 'then') };
      };
      const english = await said('en');
      expect(english.said).not.toBe('');
      expect(await said('fr')).toEqual(english);
    }
  }
});

test('the reply to a customer is in the language of the mails', async () => {
  const { cli, waiting } = await aHouse();
  const { stdout } = await cli.runIn({ env: { ESIGN_LOCALE: 'fr' } }, 'explain', waiting, '--reply');
  expect(stdout).toMatch(/^Le contrat de votre demande/);
});
