/** Response headers; CORS exposes all of them. */
function header(type: 'string' | 'integer') {
  return (description: string, example: string | number) => ({ description, schema: { type }, example });
}
const text = header('string');
const integer = header('integer');

export const REQUEST_ID = '7e0f3f0e-6c5a-4a3f-9d53-0c3e7f0f6a10';

export const HEADERS = {
  'X-Request-Id': text("Names this call in the service's log.", REQUEST_ID),
  Link: text(
    'Where the API is described.',
    '<https://esign.example.org/api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"',
  ),
  ETag: text(
    'Send it back as `If-None-Match` to get 304 while nothing has changed, or as `If-Match` to change only what nobody else has changed.',
    '"0Xq1S1pK0hJ0bqU2l9P1aY3Uo8k"',
  ),
  Location: text('The IRI of what was made.', '/api/requests/1'),
  'Content-Location': text('The IRI of what is shown.', '/api/requests/1'),
  'Content-Disposition': text('A name for the file.', 'attachment; filename="contract-1-signed.pdf"'),
  'Retry-After': integer('Seconds to wait.', 30),
  'WWW-Authenticate': text('Log in.', 'Bearer'),
  'Idempotent-Replayed': text('`true`: an earlier call with the same key was answered so.', 'true'),
  'Accept-Patch': text('In which form changes are taken.', 'application/merge-patch+json'),
  RateLimit: text('Calls left and seconds to the next, by limit.', '"ip";r=59;t=60, "user";r=999;t=3600'),
  'RateLimit-Policy': text('The limits.', '"ip";q=60;w=60, "user";q=1000;w=3600'),
  'X-RateLimit-Limit': integer('Calls that the tightest limit allows.', 60),
  'X-RateLimit-Remaining': integer('Calls that are left of it.', 59),
  'X-RateLimit-Retry-After': integer('The same as `Retry-After`, when a limit refused.', 30),
  Allow: text('The methods that this path allows.', 'GET, HEAD, POST'),
};

export type HeaderName = keyof typeof HEADERS;

export function headerRefs(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
