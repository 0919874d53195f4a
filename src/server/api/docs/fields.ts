/** Members that several resources share. */
import { z } from 'zod';
import { iriMeta, type CollectionName } from '../iri.js';

export const ID = z
  .int()
  .positive()
  .meta({ description: 'Given by the service', examples: [1] });

/** Offset form, whole seconds. */
export const TIME = z.string().meta({ format: 'date-time', examples: ['2026-03-02T09:14:07+00:00'] });

export function isTime(field: unknown): boolean {
  return (field instanceof z.ZodOptional ? field.unwrap() : field) === TIME;
}

export function address(example: string) {
  return z.string().meta({ format: 'uri', examples: [example] });
}

export function link(collection: CollectionName) {
  return z.string().meta(iriMeta(collection));
}
