/** Bodies: raw bytes under a hard limit, and JSON that is safe to parse (rules 7: 400, 413, 415). */
import { inTurns } from '../../core/http/send.js';
import { HttpError } from './errors.js';
import { bareType, JSON_TYPE, LD_JSON } from './media-types.js';
import type { Call } from '../parts.js';

/** Also of a form: words that are too long come back in it, with the rule that they break. */
export const BODY_BYTES_MAX = 1024 * 1024;
export const JSON_TYPES = [LD_JSON, JSON_TYPE] as const;
/** For PATCH: given members are changed, null clears (RFC 7396). */
export const PATCH_TYPES = ['application/merge-patch+json'] as const;
const DEPTH_MAX = 32;

/** The raw body. Throws 413 as soon as it exceeds `bytesMax`, announced or not. */
export async function readBody(c: Call, bytesMax: number): Promise<Buffer> {
  const announced = c.req.header('Content-Length');
  if (announced !== undefined && Number(announced) > bytesMax) throw tooLarge();
  // node:http ends a body at its announced length.
  if (announced !== undefined && c.env?.incoming) return Buffer.from(await c.req.arrayBuffer());
  const chunks: Uint8Array[] = [];
  for await (const chunk of bodyWithin(c, bytesMax)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The same as it comes in. */
export async function* bodyWithin(c: Call, bytesMax: number): AsyncGenerator<Uint8Array> {
  if (Number(c.req.header('Content-Length') ?? 0) > bytesMax) throw tooLarge();
  let size = 0;
  for await (const chunk of inTurns(c.req.raw.body ?? [])) {
    size += chunk.byteLength;
    if (size > bytesMax) throw tooLarge();
    yield chunk;
  }
}

function tooLarge(): HttpError {
  return new HttpError(413, 'The request body is too large.', { headers: { Connection: 'close' } });
}

/** Refuses other media types; a missing one is refused when the body is read. */
export function checkContentType(c: Call, supported: readonly string[]): void {
  const contentType = c.req.header('Content-Type');
  if (contentType === undefined || supported.includes(bareType(contentType))) return;
  throw new HttpError(
    415,
    `The content-type "${bareType(contentType)}" is not supported. Supported MIME types are "${supported.join('", "')}".`,
  );
}

/** Compressed bodies are refused, so no small body can become a huge one. */
function checkContentEncoding(c: Call): void {
  const encoding = c.req.header('Content-Encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity') return;
  throw new HttpError(415, `The content-encoding "${encoding}" is not supported.`, {
    headers: { 'Accept-Encoding': 'identity' },
  });
}

/** A JSON object with unchecked members. */
export async function readJsonObject(
  c: Call,
  supported: readonly string[] = JSON_TYPES,
): Promise<Record<string, unknown>> {
  return jsonObject(await readTyped(c, supported));
}

/** A body in one of these media types, which must be named. */
export function readTyped(c: Call, supported: readonly string[], bytesMax = BODY_BYTES_MAX): Promise<Buffer> {
  mustBeTyped(c, supported);
  return readBody(c, bytesMax);
}

function mustBeTyped(c: Call, supported: readonly string[]): void {
  checkContentType(c, supported);
  checkContentEncoding(c);
  if (c.req.header('Content-Type') === undefined) {
    throw new HttpError(415, 'The "Content-Type" header must exist.');
  }
}

function jsonObject(bytes: Buffer): Record<string, unknown> {
  const value = parseJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HttpError(400, 'The request body must be a JSON object.');
  }
  return value as Record<string, unknown>;
}

/** Like `readJsonObject`, but no body, which needs no media type, is an empty object. */
export async function readOptionalJsonObject(c: Call): Promise<Record<string, unknown>> {
  const bytes = await readBody(c, BODY_BYTES_MAX);
  if (bytes.length === 0) return {};
  mustBeTyped(c, JSON_TYPES);
  return jsonObject(bytes);
}

function parseJson(bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (depthOf(text) > DEPTH_MAX) throw new HttpError(400, 'The request body is nested too deeply.');
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw new HttpError(400, 'Syntax error');
  }
}

/** The nesting depth of brackets outside strings, found in one pass before parsing. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let i = 0; i < json.length; i += 1) {
    const sign = json[i];
    if (isInString) {
      if (sign === '\\') i += 1;
      else if (sign === '"') isInString = false;
    } else if (sign === '"') isInString = true;
    else if (sign === '{' || sign === '[') deepest = Math.max(deepest, ++depth);
    else if (sign === '}' || sign === ']') depth -= 1;
  }
  return deepest;
}

// Forms of our pages, as browsers send them.

export const FORM_TYPE = 'application/x-www-form-urlencoded';
const FAULT = { members: { key: 'admin.error.form' } };

export async function readForm(c: Call): Promise<URLSearchParams> {
  if (bareType(c.req.header('Content-Type') ?? '') !== FORM_TYPE) {
    throw new HttpError(415, 'A form was expected.', FAULT);
  }
  return new URLSearchParams((await readBody(c, BODY_BYTES_MAX)).toString('utf8'));
}

/** Refuses a form that another site sends; old browsers do not say whose it is. */
export function mustBeOurs(c: Call): void {
  if (!['same-origin', undefined].includes(c.req.header('Sec-Fetch-Site'))) throw notOurs();
}

export function notOurs(): HttpError {
  return new HttpError(403, 'The form is not one of this session.', FAULT);
}
