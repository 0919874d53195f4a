/** The body of an inbound signature webhook, in both shapes the provider uses: flat, or with the names under `metadata`. */
import { createHmac, hash } from 'node:crypto';
import { z } from 'zod';
import type { ContractRow } from '../../db/schema.js';
import { ofContract } from '../history/history.js';
import { isSame } from '../is-same.js';
import { workOf } from '../jobs/queue.js';
import type { ProviderEnd } from '../lifecycle.js';
import { completionJob, endJob } from './completion-job.js';
import { setTimeout as pause } from 'node:timers/promises';
import {
  findContract,
  findContractByExternalId,
  findContractBySignId,
  isAnyUnnamed,
  setSignId,
} from '../../db/contracts/contracts.js';
import type { Context } from '../context.js';
import { describeError } from '../errors.js';
import { unlessNotFound } from '../http/provider-error.js';
import { findAtProvider } from './observe.js';

export const SIGNED = 'signature_request.done';

/** The provider failed while the customer signed, perhaps because the document is damaged, and cancels the request. */
export const SIGNER_ERROR = 'signer.error';

/** Its mail with the link did not reach the customer. */
export const UNDELIVERED = 'signer.notification_delivery_failed';

/** Events that tell of an end without a signature. */
export const END_EVENTS: Readonly<Record<string, ProviderEnd>> = {
  'signature_request.declined': 'declined',
  'signature_request.expired': 'expired',
  'signature_request.canceled': 'canceled',
  'signature_request.rejected': 'rejected',
  'signature_request.deleted': 'deleted',
  [SIGNER_ERROR]: 'canceled',
};

/** What is there but cannot be used counts as missing; members we do not know are ignored. */
const maybe = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

const word = maybe(z.string().min(1).max(200));
const NAMES = {
  event_name: word,
  /** Epoch seconds as text or number, or ISO 8601. */
  event_time: maybe(z.union([z.string(), z.number()])),
  event_id: word,
};

/** The body as it is checked and as the documents show it. */
export const SIGNATURE_EVENT = z
  .object({
    ...NAMES,
    metadata: maybe(z.object(NAMES)),
    data: maybe(
      z.object({
        signature_request: maybe(z.object({ id: word, external_id: word })),
        /** Some events about a signer name the signature request only here. */
        signer: maybe(z.object({ signature_request_id: word })),
      }),
    ),
  })
  .meta({
    examples: [
      {
        event_name: 'signature_request.done',
        data: { signature_request: { id: '9d6e4a2c-58f1-4c0e-9c7d-1a2b3c4d5e6f' } },
      },
    ],
  });

export interface SignatureEvent {
  /** The provider's event id, or the body's digest: equal for repeats. */
  eventKey: string;
  eventName: string;
  /** The signature request it is about, if any. */
  signId: string | undefined;
  externalId: string | null;
  /** ISO 8601, if given. */
  happenedAt: string | null;
}

/** Undefined: not a JSON object, or without a usable name. */
export function parseSignatureEvent(rawBody: Buffer): SignatureEvent | undefined {
  const body = SIGNATURE_EVENT.safeParse(parseJson(rawBody)).data;
  const eventName = body?.event_name ?? body?.metadata?.event_name;
  if (!body || !eventName) return undefined;
  const signature = body.data?.signature_request;
  return {
    eventKey: body.event_id ?? body.metadata?.event_id ?? digestKey(rawBody),
    eventName,
    signId: signature?.id ?? body.data?.signer?.signature_request_id,
    externalId: signature?.external_id ?? null,
    happenedAt: parseTime(body.event_time ?? body.metadata?.event_time),
  };
}

export function workOfEvent(
  { eventName, happenedAt }: Pick<SignatureEvent, 'eventName' | 'happenedAt'>,
  contract: ContractRow,
  now: string,
) {
  const { id: contractId } = contract;
  const about = { now, ...ofContract(contract) };
  return eventName === SIGNED
    ? workOf(completionJob, { contractId, provedAt: happenedAt }, about)
    : workOf(endJob, { contractId }, about);
}

export function digestKey(rawBody: Buffer): string {
  return `sha256:${hash('sha256', rawBody)}`;
}

function parseJson(rawBody: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody));
  } catch {
    return undefined;
  }
}

function parseTime(value: string | number | undefined): string | null {
  const isEpoch = typeof value === 'number' || /^\d{1,11}$/.test(value ?? '');
  const time = isEpoch ? Number(value) * 1000 : Date.parse(value ?? '');
  return Number.isFinite(time) && Math.abs(time) < 8.64e15 ? new Date(time).toISOString() : null;
}

/**
 * The signature of a webhook (rules 3): `sha256=<hex of HMAC-SHA256 over the raw body>`. True when the header was made with one of the secrets (two during a rotation). In
 * constant time.
 */
export function isGenuine(rawBody: Buffer, header: string | undefined, secrets: readonly string[]): boolean {
  let genuine = false;
  for (const secret of secrets) {
    const expected = `sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`;
    genuine = isSame(header ?? '', expected) || genuine;
  }
  return genuine;
}

/** It names somebody else's document. Its end must not close our contract; "signed" is proved in full anyway. */
export function isForeign(
  { externalId }: Pick<SignatureEvent, 'externalId'>,
  contract: Pick<ContractRow, 'externalId'>,
): boolean {
  return externalId !== null && externalId !== contract.externalId;
}

// Finds a webhook's contract by its signId or, when even the draft's answer was lost, by proof.

/** Undefined when it is not ours, or could not be proved in time. */
export async function contractOfEvent(
  ctx: Context,
  event: Pick<SignatureEvent, 'signId' | 'externalId'>,
): Promise<ContractRow | undefined> {
  const { signId } = event;
  if (signId === undefined) return undefined;
  return (
    findContractBySignId(ctx.db, { signId }) ?? withinPatience(ctx, adopt(ctx, signId, event.externalId))
  );
}

/** The external id of a document whose webhook does not say it; null when it has none. Throws a ProviderError. */
export async function nameThere({ provider }: Context, signId: string): Promise<string | null> {
  const state = await unlessNotFound(provider.getSignatureStatus({ signId, externalId: null }));
  return state?.externalId ?? null;
}

/** Finds it by name, with the usual proofs (is-ours.ts). */
async function adopt(ctx: Context, signId: string, told: string | null): Promise<ContractRow | undefined> {
  if (!isAnyUnnamed(ctx.db)) return undefined;
  const name = told ?? (await nameThere(ctx, signId));
  const contract = name ? findContractByExternalId(ctx.db, { externalId: name }) : undefined;
  if (!contract) return undefined;
  const { ours } = await findAtProvider(ctx, contract);
  const signerEmail = ours?.signers[0]?.email;
  if (ours?.signId !== signId || !signerEmail) return undefined;
  return ctx.writer.write((db) => {
    const { id } = contract;
    if (findContract(db, { id })?.signId === null) setSignId(db, { id, signId, signerEmail });
    return findContractBySignId(db, { signId });
  });
}

/**
 * Limits how long a webhook's caller waits for work it need not know about. The work's result, if in time; undefined when it continues or has failed, which
 * is logged.
 */
export async function withinPatience<T>(ctx: Context, work: Promise<T>): Promise<T | undefined> {
  const logged = work.catch((error: unknown) => {
    ctx.log.warn({ error: describeError(error) }, 'the provider could not be asked while its webhook waited');
    return undefined;
  });
  return Promise.race([logged, pause(ctx.webhookPatienceMs, undefined, { ref: false })]);
}
