/** What an act takes, as a schema: the body of a call, a form and the options of a command are read by it. */
import { z } from 'zod';
import { AMOUNT, parseInput, REASON } from '../calls/input.js';
import type { Act, ActOption, Asked } from './acts.js';

/** Members that it does not know are ignored. `money`: how it is written. */
export function actInput(
  { options = {}, reason }: Pick<Act, 'options' | 'reason'>,
  money: z.ZodType = AMOUNT,
) {
  // A PDF comes beside it: it is received while it comes in.
  const kinds: Readonly<Record<ActOption['kind'], z.ZodType[]>> = {
    flag: [z.boolean()],
    list: [z.array(z.string())],
    pdf: [],
    money: [money],
  };
  const given = Object.entries(options).flatMap(([name, { kind, about }]) => {
    const description = `${about[0]?.toUpperCase()}${about.slice(1)}`;
    return kinds[kind].map((type) => [name, type.optional().meta({ description })] as const);
  });
  const why: z.ZodRawShape = {
    none: {},
    optional: { reason: REASON.optional() },
    required: { reason: REASON },
  }[reason];
  return z.object({ ...why, ...Object.fromEntries(given) });
}

type Taken = Pick<Asked, 'reason' | 'amount' | 'notify' | 'payments' | 'signature'>;

/** Throws `invalid`, with the fault of each. */
export function askedOf(act: Act, given: unknown, money?: z.ZodType): Taken {
  return parseInput(actInput(act, money) as z.ZodType<Taken>, given);
}
