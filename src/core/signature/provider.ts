/** Client of the signature provider's API, version 3 (rules 2). */
import { z } from 'zod';
import { atMost } from '../at-most.js';
import type { OpenFile } from '../contracts/contract-files.js';
import { get, HttpClient, type ProviderOptions } from '../http/client.js';
import { multipart } from '../http/multipart.js';
import { newOnEachPage } from '../http/pages.js';
import type { ReminderSettings } from '../reminders/remind-days.js';
import { isProviderError, ProviderError } from '../http/provider-error.js';
import {
  activatedSchema,
  createdSchema,
  link,
  typeOfError,
  pageSchema,
  signerSchema,
  state,
  stateSchema,
  toMoment,
  uploaded,
  uploadedSchema,
  type NamedState,
  type SignatureState,
  type SignLink,
} from './provider-answers.js';

export interface NewSignature {
  name: string;
  externalId: string;
  /** yyyy-mm-dd: the last day to sign, in `timeZone`. */
  expirationDate: string;
  timeZone: string;
  locale: 'en' | 'fr';
  reminders?: ReminderSettings | undefined;
}

export interface Signer {
  firstName: string;
  lastName: string;
  email: string;
  phone: string | null;
  locale: 'en' | 'fr';
}

/** A signature's place in a document without an anchor: page from 1, points from the top left of the page as it is shown. */
export interface SignaturePlace {
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A signature request that should be there: a contract, or the provider's own record. Null: its name is unknown. */
export interface KnownSignature {
  signId: string;
  externalId: string | null;
}

export class SignatureProvider {
  readonly #http: HttpClient;
  /** Of a slow line each takes its share: with many at once, none would be there in the time that a call has. */
  readonly #uploads = atMost(4);

  constructor(options: ProviderOptions) {
    this.#http = new HttpClient({ name: 'signature provider', typeOfError, ...options });
  }

  /**
   * Creates a draft. Not repeated: the provider has no idempotency keys, so a lost answer is looked up by external
   * id.
   */
  async createRequest(signature: NewSignature): Promise<string> {
    const { body } = await this.#http.json(
      post('/signature_requests', {
        name: signature.name,
        delivery_mode: 'email',
        external_id: signature.externalId,
        expiration_date: signature.expirationDate,
        timezone: signature.timeZone,
        signers_allowed_to_decline: true,
        audit_trail_locale: signature.locale,
        ...(signature.reminders && {
          reminder_settings: {
            interval_in_days: signature.reminders.intervalInDays,
            max_occurrences: signature.reminders.maxOccurrences,
          },
        }),
      }),
      createdSchema,
    );
    return body.id;
  }

