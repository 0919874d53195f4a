/** Faults around contracts: sent, signed, ended, reset. */
import { fault, type PlantedFault } from '../fault.js';

const LONG = { days: 13, requests: 6 };
/** Long enough for many requests to reach their last day. */
const TO_THE_END = { days: 20, requests: 12 };

export const SIGNATURE_FAULTS: readonly PlantedFault[] = [
  fault('"signed" is refused while a start is half done', {
    file: 'core/signature/decide.js',
    find: "request === 'before' && (ours.status !== 'PENDING' || ours.sending === 'sent')",
    put: "request === 'before'",
  }),
  fault('"signed" is answered 200 before it is on disk', {
    file: 'core/signature/receive-webhook.js',
    find: 'const owed = await change(ctx, BY, (tx) => storeAndOwe(ctx, tx, story));',
    put: `void change(ctx, BY, (tx) => storeAndOwe(ctx, tx, story)).then((job) => job?.claimed && ctx.jobs.run(job.claimed));
    if (ctx) return { state: 'completed', outcome: 'completed', take: () => true };
    const owed = undefined;`,
  }),
  fault('how a job ends is told to every webhook as its own', {
    file: 'core/jobs/outcomes.js',
    find: 'const take = () => !isTaken && (isTaken = true);',
    put: 'const take = () => !isTaken;',
  }),
  {
    name: 'names at the providers are row ids',
    edits: [
      {
        file: 'core/installation/identity.js',
        find: "const key = randomBytes(8).toString('hex');",
        put: "const { id } = db.raw.prepare('SELECT coalesce(max(id), 0) + 1 AS id FROM contracts').get();\n    const key = String(id).padStart(16, '0');",
      },
      {
        file: 'core/installation/identity.js',
        find: 'return `esign-${findInstallationId(db)}-`;',
        put: "return 'esign-0000000000000000-';",
      },
    ],
  },
  fault('one "not found" is believed', {
    file: 'core/signature/provider.js',
    find: 'if (found)\n                return found;',
    put: '',
  }),
  fault('a proxy\'s 404 page is taken for "not found"', {
    file: 'core/http/refusal.js',
    find: "    if (type === undefined)\n        return 'unavailable';\n",
    put: '',
  }),
  fault('a resumed start does not look what the provider has', {
    file: 'core/signature/start-signature.js',
    find: 'contract: begun, isNew: false });',
    put: 'contract: begun, isNew: true });',
  }),
  fault(
    'a start that stopped half-way begins anew',
    {
      file: 'core/signature/start-signature.js',
      find: 'await makeWay(ctx, begun, want, options);',
      put: '',
    },
    { requests: 18, often: 'signature' },
  ),
  fault('a reset does not ask the provider', {
    file: 'core/signature/reset-signature.js',
    find: 'await closeContract(ctx, old, { actor, dryRun });',
    put: ';',
  }),
  fault('a reset cancels nothing at the provider', {
    file: 'core/signature/take-steps.js',
    find: 'await provider.cancel(call.on.state, work.note ?? STARTED_ANEW);',
    put: '',
  }),
  fault(
    'our clock decides although the provider proves a signature in time',
    {
      file: 'core/signature/decide.js',
      find: 'return signedAt === null ? isOver(contract, now) : isPast(contract.lastMoment, signedAt);',
      put: 'return isOver(contract, now);',
    },
    { requests: 12 },
  ),
  fault(
    'a signature after the last moment counts',
    {
      file: 'core/signature/decide.js',
      find: 'time.slice(0, SECONDS) > lastMoment;',
      put: "time < '2000';",
    },
    TO_THE_END,
  ),
  fault(
    'contracts expire a day early',
    {
      file: 'core/contracts/expire-contracts.js',
      find: 'const startedAt = iso(ctx.clock.now());',
      put: 'const startedAt = iso(new Date(ctx.clock.now().getTime() + 86_400_000));',
    },
    LONG,
  ),
  fault(
    'the last day to sign is that of UTC',
    {
      file: 'core/zone.js',
      find: 'return lastSecondOf(zone, plusDays(wallClock(zone, from).day, days));',
      put: "return lastSecondOf(zone, plusDays(wallClock('UTC', from).day, days));",
    },
    { days: 1, requests: 3 },
  ),
  fault(
    'the last day to sign ends by the hour of today, whatever summer time does',
    {
      file: 'core/zone.js',
      find: 'return lastSecondOf(zone, plusDays(wallClock(zone, from).day, days));',
      put: 'return new Date(lastSecondOf(zone, wallClock(zone, from).day).getTime() + days * 86_400_000);',
    },
    { days: 1, requests: 2 },
  ),
  {
    name: 'two calls that complete a signature both win',
    edits: [
      {
        file: 'core/signature/reconcile.js',
        find: 'const now = decideAgain(ctx, tx.db, contractId, { trigger, looked });',
        put: 'const now = looked.decision;',
      },
      // The conditional update is the other guard of the same rule.
      {
        file: 'core/lifecycle.js',
        find: "proved: { from: ['PENDING', 'EXPIRED'], to: 'SIGNED' }",
        put: "proved: { from: ['PENDING', 'EXPIRED', 'SIGNED'], to: 'SIGNED' }",
      },
    ],
  },
  fault('"canceled" at the provider ends the contract, whichever contract it is about', {
    file: 'core/signature/decide.js',
    find: "case 'ongoing':\n        case 'other':\n            return stillOpen(facts);",
    put: "case 'ongoing':\n            return { answer: 'canceled', effects: end(facts, 'canceled') };\n        case 'other':\n            return stillOpen(facts);",
  }),
  fault('the mail with the contract is a job of its own transaction', {
    file: 'core/signature/apply.js',
    find: "tx.enqueue(mailJob, { mail: 'contract-signed', contractId: id }, about);",
    put: "setTimeout(() => void ctx.writer.write((db) => new tx.constructor(db, { actor: tx.actor }, tx.time).enqueue(mailJob, { mail: 'contract-signed', contractId: id }, about)), 2_000);",
  }),
];
