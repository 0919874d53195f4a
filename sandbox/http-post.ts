/** One POST on its own connection, so that nothing stays open and attempts are independent. */
import { ofetch } from 'ofetch';

type Post = {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  timeoutMs: number;
  signal: AbortSignal;
};

const SHOWN_MAX = 500;

const once = ofetch.create({ method: 'POST', retry: false, redirect: 'manual', ignoreResponseError: true });

/** Resolves with any answer; rejects when there is none, with the message `timeout` after the time limit. */
export async function post({
  url,
  headers,
  body,
  timeoutMs,
  signal,
}: Post): Promise<{ status: number; text: string }> {
  const patience = AbortSignal.timeout(timeoutMs);
  try {
    const { status, _data = '' } = await once.raw(url, {
      headers: { ...headers, Connection: 'close' },
      body,
      responseType: 'text',
      signal: AbortSignal.any([signal, patience]),
    });
    return { status, text: _data.slice(0, SHOWN_MAX) };
  } catch (error) {
    throw patience.aborted ? new Error('timeout') : rootCause(error);
  }
}

/** What the network said, without the sentences that were put around it. */
function rootCause(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? rootCause(error.cause) : error;
}
