/** /api/docs.json: the whole API as OpenAPI 3.1, whose schemas are JSON Schema as zod writes it. */
import type { JsonSchema } from './json-schema.js';
import { operationObject } from './openapi-operation.js';
import { HEADERS } from './openapi-headers.js';
import { PAGE_PARAMETERS } from './openapi-parameters.js';
import { REFUSALS } from './openapi-refusals.js';
import { SCHEMAS, schemasOf } from './openapi-schemas.js';
import type { DocumentedRoute, Survey } from './survey.js';
import { API_ABOUT, API_TITLE } from './words.js';

export function openApiOf({ routes, resources }: Survey, { baseUrl, version }: Api) {
  return {
    openapi: '3.1.1',
    info: { title: API_TITLE, version, description: API_ABOUT },
    servers: [{ url: baseUrl }],
    tags: tagsOf({ routes, resources }),
    paths: pathsOf(routes),
    components: {
      schemas: { ...Object.assign({}, ...resources.map((each) => schemasOf(each))), ...SCHEMAS } as Schemas,
      responses: REFUSALS,
      parameters: PAGE_PARAMETERS,
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

interface Api {
  baseUrl: string;
  version: string;
}

type Schemas = Record<string, JsonSchema>;

/** Comes first; then the resources in alphabetical order, then everything else. */
const FIRST = 'Log-in';

function tagsOf({ routes, resources }: Survey) {
  const groups = new Set(routes.flatMap(({ operation }) => operation.group ?? []));
  const others = [...groups].filter((name) => name !== FIRST && resources.every(({ type }) => type !== name));
  return [
    { name: FIRST },
    ...resources.map(({ type, about }) => ({ name: type, description: about })),
    ...others.map((name) => ({ name })),
  ];
}

function pathsOf(routes: readonly DocumentedRoute[]) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationObject(route) };
  }
  return paths;
}

const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'From `/api/login_check`; lives one hour.',
  },
};
