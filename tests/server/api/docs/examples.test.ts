/** The OpenAPI document keeps its own rules, and its examples would do. */
import { expect, test } from 'vitest';
import { describedBy, schemasWithExamples } from './described.js';
import { startApi } from '../../support.js';

test('every example of a body or an answer is what its schema asks for', async () => {
  const { operations, faultsOf } = await describedBy(startApi().app);

  const examples = operations.flatMap(({ name, bodies, answers }) =>
    [bodies, ...Object.values(answers).map(({ content }) => content)].flatMap((content) =>
      Object.values(content)
        .filter((each) => 'example' in each)
        .map(({ pointer, example }) => ({ name, faults: faultsOf(pointer, example) })),
    ),
  );

  expect(examples.length).toBeGreaterThan(100);
  expect(examples.filter(({ faults }) => faults.length > 0)).toEqual([]);
});

test('every example of a member is what its schema asks for', async () => {
  const { document, faultsOf } = await describedBy(startApi().app);

  const members = schemasWithExamples(document).flatMap(({ pointer, examples }) =>
    examples.map((example) => ({ pointer, example, faults: faultsOf(pointer, example) })),
  );

  expect(members.length).toBeGreaterThan(50);
  expect(members.filter(({ faults }) => faults.length > 0)).toEqual([]);
});

test('every JSON body and every JSON answer has an example; every refusal is an Error', async () => {
  const { operations } = await describedBy(startApi().app);

  const contents = operations.flatMap(({ name, bodies, answers }) =>
    [
      ['body', bodies] as const,
      ...Object.entries(answers).map(([status, { content }]) => [status, content] as const),
    ].flatMap(([what, content]) =>
      Object.entries(content)
        .filter(([type]) => /json/.test(type))
        .map(([, each]) => ({ name, what, ...each })),
    ),
  );

  expect(contents.filter((each) => !('example' in each)).map(({ name, what }) => [name, what])).toEqual([]);
  const refusals = contents.filter(({ what }) => Number(what) >= 400);
  expect(new Set(refusals.map(({ schema }) => schema['$ref']))).toEqual(
    new Set(['#/components/schemas/Error']),
  );
});

test('operations have ids and titles of their own', async () => {
  const { document } = await describedBy(startApi().app);
  const operations = Object.values(document['paths'] ?? {}).flatMap((each) => Object.values(each as object));

  const ids = operations.map(({ operationId }) => operationId as string);
  expect(ids).toContain('getRequestsById');
  expect(new Set(ids).size).toBe(ids.length);
  expect(operations.every(({ summary }) => /^[A-Z].*[^.]$/.test(summary as string))).toBe(true);
});
