/**
 * What comes next at the signature provider, over everything that can be there, everything that we can want, and everything that may
 * happen meanwhile, against a model of the provider as strict as the real one.
 */
import { expect, test } from 'vitest';
import { ProviderError } from '../../../src/core/http/provider-error.js';
import {
  nextStep,
  reach,
  without,
  type Document,
  type There,
  type Want,
} from '../../../src/core/signature/next-step.js';

type Step = ReturnType<typeof nextStep<Document>>;
type Call = Extract<Step, { do: string }>;
type Rest = Extract<Step, { stop: string }>;

const WANTS = ['sent', 'unsent', 'replaced', 'withdrawn'] as const satisfies Want[];

interface Theirs {
  signId: string;
  status: string;
  pdfs: number;
  signers: number;
  isLate: boolean;
}

const OF: Omit<Theirs, 'signId'> = { status: 'draft', pdfs: 1, signers: 1, isLate: false };
const DRAFTS = [0, 1, 2].flatMap((pdfs) => [0, 1, 2].map((signers) => ({ ...OF, pdfs, signers })));
const KINDS: readonly Omit<Theirs, 'signId'>[] = [
  ...['done', 'ongoing', 'paused', 'declined', 'canceled'].map((status) => ({ ...OF, status })),
  { ...OF, status: 'done', isLate: true },
  ...DRAFTS,
];

const isSignable = ({ status }: Theirs) => status === 'ongoing' || status === 'paused';
const isWithCustomer = (one: Theirs) => isSignable(one) || one.status === 'done';
const isOpen = (one: Theirs) => isSignable(one) || one.status === 'draft';

/** What others do there while we work: the customer, the office in the console, and calls of an interrupted start that come late. */
const HAPPENINGS: Record<string, (provider: Provider) => void> = {
  nothing: () => undefined,
  'the customer signs': (provider) => provider.first(isSignable, (one) => (one.status = 'done')),
  'the customer signs too late': (provider) =>
    provider.first(isSignable, (one) => Object.assign(one, { status: 'done', isLate: true })),
  'the customer declines': (provider) => provider.first(isSignable, (one) => (one.status = 'declined')),
  'somebody deletes the draft': (provider) =>
    provider.first(isDraft, ({ signId }) => provider.ours.splice(provider.at(signId), 1)),
  'a draft comes late': (provider) => provider.add({ ...OF, pdfs: 0, signers: 0 }),
  'a PDF comes late': (provider) => provider.first(isDraft, (one) => (one.pdfs += 1)),
  'a signer comes late': (provider) => provider.first(isDraft, (one) => (one.signers += 1)),
  'an activation comes late': (provider) =>
    provider.first(isDraft, (one) => isWhole(one) && (one.status = 'ongoing')),
};
const isDraft = ({ status }: Theirs) => status === 'draft';
const isWhole = ({ pdfs, signers }: Theirs) => pdfs > 0 && signers > 0;

class Provider {
  readonly ours: Theirs[] = [];
  readonly calls: Call[] = [];
  readonly faults: string[] = [];
  isForeignTold = false;
  #made = 0;

  readonly hasForeign: boolean;
  readonly happens: { what: string; before: number };

  constructor(
    documents: readonly Omit<Theirs, 'signId'>[],
    hasForeign: boolean,
    happens: { what: string; before: number },
  ) {
    this.hasForeign = hasForeign;
    this.happens = happens;
    for (const one of documents) this.add(one);
  }

  add(one: Omit<Theirs, 'signId'>): Theirs {
    const made = { ...one, signId: `ours-${(this.#made += 1)}` };
    this.ours.push(made);
    return made;
  }

  at(signId: string): number {
    return this.ours.findIndex((one) => one.signId === signId);
  }

  first(which: (one: Theirs) => boolean, act: (one: Theirs) => unknown): void {
    const found = this.ours.find(which);
    if (found) act(found);
  }

  look(isSure: boolean): There<Document> {
    const foreign = this.hasForeign && !this.isForeignTold ? [{ signId: 'theirs', externalId: 'ours' }] : [];
    return { ours: this.ours.map((one) => ({ ...one, isSure })), foreign };
  }

