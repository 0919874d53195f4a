/** The documents about the API say what the application does, no more and no less. */
import { parseHydraDocumentation, type Resource } from '@api-platform/api-doc-parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, onTestFinished, test } from 'vitest';
import type { App } from '../../../../src/server/app.js';
import { templateOf } from '../../../../src/server/api/docs/survey.js';
import { listen } from '../../../../src/server/http/listen.js';
import { startApi, type Json, type TestApi } from '../../support.js';

/** An application that really listens, at the address that it gives as its own. */
async function listening(): Promise<TestApi & { url: string }> {
  let app: App | undefined;
  const fetch: App['fetch'] = (...call) => (app as App).fetch(...call);
  const listener = await listen({ fetch } as App, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => listener.close(100));
  const url = `http://127.0.0.1:${listener.port}`;
  const started = startApi({ baseUrl: url });
  app = started.app;
  return { ...started, url };
}

async function openApi({ call }: TestApi = startApi()): Promise<Json> {
  return (await call('GET', '/api/docs.json')).json;
}

test('every route of the application is in the OpenAPI document, and nothing else is', async () => {
  const started = startApi();
  const routes = started.app.routes
    // The back office is made of pages for people.
    .filter(({ method, path }) => method !== 'ALL' && !path.startsWith('/admin'))
    .map(({ method, path }) => `${method} ${templateOf(path)}`);
  const documented = Object.entries((await openApi(started))['paths'] as object).flatMap(
    ([path, operations]) =>
      Object.keys(operations as object).map((method) => `${method.toUpperCase()} ${path}`),
  );

  expect(documented.toSorted()).toEqual([...new Set(routes)].toSorted());
});

test('the OpenAPI document is one', async () => {
  const validator = new Validator();

  expect(await validator.validate(await openApi())).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('a client of API Platform reads the whole API from its entrypoint', async () => {
  const { url, as } = await listening();
  await as('admin@example.org');

  const { api } = await parseHydraDocumentation(`${url}/api`);

  const resources = Object.fromEntries((api.resources ?? []).map((each) => [each.title, summaryOf(each)]));
  const wanted = Object.entries(API).map(([title, its]) => [title, inOneLine(its)]);
  expect(resources).toEqual(Object.fromEntries(wanted));
  for (const { url: path, title } of api.resources ?? [])
    expect(path).toBe(`${url}/api/${String(title).toLowerCase()}s`);
});

/** What is no string has its type, or where it leads; what must be given has a star. */
const API = {
  Contract: {
    operations: 'list GET, show GET',
    fields: `id integer, request → Request, status, signId, signUrl, amount integer, currency, vat decimal,
      createdAt dateTime, expiredAt dateTime, signedAt dateTime, customer`,
    writable: '',
  },
  Equipment: {
    operations: 'list GET, create POST, show GET, edit PATCH, edit PUT, delete DELETE',
    fields: 'id integer, name, model, serialNumber, owner → User, createdAt dateTime',
    writable: 'name*, model*, serialNumber*, owner',
  },
  Offer: {
    operations: 'list GET, create POST, show GET, edit PATCH, delete DELETE',
    fields: `id integer, reference, request → Request, amount integer, currency, description, status, createdAt
      dateTime, updatedAt dateTime`,
    writable: 'request*, amount*, currency, description, status',
  },
  Price: {
    operations: 'list GET, create POST, show GET, delete DELETE',
    fields: 'id integer, words, amount integer, currency, updatedAt dateTime',
    writable: 'words*, amount*, currency',
  },
  Request: {
    operations: 'list GET, create POST, show GET, edit PATCH, edit PUT, delete DELETE',
    fields: `id integer, reference, title, description, equipment → Equipment, status, createdAt dateTime,
      updatedAt dateTime, paymentUrl, paymentId, contract → Contract, amount integer, currency, customer,
      name, phone, statusSince dateTime, renews → Request, renewedBy → Request, owner → User`,
    writable: 'title*, description*, equipment*, status, amount, owner',
  },
  Troubleshooting: {
    operations: 'list GET, create POST, show GET, edit PATCH, delete DELETE',
    fields: `id integer, reference, request → Request, description, status, createdAt dateTime, updatedAt
      dateTime`,
    writable: 'request*, description*, status',
  },
  User: {
    operations: 'list GET, create POST, show GET, edit PATCH',
    fields: `id integer, username, firstName, lastName, phone, locale, address, roles array, enabled boolean,
      createdAt dateTime, password, currentPassword`,
    writable: `username*, firstName, lastName, phone, locale, address, roles, enabled, password, currentPassword`,
  },
  Webhook: {
    operations: 'list GET, create POST, show GET, edit PATCH, delete DELETE',
    fields: `id integer, url, event, active boolean, createdAt dateTime, disabledReason, lastError, lastErrorAt
      dateTime, owner → User, failures integer, failingSince dateTime, lastSuccessAt dateTime, secret`,
    writable: 'url*, event*, active, secret*',
  },
};

const inOneLine = (its: Record<string, string>) =>
  Object.fromEntries(Object.entries(its).map(([name, words]) => [name, words.replaceAll(/\s+/g, ' ')]));

function summaryOf({ operations, fields, writableFields }: Resource) {
  const typed = (fields ?? []).map(({ name, type, reference }) =>
    reference && typeof reference === 'object'
      ? `${name} → ${reference.title}`
      : `${name} ${type}`.replace(' string', ''),
  );
  return {
    operations: operations?.map(({ type, method }) => `${type} ${method}`).join(', '),
    fields: typed.join(', '),
    writable: writableFields?.map(({ name, required }) => (required ? `${name}*` : name)).join(', '),
  };
}

test('it finds the filters and orders of each collection', async () => {
  const { url, as, tokenOf } = await listening();
  await as('admin@example.org');
  const Authorization = `Bearer ${await tokenOf('admin@example.org')}`;

  const { api } = await parseHydraDocumentation(`${url}/api`, { headers: { Authorization } });

  const document = (await (await fetch(`${url}/api/docs.json`)).json()) as Json;
  for (const resource of api.resources ?? []) {
    const path = new URL(resource.url).pathname;
    const parameters = await resource.getParameters?.();
    const query = [...(document['paths']?.[path]?.['get']?.['parameters'] ?? [])].flatMap(
      (each) => each['name'] ?? [],
    );
    expect([path, parameters?.map(({ variable }) => variable)]).toEqual([path, query]);
  }
});
