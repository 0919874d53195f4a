/** The schemas that check the input, as JSON Schema, and an example made of the examples of their members. */
import { z } from 'zod';

/** The part of JSON Schema that the documents use. */
export interface JsonSchema {
  [keyword: string]: unknown;
  type?: string;
  format?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  /** For a string that is an IRI: the collection it belongs to. */
  'x-collection'?: string;
}

/** What a caller may send. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  return convert(schema, 'input');
}

/** What a caller gets. */
export function outputSchema(schema: z.ZodType): JsonSchema {
  return convert(schema, 'output');
}

function convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...converted } = z.toJSONSchema(schema, { io });
  return converted as JsonSchema;
}

/** Undefined when the schema holds no examples. */
export function exampleOf(schema: JsonSchema): unknown {
  const { examples, anyOf, enum: words, type, properties, items } = schema;
  if (examples) return examples[0];
  if ('const' in schema) return schema.const;
  if (words) return words[0];
  if (anyOf) return anyOf.map(exampleOf).find((each) => each !== undefined);
  if (type === 'array' && items) return [exampleOf(items)].filter((each) => each !== undefined);
  if (type === 'boolean') return true;
  if (type !== 'object' || !properties) return undefined;
  const members = Object.entries(properties).map(([name, each]) => [name, exampleOf(each)] as const);
  return Object.fromEntries(members.filter(([, example]) => example !== undefined));
}
