/** The OpenAPI document of an application, and whether values are as it describes them. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { App } from '../../../../src/server/app.js';

/** A part of the document; those who look into it know what is there. */
export interface Part {
  [name: string]: Part;
}

export interface DescribedOperation {
  /** `GET /api/requests/{id}`. */
  name: string;
  method: string;
  path: string;
  parameters: Parameter[];
  /** By media type. */
  bodies: Record<string, Content>;
  /** By status. */
  answers: Record<string, { headers: string[]; content: Record<string, Content> }>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: Part;
  example?: string;
}

interface Content {
  /** Where its schema stands in the document. */
  pointer: string;
  schema: Part;
  example?: unknown;
}

export interface Described {
  document: Part;
  operations: DescribedOperation[];
  /** What is wrong with a value, against the schema at this place. */
  faultsOf: (pointer: string, value: unknown) => string[];
}

export async function describedBy(app: App): Promise<Described> {
  const document = (await (await app.request('/api/docs.json')).json()) as Part;
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateSchema: false,
    code: { optimize: false },
  });
  addFormats.default(ajv);
  ajv.addFormat('iri-reference', /^\/[^\s"<>]*$/).addFormat('binary', true);
  ajv.addSchema(strict(document) as Part, 'document');
  const validators = new Map<string, ValidateFunction>();
  const validatorOf = (pointer: string) => {
    const known = validators.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` });
    validators.set(pointer, known);
    return known;
  };
  return {
    document,
    operations: operationsOf(document),
    faultsOf(pointer, value) {
      const validate = validatorOf(pointer);
      if (validate(value)) return [];
      return (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
      );
    },
  };
}

/** Members that are not described are faults, though clients are free to overlook them. */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict);
  if (!isObject(value)) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, strict(each)]));
  const isObjectSchema = copy['type'] === 'object' && isObject(copy['properties']);
  return { ...(isObjectSchema && { additionalProperties: false }), ...copy };
}

function isObject(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function operationsOf(document: Part): DescribedOperation[] {
  return Object.entries(document['paths'] ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const place = pointerTo('paths', path, method);
      const parameters = (operation['parameters'] ?? []) as unknown as Part[];
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        parameters: parameters.map((each) => resolved(document, each).value as unknown as Parameter),
        bodies: contentOf(operation['requestBody'], `${place}/requestBody`),
        answers: Object.fromEntries(
          Object.entries(operation['responses'] ?? {}).map(([status, response]) => {
            const { value, pointer } = resolved(document, response, `${place}/responses/${status}`);
            const headers = Object.keys(value['headers'] ?? {});
            return [status, { headers, content: contentOf(value, pointer) }];
          }),
        ),
      };
    }),
  );
}

function contentOf(parent: Part | undefined, pointer: string): Record<string, Content> {
  return Object.fromEntries(
    Object.entries(parent?.['content'] ?? {}).map(([type, content]) => [
      type,
      {
        // Shapes that many answers share are compiled once.
        pointer: refOf(content['schema']) ?? pointer + pointerTo('content', type, 'schema'),
        schema: content['schema'] ?? {},
        ...('example' in content && { example: content['example'] }),
      },
    ]),
  );
}

function resolved(document: Part, value: Part, pointer = ''): { value: Part; pointer: string } {
  const ref = refOf(value);
  if (ref === undefined) return { value, pointer };
  let target = document;
  for (const part of ref.slice(1).split('/')) target = target[part] ?? {};
  return { value: target, pointer: ref };
}

function refOf(value: Part | undefined): string | undefined {
  const ref = value?.['$ref'] as unknown as string | undefined;
  return ref?.slice('#'.length);
}

function pointerTo(...parts: string[]): string {
  return parts
    .map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');
}

/** Every schema in the document with examples, with its place. */
export function schemasWithExamples(
  value: unknown,
  pointer = '',
): { pointer: string; examples: unknown[] }[] {
  if (typeof value !== 'object' || value === null) return [];
  const { examples } = value as { examples?: unknown };
  const inner = Object.entries(value).flatMap(([name, each]) =>
    name === 'examples' || name === 'example' ? [] : schemasWithExamples(each, pointer + pointerTo(name)),
  );
  return Array.isArray(examples) ? [{ pointer, examples }, ...inner] : inner;
}
