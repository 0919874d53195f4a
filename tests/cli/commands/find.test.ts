/** `esignctl find`, and words in the place of a request's number (rules 10). */
import { expect, test } from 'vitest';
import { startCli } from '../support.js';

test('find lists requests and customers, as tables and as one document; 4 when nothing fits', async () => {
  const cli = await startCli();
  const jeanne = await cli.addUser({
    username: 'jeanne@example.org',
    firstName: 'Jeanne',
    lastName: 'Dupont',
  });
  const { id, reference } = await cli.addRequest(jeanne, { title: 'Boiler is cold' });

  const told = await cli.run('find dupont boil');
  expect(told.code).toBe(0);
  expect(told.stdout).toContain(
    `${reference}\tin_progress\t2026-03-02T09:14:07.250Z\tjeanne@example.org\tJeanne Dupont\tBoiler is cold\n`,
  );
  const customers = (await cli.run('find DUPONT --json')).stdout;
  expect(JSON.parse(customers)).toEqual({
    requests: [
      expect.objectContaining({ id, reference, name: 'Jeanne Dupont', customer: 'jeanne@example.org' }),
    ],
    customers: [{ id: jeanne.id, username: 'jeanne@example.org', name: 'Jeanne Dupont', phone: null }],
  });

  const nothing = await cli.run('find nobody');
  expect([nothing.code, nothing.stdout]).toEqual([4, '']);
  expect(nothing.stderr).toContain('Nothing matches “nobody”.');
});

test('a command acts on the one request that words fit and says which; of several it acts on none', async () => {
  const cli = await startCli();
  const jeanne = await cli.addUser({ firstName: 'Jeanne', lastName: 'Dupont' });
  const paul = await cli.addUser({ firstName: 'Paul', lastName: 'Dupont' });
  const [first, second] = [
    await cli.addRequest(jeanne, { title: 'Boiler' }),
    await cli.addRequest(paul, { title: 'Pump' }),
  ];

  const one = await cli.run('requests show', 'dupont pump');
  expect([one.code, one.stdout.includes(second.reference)]).toEqual([0, true]);
  expect(one.stderr).toContain(`found ${second.reference}, in progress, Paul Dupont`);

  for (const command of [['requests', 'show'], ['start-signature'], ['explain']]) {
    const { code, stdout, stderr } = await cli.run(...command, 'dupont');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(first.reference);
    expect(stderr).toContain(second.reference);
  }
  expect(cli.request(first.id).status).toBe('in_progress');
});
