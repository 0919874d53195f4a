/** The handlers of an address are searched once; what is remembered changes nothing. */
import { expect, test } from 'vitest';
import { RememberingRouter } from '../../src/server/router.js';

function aRouter() {
  const router = new RememberingRouter<string>();
  router.add('ALL', '/*', 'logs');
  router.add('GET', '/requests/:id{[0-9]+}', 'shows');
  router.add('DELETE', '/requests/:id{[0-9]+}', 'removes');
  return router;
}

const handlers = (router: RememberingRouter<string>, method: string, path: string) =>
  router.match(method, path)[0].map(([handler, params]) => [handler, { ...params }]);

test('an address has its own handlers and values, the first time and later, among more than are remembered', () => {
  const router = aRouter();
  for (let round = 1; round <= 2; round += 1) {
    for (let id = 1; id <= 1_200; id += 1) {
      expect(handlers(router, 'GET', `/requests/${id}`)).toEqual([
        ['logs', {}],
        ['shows', { id: String(id) }],
      ]);
    }
  }
  expect(handlers(router, 'DELETE', '/requests/7')).toEqual([
    ['logs', {}],
    ['removes', { id: '7' }],
  ]);
});

test('a route that is added later is found at an address that was asked for before', () => {
  const router = aRouter();
  expect(handlers(router, 'GET', '/todo')).toEqual([['logs', {}]]);
  router.add('GET', '/todo', 'lists');
  expect(handlers(router, 'GET', '/todo')).toEqual([
    ['logs', {}],
    ['lists', {}],
  ]);
});

test('a long address is found and not remembered', () => {
  const router = aRouter();
  const long = `/${'a'.repeat(300)}`;
  expect(router.match('GET', long)).not.toBe(router.match('GET', long));
  expect(router.match('GET', '/todo')).toBe(router.match('GET', '/todo'));
});
