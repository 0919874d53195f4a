/**
 * Histories as a table in words. Under its title stands what happens, step by step; after an arrow, how the request stands then:
 *
 *     refused by the bank is told to the office once
 *       linked; pending older; refused older; refused older → names older; not shown; mails payment-trouble 1
 *
 * A step is a word of Story (story.ts) or of the file itself, then what it is about: a name, a time (`25h`), what an answer holds
 * (`changed=1`), or, after a colon, what happens in it. What is expected goes by the names of Standing.
 */
import { expect, test } from 'vitest';
import { giveUpPayment } from '../../src/core/payment/give-up-payment.js';
import { renewPaymentSession } from '../../src/core/payment/renew-payment-session.js';
import { remindRequest } from '../../src/core/reminders/remind-request.js';
import { cancelRequest } from '../../src/core/requests/cancel-request.js';
import { completeRequest } from '../../src/core/requests/complete-request.js';
import { settleRequest } from '../../src/core/requests/settle-request.js';
import { resetSignature } from '../../src/core/signature/reset-signature.js';
import type { Deciding } from '../../src/core/change.js';
import type { Context } from '../../src/core/context.js';
import { DAY, HOUR, MINUTE, SECOND } from './clock.js';
import { REASON, story, type Standing, type Story } from './story.js';
import { startSignature } from './start-signature.js';

export type Words = Record<string, (story: Story, ...about: string[]) => Story>;

/** What stands as `name=value` behind a word of a file. */
export const holding = (answer: unknown): object => answer ?? {};

const ACTS: Record<string, (ctx: Context, id: number, by: Deciding) => Promise<unknown>> = {
  cancel: cancelRequest,
  complete: completeRequest,
  giveUp: giveUpPayment,
  remind: remindRequest,
  renew: renewPaymentSession,
  reset: resetSignature,
  settle: settleRequest,
  start: startSignature,
};

function actOf(name = ''): (typeof ACTS)[string] {
  const act = ACTS[name];
  if (!act) throw new Error(`there is no act "${name}"`);
  return act;
}

/** How a person closes a request that waits for its payment: by this word, and by the act of this name. */
export const CLOSING = [
  ['canceled', 'cancel'],
  ['completedByHand', 'complete'],
] as const;

const WORDS: Words = {
  at: (s, time) => s.does(({ clock }) => clock.set(time)),
  /** Here alone. */
  over: (s) => s.sql("UPDATE contracts SET status = 'EXPIRED'"),
  /** Because of what, and with a hint that names this command (`payments.renew`). */
  refuses: (s, act, code, hint) => {
    if (!code) throw new Error('it is refused because of what?');
    const named: unknown = expect.objectContaining({ name: hint?.replace('.', ' ') });
    return s.refuses(actOf(act), {
      code,
      ...(hint && { hint: expect.arrayContaining([named]) as unknown }),
    });
  },
  /** Whether it is refused or not. */
  tries: (s, name) => {
    const act = actOf(name);
    return s.does(({ ctx }, id) => act(ctx, id, REASON).catch(() => undefined));
  },
  /** A dry run. */
  previews: (s, name) => {
    const act = actOf(name);
    return s.does(({ ctx }, id) => act(ctx, id, { ...REASON, dryRun: true }));
  },
  refusesPreview: (s, name, code) => {
    if (!code) throw new Error('it is refused because of what?');
    const act = actOf(name);
    return s.refuses((ctx, id, by) => act(ctx, id, { ...by, dryRun: true }), { code });
  },
  bug: (s, call) =>
    s.does(({ ctx }) => Object.assign(ctx.payment, { [call]: () => Promise.reject(new Error('a bug')) })),
  breaks: (s, name) => {
    const act = actOf(name);
    return s.does(({ ctx }, id) => expect(act(ctx, id, REASON)).rejects.toThrow('a bug'));
  },
};

/** `of`: what all titles have in common. */
export function table(text: string, { of = '', words = {} }: { of?: string; words?: Words } = {}): void {
  test.for(histories(text))(`${of}%s`, async ([, ...lines]) => {
    if (lines.length === 0) throw new Error('nothing happens');
    const s = story();
    for (const line of lines) await told(s, line, { ...WORDS, ...words });
  });
}

/** A title stands at the margin. */
function histories(text: string): string[][] {
  const margin = /\n( *)\S/.exec(text)?.[1] ?? '';
  const whole = text
    .replaceAll(/\n\s*\n/g, '\n')
    .replaceAll(/(;|→)\s+/g, '$1 ')
    .replaceAll(/\s+→/g, ' →')
    .trimEnd();
  return whole
    .split(new RegExp(`\n${margin}(?=\\S)`))
    .slice(1)
    .map((one) => one.split(/\n\s+/));
}

async function told(s: Story, line: string, words: Words): Promise<void> {
  const [steps = '', ...stands] = line.split(' → ');
  try {
    for (const step of steps.split('; ')) await tell(s, step, words).end();
    for (const each of stands) await s.is(standing(each)).end();
  } catch (error) {
    if (error instanceof Error) error.message = `${line}\n${error.message}`;
    throw error;
  }
}

