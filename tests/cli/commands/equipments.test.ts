/** esignctl equipments and requests create, edit: what a customer asks for by phone is entered. */
import { expect, test } from 'vitest';
import { json, jsonError, startCli } from '../support.js';

const BOILER = ['--name', 'Boiler', '--model', 'B-200', '--serial-number', 'SN-1'];

test('an equipment and a request are entered for a customer, corrected, and a dry run leaves nothing', async () => {
  const cli = await startCli();
  const { username, id: ownerId } = await cli.addUser({ username: 'anna@example.org' });
  const add = ['equipments', 'create', '--owner', username, ...BOILER, '--json'];
  expect((await cli.run(...add, '--dry-run')).code).toBe(0);
  const made = json(await cli.run(...add, '--reason', 'by phone'));
  expect(made).toMatchObject({ id: 1, ownerId, serialNumber: 'SN-1' });
  expect(jsonError(await cli.run(...add))).toMatchObject({ code: 'invalid_input' });

  const ask = ['requests', 'create', '--equipment', 'SN-1', '--title', 'Repair', '--description', 'A pump.'];
  expect((await cli.run(...ask, '--amount', '180', '--dry-run')).stdout).toContain(
    'would create a request of anna@example.org: Repair, €180.00',
  );
  expect(json(await cli.run(...ask, '--amount', '180,00', '--json'))).toMatchObject({
    id: 1,
    customer: username,
    amount: 18_000,
    currency: 'eur',
  });
  await cli.run('equipments edit 1 --model B-300');
  await cli.run('requests edit 1 --title', 'New pump', '--amount', 'none', '--reason', 'asked for');
  expect(json(await cli.run('requests show 1 --json'))).toMatchObject({
    title: 'New pump',
    description: 'A pump.',
    amount: null,
  });
  expect((await cli.run('requests edit 1')).code).toBe(2);
  expect(cli.history(1)).toEqual(['request.created', 'request.priced', 'request.changed', 'request.priced']);
});

const WORDLESS = ['--title', '', '--description', ''];
const BLANK = 'title: This field is required. description: This field is required.';

test.each([
  [
    'requests create --equipment SN-1',
    [...WORDLESS, '--amount', '0'],
    `${BLANK} amount: The payment provider accepts no less than €0.50.`,
  ],
  ['requests edit 1', [...WORDLESS, '--amount', '1,234'], `${BLANK} amount: Give an amount such as 180.00.`],
  ['prices set', ['!', '0'], 'amount: The payment provider accepts no less than €0.50.'],
  [
    'offers create 1',
    ['0.10', '--description', ''],
    'amount: The payment provider accepts no less than €0.50. description: This field is required.',
  ],
  ['start-signature 1 --amount', ['0'], 'amount: The payment provider accepts no less than €0.50.'],
])('a wrong amount is told with the other faults, in the unit typed: %s %j', async (words, given, faults) => {
  const cli = await startCli();
  await cli.addRequest();
  cli.ctx.db.raw.exec("UPDATE equipments SET serialNumber = 'SN-1'");
  expect(jsonError(await cli.run(words, ...given, '--json'))).toMatchObject({
    code: 'invalid_input',
    message: `Validation failed. ${faults}`,
  });
});

test('a serial number that several customers have needs the number of one', async () => {
  const cli = await startCli();
  for (const name of ['anna', 'ben']) {
    const { username } = await cli.addUser({ username: `${name}@example.org` });
    await cli.run('equipments create --owner', username, ...BOILER);
  }
  const ask = ['--title', 'Repair', '--description', 'A pump.'];
  expect((await cli.run('requests create --equipment SN-1', ...ask)).stderr).toContain('2 (Boiler, Ada');
  expect((await cli.run('requests create --equipment 2', ...ask)).code).toBe(0);
  expect((await cli.run('requests create --equipment SN-9', ...ask)).code).toBe(4);
});