  /** Refuses what the provider refuses; notes what must never be asked. */
  take(call: Call, there: There<Document>): There<Document> {
    if (this.calls.length === this.happens.before) HAPPENINGS[this.happens.what]?.(this);
    this.calls.push(call);
    if (call.do === 'tell_foreign') {
      this.isForeignTold = true;
      return { ...there, foreign: [] };
    }
    if (call.do === 'create') {
      const made = this.add({ ...OF, pdfs: 0, signers: 0 });
      return { ...there, ours: [...there.ours, { ...made, isSure: true }] };
    }
    if (call.do === 'look') return this.look(true);
    const { signId } = call.on;
    if (!signId.startsWith('ours-')) this.faults.push(`${call.do} of somebody else's`);
    const its = this.ours[this.at(signId)];
    if (!its && call.do === 'delete') return without(there, call.on);
    if (!its) throw new ProviderError('not_found', `${call.do}: there is no ${signId}`);
    const becomes = (change: Partial<Document>): There<Document> => ({
      ...there,
      ours: there.ours.map((one) => (one.signId === signId ? { ...one, ...change } : one)),
    });
    const mustBe = (is: boolean) => {
      if (!is) throw new ProviderError('rejected', `${call.do}: ${signId} is ${its.status}`);
    };
    switch (call.do) {
      case 'upload':
        mustBe(isDraft(its));
        its.pdfs += 1;
        return becomes({ pdfs: 1 });
      case 'add_signer':
        mustBe(isDraft(its));
        its.signers += 1;
        return becomes({ signers: 1 });
      case 'activate':
        mustBe(isDraft(its) && isWhole(its));
        if (this.ours.some(isWithCustomer)) this.faults.push('two documents are with the customer');
        its.status = 'ongoing';
        return becomes({ status: 'ongoing' });
      case 'delete':
        mustBe(isDraft(its));
        this.ours.splice(this.at(signId), 1);
        return without(there, call.on);
      case 'cancel':
        if (its.status === 'done' && call.on.status === 'done') this.faults.push('a signed one is canceled');
        mustBe(isSignable(its));
        its.status = 'canceled';
        return without(there, call.on);
    }
  }

  /** What came of it; an error is one of the provider's. */
  async reach(want: Want): Promise<Rest | ProviderError> {
    try {
      return await reach<Document>({
        want,
        first: this.look(false),
        look: async () => this.look(true),
        take: async (call, there) => this.take(call, there),
      });
    } catch (error) {
      if (error instanceof ProviderError) return error;
      throw error;
    }
  }
}

const SCENES = [
  [],
  ...KINDS.map((one) => [one]),
  ...KINDS.flatMap((one) => KINDS.map((other) => [one, other])),
];
/** The longest way without interference: a draft is deleted and made anew. */
const LONGEST = 8;

interface Run {
  want: Want;
  what: string;
  provider: Provider;
  rest: Rest | ProviderError;
  /** Undefined after an error. */
  stop: Rest['stop'] | undefined;
  /** What was asked and was there when it came to rest; then it was wanted again. */
  calls: readonly string[];
  ours: readonly Theirs[];
  again: Rest | ProviderError;
}

async function runOf(want: Want, what: string, provider: Provider): Promise<Run> {
  const rest = await provider.reach(want);
  const stop = rest instanceof ProviderError ? undefined : rest.stop;
  const known = {
    want,
    what,
    provider,
    rest,
    stop,
    calls: did(provider),
    ours: structuredClone(provider.ours),
  };
  return { ...known, again: await provider.reach(want) };
}

const did = ({ calls }: Provider): string[] => calls.map((call) => call.do);
const changes = ({ calls }: Run) => calls.filter((call) => call !== 'tell_foreign' && call !== 'look');
const its = ({ ours, rest }: Run) => ours.find(({ signId }) => 'on' in rest && rest.on?.signId === signId);
const isSigned = ({ ours }: Run) => ours.some(({ status, isLate }) => status === 'done' && !isLate);
const hasDone = ({ ours }: Run) => ours.some(({ status }) => status === 'done');

/** Whatever happens meanwhile. */
const ALWAYS: Record<string, (run: Run) => boolean> = {
  'nothing is asked that must not be asked': ({ provider }) => provider.faults.length === 0,
  'it comes to rest, unless its draft was taken away': ({ stop, what }) =>
    stop !== undefined || what === 'somebody deletes the draft',
  'the next attempt comes to rest': ({ again }) => 'stop' in again,
  'wanted unsent, only drafts go': (run) =>
    run.want !== 'unsent' || changes(run).every((call) => call === 'delete'),
  // What comes after the last look waits for the next one.
  'wanted withdrawn, nothing is open at the end, and a signature in time is told': (run) =>
    run.want !== 'withdrawn' ||
    run.stop === undefined ||
    run.what === 'a draft comes late' ||
    ((run.stop !== 'clear' || !run.ours.some(isOpen)) && isSigned(run) === (run.stop === 'signed')),
};

