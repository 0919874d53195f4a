/** Every refusal of the API, in the one shape that errors have (rules 7). */
import { errorBody, HttpError, type HttpErrorOptions } from '../../http/errors.js';
import { JSON_TYPE, LD_JSON, PROBLEM_JSON } from '../../http/media-types.js';
import { headerRefs, REQUEST_ID, type HeaderName } from './openapi-headers.js';
import type { Refusal } from './operation.js';

interface Refused {
  about: string;
  message: string;
  headers?: HeaderName[];
  options?: HttpErrorOptions;
}

/** What any call may get: wrong method, truncated body, an internal error. */
const OTHER: Refused = {
  about: 'Any other refusal or failure, in the same shape; `requestId` names a failure in the log.',
  message: 'Internal Server Error',
};

const REFUSED: Record<Refusal, Refused> = {
  400: {
    about:
      'The call cannot be understood: malformed JSON, JSON nested more than 32 levels deep, or an invalid page or date.',
    message: 'Syntax error',
  },
  401: {
    about: 'No token, or one that does not hold; or wrong credentials.',
    message: 'JWT Token not found',
    headers: ['WWW-Authenticate'],
  },
  403: { about: 'For administrators only.', message: 'Access Denied.' },
  404: { about: 'Not found, or somebody else’s.', message: 'Not Found' },
  406: {
    about: 'The answer does not come in any media type that `Accept` names.',
    message:
      'Requested format "text/plain" is not supported. Supported MIME types are "application/ld+json", "application/json".',
  },
  409: {
    about: 'Another process is working on it.',
    message: 'Another call is working on it. Try again.',
    headers: ['Retry-After'],
    options: { members: { key: 'in_progress' } },
  },
  412: {
    about: 'It no longer has the ETag that `If-Match` names.',
    message: 'This has been changed since it was read. Read it again.',
  },
  413: { about: 'The body is too large.', message: 'The request body is too large.' },
  415: {
    about: 'The body has no media type, or one that is not understood.',
    message: 'The "Content-Type" header must exist.',
  },
  422: {
    about:
      'The input breaks a rule; `errors` names each field. Or a rule of the service says no; `key` names it.',
    message: 'Validation failed',
    options: { fields: { title: 'This value should not be blank.' } },
  },
  429: { about: 'Too many calls.', message: 'Too Many Requests', headers: ['Retry-After'] },
  503: { about: 'Not possible now; try later.', message: 'Service Unavailable', headers: ['Retry-After'] },
};

const name = (status: Refusal) => `Refused${status}`;
const OTHER_NAME = 'RefusedOtherwise';

export const REFUSALS = {
  ...Object.fromEntries(
    Object.entries(REFUSED).map(([key, refused]) => {
      const status = Number(key) as Refusal;
      return [name(status), responseOf(status, refused)];
    }),
  ),
  [OTHER_NAME]: responseOf(500, OTHER),
};

export const ANY_OTHER = { $ref: `#/components/responses/${OTHER_NAME}` };

function responseOf(status: Refusal | 500, { about, message, headers = [], options }: Refused) {
  const example = errorBody(new HttpError(status, message, options), REQUEST_ID);
  const content = { schema: { $ref: '#/components/schemas/Error' }, example };
  return {
    description: about,
    headers: headerRefs(['X-Request-Id', ...headers]),
    content: { [LD_JSON]: content, [JSON_TYPE]: content, [PROBLEM_JSON]: content },
  };
}

/** The refusals of an operation, each once, in order. */
export function refusalRefs(refusals: Iterable<Refusal>) {
  const statuses = [...new Set(refusals)].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${name(status)}` }]),
  );
}