function tell(s: Story, step: string, words: Words): Story {
  const [head = '', inside, ...more] = step.split(': ');
  if (more.length > 0) throw new Error(`too much happens in "${step}"`);
  const [word = '', ...about] = head.split(' ');
  if (word === 'dry') return tell(s, `${about.join(' ')} dryRun=true`, words);
  const answer = Object.fromEntries(about.filter((one) => one.includes('=')).map(member));
  const { dryRun, ...rest } = answer;
  const within = (t: Story) => (inside ?? '').split(', ').reduce((u, one) => tell(u, one, words), t);
  const all = [
    ...about.filter((one) => !one.includes('=')).map(measured),
    ...(Object.keys(answer).length > 0 ? [rest] : []),
    ...(dryRun ? [{ dryRun }] : []),
    ...(inside === undefined ? [] : [within]),
  ];
  const act: unknown = words[word] ?? Reflect.get(s, word);
  if (typeof act !== 'function') throw new Error(`there is no step "${word}"`);
  return Reflect.apply(act, s, words[word] ? [s, ...all] : all) as Story;
}

/** `found`: what a check of all has changed. */
function member(text: string): [string, unknown] {
  const [name = '', value = ''] = text.split('=');
  if (name === 'found') return ['results', [{ key: value, changed: true }]];
  return [name, value in VALUES ? VALUES[value] : /^\d+$/.test(value) ? Number(value) : value];
}

const VALUES: Record<string, unknown> = { true: true, false: false, nothing: null };

const UNITS: Record<string, number> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };

function measured(text: string): string | number {
  const [, count, unit = ''] = /^(\d+)([smhd])?$/.exec(text) ?? [];
  return count === undefined ? text : Number(count) * (UNITS[unit] ?? 1);
}

function standing(text: string): Standing {
  const all = text.split('; ').flatMap((one) => Object.entries(expected(one)));
  const whole = Object.fromEntries(all);
  if (Object.keys(whole).length < all.length) throw new Error(`one thing stands twice in "${text}"`);
  return whole;
}

function expected(text: string): Standing {
  const [what = '', ...rest] = text.split(' ');
  const named = rest.join(' ');
  if (text === 'shown' || text === 'not shown') return { isShown: text === 'shown' };
  switch (what) {
    case 'names':
      return { names: named === 'nothing' ? null : named };
    case 'link':
    case 'about':
      return { [what]: named };
    case 'mails':
    case 'sent':
    case 'told':
    case 'calls':
      return { [what]: counts(rest) };
    case 'findings':
    case 'needs':
      return { [what]: listOf(named) };
    case 'sessions':
    case 'payments':
    case 'jobs':
    case 'outcomes':
    case 'contracts':
    case 'documents':
    case 'ends':
      return { [what]: named === 'none' ? [] : rest };
    case 'events':
      return { events: partsOf(named) };
    case 'invited':
      return { invited: Number(named) };
    case 'contract':
      return { contract: membersOf(rest, 'status') };
    case 'ordered':
      return { ordered: partsOf(named).map((mail) => membersOf(mail.split(' '), 'mail')) };
    case 'work':
      return { work: Object.fromEntries(partsOf(named).map(statesOf)) };
    default:
      if (!/^(new|in_progress|[A-Z_]+)$/.test(text)) throw new Error(`nothing stands like "${text}"`);
      return { status: text as NonNullable<Standing['status']> };
  }
}

function counts(words: string[]): Record<string, number> {
  if (words.length === 0) throw new Error('nothing is counted');
  const names = words.filter((_, n) => n % 2 === 0);
  return Object.fromEntries(names.map((name, n) => [name, Number(words[2 * n + 1])]));
}

const partsOf = (text: string): string[] => (text === 'none' ? [] : text.split(' + '));

/** `PENDING told=late`: a word without a name is this one’s. */
function membersOf(words: string[], first: string): Record<string, unknown> {
  return Object.fromEntries(words.map((word) => (word.includes('=') ? member(word) : [first, word])));
}

/** `send-mail none`, or its states. */
function statesOf(text: string): [kind: string, states: string[]] {
  const [kind = '', ...states] = text.split(' ');
  if (states.length === 0) throw new Error(`in which states are "${kind}"?`);
  return [kind, states[0] === 'none' ? [] : states];
}

/** All of them, or some that are among them, or are not. */
function listOf(text: string): unknown {
  const [, how, names = ''] = /^(has |lacks )?(.*)$/.exec(text) ?? [];
  const list = partsOf(names);
  if (how === undefined) return list;
  if (list.length === 0 || (how === 'lacks ' && list.length > 1))
    throw new Error(`"${text}" says too little`);
  return how === 'has ' ? expect.arrayContaining(list) : expect.not.arrayContaining(list);
}
