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
  expect(resources).toEqual({
    Contract: {
      url: `${url}/api/contracts`,
      operations: ['list GET', 'show GET'],
      fields: [
        'id integer',
        'request → Request',
        'status string',
        'signId string',
        'signUrl string',
        'amount integer',
        'currency string',
        'vat decimal',
        'createdAt dateTime',
        'expiredAt dateTime',
        'signedAt dateTime',
        'customer string',
      ],
      writable: [],
    },
    Equipment: {
      url: `${url}/api/equipments`,
      operations: ['list GET', 'create POST', 'show GET', 'edit PATCH', 'edit PUT', 'delete DELETE'],
      fields: [
        'id integer',
        'name string',
        'model string',
        'serialNumber string',
        'owner → User',
        'createdAt dateTime',
      ],
      writable: ['name*', 'model*', 'serialNumber*', 'owner'],
    },
    Offer: {
      url: `${url}/api/offers`,
      operations: ['list GET', 'create POST', 'show GET', 'edit PATCH', 'delete DELETE'],
      fields: [
        'id integer',
        'reference string',
        'request → Request',
        'amount integer',
        'currency string',
        'description string',
        'status string',
        'createdAt dateTime',
        'updatedAt dateTime',
      ],
      writable: ['request*', 'amount*', 'currency', 'description', 'status'],
    },
    Price: {
      url: `${url}/api/prices`,
      operations: ['list GET', 'create POST', 'show GET', 'delete DELETE'],
      fields: ['id integer', 'words string', 'amount integer', 'currency string', 'updatedAt dateTime'],
      writable: ['words*', 'amount*', 'currency'],
    },
    Request: {
      url: `${url}/api/requests`,
      operations: ['list GET', 'create POST', 'show GET', 'edit PATCH', 'edit PUT', 'delete DELETE'],
      fields: [
        'id integer',
        'reference string',
        'title string',
        'description string',
        'equipment → Equipment',
        'status string',
        'createdAt dateTime',
        'updatedAt dateTime',
        'paymentUrl string',
        'paymentId string',
        'contract → Contract',
        'amount integer',
        'currency string',
        'customer string',
        'name string',
        'phone string',
        'statusSince dateTime',
        'renews → Request',
        'renewedBy → Request',
        'owner → User',
      ],
      writable: ['title*', 'description*', 'equipment*', 'status', 'amount', 'owner'],
    },
    Troubleshooting: {
      url: `${url}/api/troubleshootings`,
      operations: ['list GET', 'create POST', 'show GET', 'edit PATCH', 'delete DELETE'],
      fields: [
        'id integer',
        'reference string',
        'request → Request',
        'description string',
        'status string',
        'createdAt dateTime',
        'updatedAt dateTime',
      ],
      writable: ['request*', 'description*', 'status'],
    },
    User: {
      url: `${url}/api/users`,
      operations: ['list GET', 'create POST', 'show GET', 'edit PATCH'],
      fields: [
        'id integer',
        'username string',
        'firstName string',
        'lastName string',
        'phone string',
        'locale string',
        'address string',
        'roles array',
        'enabled boolean',
        'createdAt dateTime',
        'password string',
        'currentPassword string',
      ],
      writable: [
        'username*',
        'firstName',
        'lastName',
        'phone',
        'locale',
        'address',
        'roles',
        'enabled',
        'password',
        'currentPassword',
      ],
    },
    Webhook: {
      url: `${url}/api/webhooks`,
      operations: ['list GET', 'create POST', 'show GET', 'edit PATCH', 'delete DELETE'],
      fields: [
        'id integer',
        'url string',
        'event string',
        'active boolean',
        'createdAt dateTime',
        'disabledReason string',
        'lastError string',
        'lastErrorAt dateTime',
        'owner → User',
        'failures integer',
        'failingSince dateTime',
        'lastSuccessAt dateTime',
        'secret string',
      ],
      writable: ['url*', 'event*', 'active', 'secret*'],
    },
  });
});

function summaryOf({ url, operations, fields, writableFields }: Resource) {
  return {
    url,
    operations: operations?.map(({ type, method }) => `${type} ${method}`),
    fields: fields?.map(({ name, type, reference }) =>
      reference && typeof reference === 'object' ? `${name} → ${reference.title}` : `${name} ${type}`,
    ),
    writable: writableFields?.map(({ name, required }) => (required ? `${name}*` : name)),
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