  /** Uploads the contract; returns how many signature anchors the provider found. */
  async uploadDocument(signId: string, pdf: OpenFile, filename: string) {
    const fields = { nature: 'signable_document', parse_anchors: 'true' };
    const path = `${requestPath(signId)}/documents`;
    const form = multipart(fields, { ...pdf, filename, contentType: 'application/pdf' });
    const { body } = await this.#uploads(() =>
      this.#http.json({ method: 'POST', path, ...form, isSafeToRepeat: false }, uploadedSchema),
    );
    return uploaded(body);
  }

  /** The answer of `uploadDocument` again, for a draft that already has its document. */
  async getDocument(signId: string) {
    const path = `${requestPath(signId)}/documents`;
    const { body } = await this.#http.json(get(path), z.array(uploadedSchema));
    return body[0] && uploaded(body[0]);
  }

  async addSigner(
    signId: string,
    signer: Signer,
    field?: SignaturePlace & { documentId: string },
  ): Promise<string> {
    const { documentId, ...place } = field ?? {};
    const { body } = await this.#http.json(
      post(`${requestPath(signId)}/signers`, {
        info: infoOf(signer),
        signature_level: 'electronic_signature',
        signature_authentication_mode: 'no_otp',
        ...(field && { fields: [{ document_id: documentId, type: 'signature', ...place }] }),
      }),
      createdSchema,
    );
    return body.id;
  }

  /** Activates it: the provider mails the customer. */
  async activate(signId: string): Promise<{ link: SignLink | undefined; lastMoment: string | null }> {
    const { body } = await this.#http.json(post(`${requestPath(signId)}/activate`, {}), activatedSchema);
    const [signer, another] = body.signers;
    // With several signers, the answer does not say who is the customer.
    return {
      link: signer && !another ? link(signer) : undefined,
      lastMoment: toMoment(body.expiration_date),
    };
  }

  /** A signer's details with a fresh link, if there still is one. */
  async getSigner(signId: string, signerId: string) {
    const { body } = await this.#http.json(get(signerPath(signId, signerId)), signerSchema);
    const { email, first_name, last_name, phone_number = null, locale } = body.info;
    const names = { firstName: first_name, lastName: last_name };
    return { email, ...names, phone: phone_number, locale, link: link(body) };
  }

  /** Asks for state and known signer in parallel, because a webhook's caller is waiting. */
  async getSignatureWithSigner(known: KnownSignature, signerId: string | null): Promise<SignatureState> {
    // A failure is ignored here; code that needs the signer asks again.
    const asked =
      signerId === null ? undefined : this.getSigner(known.signId, signerId).catch(() => undefined);
    const state = await this.getSignatureStatus(known);
    const signer = await asked;
    if (!signer) return state;
    const { email } = signer;
    return { ...state, signers: state.signers.map((it) => (it.id === signerId ? { ...it, email } : it)) };
  }

  /** Adds the signers' addresses, which status and list do not show. */
  async withEmails(state: SignatureState): Promise<NamedState> {
    const signers: NamedState['signers'] = [];
    for (const signer of state.signers) {
      signers.push({ ...signer, email: signer.email ?? (await this.#emailOf(state.signId, signer.id)) });
    }
    return { ...state, signers };
  }

  async #emailOf(signId: string, signerId: string): Promise<string> {
    try {
      return (await this.getSigner(signId, signerId)).email;
    } catch (error) {
      // The signature request itself exists, so this is not its "not found".
      if (!isProviderError(error, 'not_found')) throw error;
      throw new ProviderError('unavailable', 'signature provider did not say who a signer is', {
        cause: error,
      });
    }
  }

  /** Throws a ProviderError, `not_found` only when the provider says so twice: when its list does not hold it either. */
  async getSignatureStatus({ signId, externalId }: KnownSignature): Promise<SignatureState> {
    try {
      return state((await this.#http.json(get(requestPath(signId)), stateSchema, signId)).body);
    } catch (error) {
      if (!isProviderError(error, 'not_found')) throw error;
      const listed = await this.#listed(externalId).catch((cause: unknown) => {
        // The address itself is wrong.
        if (!isProviderError(cause, 'not_found')) throw cause;
        throw new ProviderError('unavailable', error.message, { cause, refusal: error.refusal });
      });
      const found = listed.find((one) => one.signId === signId);
      if (found) return found;
      throw error;
    }
  }

  async #listed(externalId: string | null): Promise<SignatureState[]> {
    if (externalId !== null) return this.findByExternalId(externalId);
    return (await this.listSignatures()).signatures;
  }

  async findByExternalId(externalId: string): Promise<SignatureState[]> {
    const read = async (after: string | undefined) => {
      const query = { 'external_id[eq]': externalId, limit: '100', ...(after && { after }) };
      const { body } = await this.#http.json(get('/signature_requests', query), pageSchema);
      return { items: body.data.map(state), next: body.meta.next_cursor ?? undefined };
    };
    const named: SignatureState[] = [];
    for await (const page of newOnEachPage(read, ({ signId }) => signId)) {
      // Filter again: an API that ignores the filter returns everything.
      named.push(...page.filter((found) => found.externalId === externalId));
    }
    return named;
  }

  /** A page of 100 signature requests, and how long to wait before the next. */
  async listSignatures(cursor?: string) {
    const { body, headers } = await this.#http.json(
      get('/signature_requests', { limit: '100', ...(cursor && { after: cursor }) }),
      pageSchema,
    );
    return {
      signatures: body.data.map(state),
      nextCursor: body.meta.next_cursor ?? undefined,
      waitMs: rateWaitMs(headers),
    };
  }

  /** Asks for one signature request and returns the answer's time, if any. Throws a ProviderError. */
  async probe({ withinMs }: { withinMs?: number } = {}): Promise<Date | undefined> {
    const call = { ...get('/signature_requests', { limit: '1' }), withinMs };
    const { headers } = await this.#http.json(call, pageSchema);
    const saidAt = Date.parse(headers.get('date') ?? '');
    return Number.isNaN(saidAt) ? undefined : new Date(saidAt);
  }

  /** Corrects a signer who has not signed; the provider mails the link again. Returns the new link, if it shows one. */
  async updateSigner(signId: string, signerId: string, signer: Signer) {
    const path = signerPath(signId, signerId);
    const info = { ...infoOf(signer), phone_number: signer.phone };
    // Saying it twice changes nothing.
    const call = { ...post(path, { info }), method: 'PATCH' as const, isSafeToRepeat: true };
    const { body } = await this.#http.json(call, signerSchema);
    return link(body);
  }

  /** The provider's own mail to a signer who has not signed; `rejected` when there is nothing to remind of. */
  async sendReminder(signId: string, signerId: string): Promise<void> {
    const path = `${signerPath(signId, signerId)}/send_reminder`;
    await this.#http.json(post(path, {}), z.unknown());
  }

  /** Cancels an open signature request; `rejected` when it is no longer open. */
  async cancel(known: KnownSignature, note: string): Promise<void> {
    const { signId } = known;
    const reason = { reason: 'contractualization_aborted', custom_note: note };
    const { body } = await this.#http.json(post(`${requestPath(signId)}/cancel`, reason), z.unknown());
    if (createdSchema.safeParse(body).data?.id === signId) return;
    // The answer was not in the provider's form, so ask for the state.
    const { status } = await this.getSignatureStatus(known);
    if (status === 'ongoing' || status === 'approval') {
      throw new ProviderError('unavailable', 'signature provider did not cancel the signature');
    }
  }

  /** Deletes a draft for good; `rejected` when it is no longer one, `not_found` when it is gone. */
  async deleteDraft(signId: string): Promise<void> {
    const path = requestPath(signId);
    const query = { permanent_delete: 'true' };
    await this.#http.json({ method: 'DELETE', path, query, isSafeToRepeat: true }, z.unknown());
  }

  downloadDocument<T>(signId: string, use: (pdf: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T> {
    const call = get(`${requestPath(signId)}/documents/download`, { version: 'completed' });
    return this.#http.stream({ ...call, headers: { accept: 'application/pdf' } }, use);
  }

  /** Streams the audit trail of all signers as a PDF to `use`; throws a ProviderError, see `isNotReady`. */
  downloadAuditTrail<T>(signId: string, use: (pdf: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T> {
    const call = get(`${requestPath(signId)}/audit_trails/download`, { merge: 'true' });
    return this.#http.stream({ ...call, headers: { accept: 'application/pdf' } }, use);
  }

  streamAuditTrail<T>(
    signId: string,
    signerId: string,
    use: (json: AsyncIterable<Uint8Array>) => Promise<T>,
  ): Promise<T> {
    const path = `${signerPath(signId, signerId)}/audit_trails`;
    return this.#http.stream(get(path), use);
  }
}

/** The provider's audit trail lags behind the signature. */
export function isNotReady(error: unknown): boolean {
  return error instanceof ProviderError && error.type === 'audit_trail.not_ready_for_download';
}

const requestPath = (signId: string) => `/signature_requests/${encodeURIComponent(signId)}`;

const signerPath = (signId: string, signerId: string) =>
  `${requestPath(signId)}/signers/${encodeURIComponent(signerId)}`;

const post = (path: string, body: object) => ({ method: 'POST' as const, path, body, isSafeToRepeat: false });

function infoOf({ firstName, lastName, email, phone, locale }: Signer) {
  const names = { first_name: firstName, last_name: lastName };
  return { ...names, email, ...(phone && { phone_number: phone }), locale };
}

/** The wait until there are more calls, when few are left this minute or none this hour. */
function rateWaitMs(headers: Headers): number {
  const left = (window: string) => Number(headers.get(`x-ratelimit-remaining-${window}`) ?? Infinity);
  if (left('minute') > 2 && left('hour') > 2) return 0;
  return (Number(headers.get('ratelimit-reset')) || 60) * 1000;
}
