/** What the signature provider answers (rules 2): the shapes we accept, turned into our own terms. */
import { z } from 'zod';
import { ProviderError } from '../http/provider-error.js';
import { endAfter, PROVIDER_ENDS, type UnsignedEnd } from '../lifecycle.js';

export type SignatureState = ReturnType<typeof state>;

export interface SignerState {
  id: string;
  status: string;
  /** Undefined when not asked yet; only the call for one signer shows it. */
  email?: string;
}

/** Whose signers have been asked for. */
export interface NamedState extends SignatureState {
  signers: Required<SignerState>[];
}

export type SignLink = NonNullable<ReturnType<typeof link>>;

export const stateSchema = z.object({
  id: z.string().min(1),
  status: z.string().min(1),
  external_id: z.string().nullish(),
  created_at: z.string().nullish(),
  name: z.string().nullish(),
  completed_at: z.string().nullish(),
  expiration_date: z.string().nullish().catch(null),
  signers: z.array(z.object({ id: z.string(), status: z.string().default('unknown') })).default([]),
  documents: z.array(z.object({ id: z.string() })).default([]),
  decline_information: z.object({ reason: z.string().nullish() }).nullish(),
});

/** `{type, detail}`; the type is a word such as `signature_request.not_found`, not a URL as in RFC 9457. */
const ownError = z.object({ type: z.string().regex(/^[\w.-]+$/), detail: z.string() });
/** The same when no word fits: the detail says all. Others write it too, so it must at least be declared as JSON. */
const blankError = z.object({ type: z.literal('about:blank'), detail: z.string().min(1) });

/** The type of an error in the provider's own form. */
export function typeOfError(body: unknown, isJson: boolean): string | undefined {
  return ownError.safeParse(body).data?.type ?? (isJson ? blankError.safeParse(body).data?.type : undefined);
}

export const createdSchema = z.object({ id: z.string().min(1) });
export const uploadedSchema = z.object({
  id: z.string().min(1),
  total_anchors: z.number().nullish(),
});
export const linkSchema = z.object({
  id: z.string(),
  signature_link: z.string().nullish(),
  signature_link_expiration_date: z.string().nullish(),
});
export const signerSchema = linkSchema.extend({
  info: z.object({
    email: z.string().min(1),
    first_name: z.string().nullish(),
    last_name: z.string().nullish(),
    phone_number: z.string().nullish(),
    locale: z.string().nullish(),
  }),
});
export const activatedSchema = z.object({
  signers: z.array(linkSchema).default([]),
  expiration_date: z.string().nullish().catch(null),
});
export const pageSchema = z.object({
  meta: z.object({ next_cursor: z.string().nullish() }).default({}),
  data: z.array(stateSchema),
});

export function uploaded(body: z.infer<typeof uploadedSchema>) {
  return { documentId: body.id, totalAnchors: body.total_anchors ?? 0 };
}

export function state(body: z.infer<typeof stateSchema>) {
  const signers: SignerState[] = body.signers;
  return {
    signId: body.id,
    /** The provider's word; unknown words mean "nothing to do". */
    status: body.status,
    /** When the customer completed it, if known. */
    signedAt: toIso(body.completed_at),
    externalId: body.external_id ?? null,
    /** By the provider's clock; null when it does not say. */
    createdAt: toIso(body.created_at),
    name: body.name ?? null,
    /** The last moment to sign, if the provider names it to the second. */
    lastMoment: toMoment(body.expiration_date),
    signers,
    documents: body.documents,
    declineReason: body.decline_information?.reason ?? null,
  };
}

/** How the document ended unsigned; undefined while it can be signed, or once it is. */
export function endIn({ status, signers }: SignatureState): UnsignedEnd | undefined {
  const end = PROVIDER_ENDS.find((each) => each === status);
  const hasFailed = signers.some((signer) => signer.status === 'error');
  return end && endAfter(end, hasFailed);
}

export function link(signer: z.infer<typeof linkSchema>) {
  const { id, signature_link: signUrl, signature_link_expiration_date: end } = signer;
  if (!signUrl) return undefined;
  if (!/^https?:\/\//.test(signUrl)) {
    throw new ProviderError('unavailable', 'signature provider gave a link that is no web address');
  }
  return { signerId: id, signUrl, expiresAt: toIso(end) };
}

/** A provider's time in our stored form; null for none or nonsense. */
function toIso(time: string | null | undefined): string | null {
  const parsed = time ? Date.parse(time) : NaN;
  return Number.isNaN(parsed) ? null : new Date(parsed).toISOString();
}

/** A mere day, also when written as its midnight, names no last moment. */
export function toMoment(time: string | null | undefined): string | null {
  return time && /T(?!00:00(:00(\.0+)?)?(Z|\+00:?00)?$)/.test(time) ? toIso(time) : null;
}
