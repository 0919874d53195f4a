/** Plain HTTP with a time-out; redirects are not followed, an error names the call. */

export interface Answer {
  status: number;
  headers: Headers;
  body: Buffer;
  text: string;
}

export interface Call {
  signal: AbortSignal;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

const TIMEOUT_MS = 15_000;

/** One call. An answer of any status is an answer; rejects when none came. */
export async function call(url: string, { signal, ...init }: Call): Promise<Answer> {
  const patience = AbortSignal.timeout(TIMEOUT_MS);
  const options = { ...init, redirect: 'manual', signal: AbortSignal.any([signal, patience]) } as const;
  try {
    const answer = await fetch(url, options);
    const body = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, headers: answer.headers, body, text: body.toString('utf8') };
  } catch (error) {
    signal.throwIfAborted();
    const why = patience.aborted ? `no answer within ${TIMEOUT_MS / 1000} s` : reasonOf(error);
    throw new Error(`${nameOf(url, init.method)}: ${why}`, { cause: error });
  }
}

/** The same, for a call that must answer `status`. */
export async function callFor(status: number, url: string, how: Call): Promise<Answer> {
  const answer = await call(url, how);
  if (answer.status === status) return answer;
  const said = answer.text.replaceAll(/\s+/g, ' ').slice(0, 200);
  throw new Error(`${nameOf(url, how.method)} answered ${answer.status} instead of ${status}: ${said}`);
}

/** Without the query, which may hold a token. */
function nameOf(url: string, method = 'GET'): string {
  const { origin, pathname } = new URL(url);
  return `${method} ${origin}${pathname}`;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return error instanceof Error ? error.message : String(error);
}
