/** One POST on a connection of its own, so that nothing is left open and every try stands alone. */
import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';

export type PostResult = { status: number; text: string };

export type Post = {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  timeoutMs: number;
  signal: AbortSignal;
};

/** Resolves with any answer; rejects when there is none, with the message `timeout` when it came too late. */
export function post({ url, headers, body, timeoutMs, signal }: Post): Promise<PostResult> {
  const open = url.startsWith('https:') ? httpsRequest : httpRequest;
  const options: RequestOptions = {
    method: 'POST',
    agent: false,
    headers: { ...headers, 'Content-Length': String(body.length), Connection: 'close' },
    signal,
  };
  return new Promise((resolve, reject) => {
    const request = open(url, options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        clearTimeout(timer);
        resolve({
          status: answer.statusCode ?? 0,
          text: Buffer.concat(chunks).toString('utf8').slice(0, 500),
        });
      });
    });
    const timer = setTimeout(() => request.destroy(new Error('timeout')), timeoutMs);
    request.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    request.end(body);
  });
}
