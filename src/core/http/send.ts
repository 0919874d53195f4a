/**
 * One HTTP exchange with a provider or a receiver, by Node's own client: it skips interim answers that nobody asked
 * for (RFC 9110, 15.2; ADR 6). No redirects are followed, and no proxy of the environment is asked.
 */
import type { LookupAddress, LookupOptions } from 'node:dns';
import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { callbackify } from 'node:util';
import { setImmediate as nextTurn } from 'node:timers/promises';

export interface Sending {
  url: URL;
  method: string;
  headers: Record<string, string>;
  /** A stream is read while it is sent; its length is in the headers. */
  body?: string | Readable | undefined;
  signal: AbortSignal;
  /** Finds the addresses to connect to, for a host that is a name. */
  dial?: () => Promise<LookupAddress[]>;
}

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  /** Whoever stops reading early closes the connection. */
  body: AsyncIterable<Uint8Array>;
}

/** Resolves with any answer; rejects with the network's error, or with the reason of the signal. */
export type Send = (sending: Sending) => Promise<Reply>;

export interface Sender {
  send: Send;
  close: () => void;
}

/** Shorter than servers usually keep a connection, so that it is seldom closed as the next call is sent. */
const KEPT = { keepAlive: true, timeout: 4_000 };

export function openSender(): Sender {
  const [plain, secure] = [new HttpAgent(KEPT), new HttpsAgent(KEPT)];

  function send({ url, method, headers, body, signal, dial }: Sending): Promise<Reply> {
    const options = {
      method,
      headers,
      signal,
      // With this, all addresses are asked for.
      ...(dial && {
        lookup: callbackify<string, LookupOptions, LookupAddress[]>(dial),
        autoSelectFamily: true,
      }),
    };
    return new Promise((resolve, reject) => {
      const request =
        url.protocol === 'https:'
          ? httpsRequest(url, { ...options, agent: secure })
          : httpRequest(url, { ...options, agent: plain });
      const take = (answer: IncomingMessage) =>
        resolve({
          status: answer.statusCode as number,
          headers: answer.headers,
          body: untilAborted(answer, signal),
        });
      request.on('response', take);
      // 101, which nobody asked for: without this, Node would end the call without a word.
      request.on('upgrade', (answer, socket) => {
        socket.destroy();
        take(answer.destroy());
      });
      request.on('error', (error) => reject(signal.aborted ? signal.reason : error));
      // Its errors become the request's.
      if (typeof body === 'object') pipeline(body, request, () => undefined);
      else request.end(body);
    });
  }

  return {
    send,
    close: () => {
      plain.destroy();
      secure.destroy();
    },
  };
}

/** `act` with a signal that aborts after `ms`, or with `outer`, on which no listener stays: it may live as long as the process. */
export async function withinMs<T>(
  ms: number,
  outer: AbortSignal | undefined,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new DOMException('out of time', 'TimeoutError')), ms);
  const giveUp = () => limit.abort(outer?.reason);
  outer?.addEventListener('abort', giveUp);
  try {
    return await act(limit.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', giveUp);
  }
}

async function* untilAborted(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    yield* inTurns(body);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

// Large bodies beside small calls.

/** From here on a piece is part of something large. */
const LARGE_BYTES = 16 * 1024;

/**
 * One large piece a turn of the event loop. From a fast peer, Node takes 32 at once of each connection: beside many large
 * bodies, everything else would wait for all of these.
 */
export async function* inTurns(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield piece;
    if (piece.byteLength >= LARGE_BYTES) await nextTurn();
  }
}