const UNDISTURBED: Record<string, (run: Run) => boolean> = {
  'it takes few steps': ({ calls }) => calls.length <= LONGEST,
  'it takes an end for its own only where it closed nothing': (run) =>
    run.stop !== 'ended' || changes(run).length === 0,
  'wanted again, it does nothing more': ({ provider, calls, stop, again }) =>
    provider.calls.length === calls.length &&
    'stop' in again &&
    // What we closed ourselves is over by now.
    (again.stop === stop || (stop === 'clear' && again.stop === 'ended')),
  'wanted sent, it ends with the signed one, one that the customer can sign, or where nothing else is': (
    run,
  ) => {
    if (run.want !== 'sent') return true;
    if (run.stop !== 'sent')
      return run.stop === 'ended' && !run.ours.some((one) => isOpen(one) || isWithCustomer(one));
    const one = its(run) as Theirs;
    return hasDone(run) ? one.status === 'done' : isSignable(one);
  },
  'what it activates has one PDF and one signer': (run) =>
    !run.calls.includes('activate') || (its(run)?.pdfs === 1 && its(run)?.signers === 1),
  'wanted withdrawn, all is left where one was signed in time': (run) =>
    run.want !== 'withdrawn' || !isSigned(run) || changes(run).length === 0,
  'wanted replaced, all is left where one is signed, else nothing is open': (run) => {
    if (run.want !== 'replaced') return true;
    return hasDone(run) ? run.stop === 'sent' && changes(run).length === 0 : !run.ours.some(isOpen);
  },
};

test.each(WANTS)(
  'wanted %s, every promise is kept, whatever is there and happens meanwhile',
  async (want) => {
    const broken: string[] = [];
    let runs = 0;
    for (const documents of SCENES)
      for (const hasForeign of [false, true])
        for (const what of Object.keys(HAPPENINGS))
          for (let before = 0; before < (what === 'nothing' ? 1 : LONGEST); before += 1) {
            runs += 1;
            const run = await runOf(want, what, new Provider(documents, hasForeign, { what, before }));
            const promises = { ...ALWAYS, ...(what === 'nothing' && UNDISTURBED) };
            for (const [promise, isKept] of Object.entries(promises))
              if (!isKept(run))
                broken.push(
                  `${promise}: ${JSON.stringify(documents)}, foreign: ${hasForeign}, ${what} before call ${before}, ${run.calls.join(', ')}`,
                );
          }
    expect(broken.slice(0, 5)).toEqual([]);
    expect(runs).toBeGreaterThan(25_000);
  },
);

test('a draft that was found is looked at once more just before it is activated; one made now is not', async () => {
  const found = new Provider([OF], false, { what: 'nothing', before: 0 });
  await found.reach('sent');
  expect(did(found)).toEqual(['look', 'activate']);
  const made = new Provider([], false, { what: 'nothing', before: 0 });
  await made.reach('sent');
  expect(did(made)).toEqual(['create', 'upload', 'add_signer', 'activate']);
});

test('what the provider refuses is asked once, then looked at once more, and its answer is the reason', async () => {
  const provider = new Provider([], false, { what: 'nothing', before: 0 });
  const refused = new ProviderError('rejected', 'the signer cannot be reached');
  const tries: string[] = [];
  const attempt = reach<Document>({
    want: 'sent',
    first: provider.look(false),
    look: async () => provider.look(true),
    take: async (call, there) => {
      tries.push(call.do);
      if (call.do === 'activate') throw refused;
      return provider.take(call, there);
    },
  });
  await expect(attempt).rejects.toBe(refused);
  expect(tries).toEqual(['create', 'upload', 'add_signer', 'activate']);
});

test('what the provider refuses stays the reason when it cannot be looked at', async () => {
  const first = new Provider([OF], false, { what: 'nothing', before: 0 }).look(true);
  const refused = new ProviderError('rejected', 'the signer cannot be reached');
  const look = () => Promise.reject(new ProviderError('unavailable', 'down'));
  const attempt = reach<Document>({ want: 'sent', first, look, take: () => Promise.reject(refused) });
  await expect(attempt).rejects.toBe(refused);
});

test('what is another thing each time is given up in the end', async () => {
  const provider = new Provider([], false, { what: 'nothing', before: 0 });
  const first = provider.look(true);
  const attempt = reach<Document>({ want: 'sent', first, look: async () => first, take: async () => first });
  await expect(attempt).rejects.toMatchObject({ reason: 'unavailable' });
});
