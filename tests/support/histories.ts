/** Tables of histories: what happens, step by step, and how the request stands at the end. */
import { expect, test } from 'vitest';
import { cancelRequest } from '../../src/core/requests/cancel-request.js';
import { completeRequest } from '../../src/core/requests/complete-request.js';
import { story, type Standing, type Story } from './story.js';

export type History = [name: string, tell: (story: Story) => Story, end: Standing];

/** `of`: what the names of all have in common. */
export function tell(histories: readonly History[], of = ''): void {
  test.for(histories)(`${of}%s`, async ([, steps, end]) => {
    await steps(story()).is(end).end();
  });
}

export const includes = (...names: string[]) => expect.arrayContaining(names) as string[];

/** How a person closes a request that waits for its payment. */
export const CLOSE = [
  ['canceled', cancelRequest],
  ['completed', completeRequest],
] as const;
