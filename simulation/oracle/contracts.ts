/** Looks at contracts as they go out, are signed and end, and at their PDFs. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SignatureRequest } from '../../sandbox/signature/types.js';
import { markOf } from '../people/contract-pdf.js';
import { detailOf, type Entry } from '../rules/claims.js';
import { forAnother, wrongDocument } from '../rules/documents.js';
import type { ContractRow, RequestRow } from '../rules/facts.js';
import { signableTwice, wrongLastDay } from '../rules/signatures.js';
import type { Evidence } from './evidence.js';
import type { Told } from './scene.js';

/** Of a name after its commit, on a slow disk. */
const SYNC_MS = 1_300;
/** How far the service's clock may be from the provider's before dates pass. */
const CLOCK_TOLERANCE_MS = 300_000;

export class Contracts {
  readonly #of: Evidence;
  /** By contract, in the world's time. */
  readonly #signedAt = new Map<number, number>();

  constructor(of: Evidence) {
    this.#of = of;
  }

  /** The contract has gone to its signer, whose story it is. */
  sent(request: SignatureRequest, isReminder: boolean): Told | undefined {
    const { rows, tell, expect, outside, restoredAt, world } = this.#of;
    const { externalId, createdAt, documents, signers } = request;
    const [contract] = rows<ContractRow>('SELECT * FROM contracts WHERE externalId = ?', externalId);
    // The provider reminds by itself, also of contracts that a restore has lost; and a call from before the restore may arrive after it.
    if (!contract && (isReminder || createdAt < restoredAt)) return undefined;
    if (!isReminder) this.#of.count('contracts sent');
    if (!contract)
      return this.#of.broken(`a contract was sent under the name ${externalId}, which nobody here knows`);
    const { requestId } = contract;
    const story = this.#storyOf(requestId);
    const to = signers[0]?.info.email ?? '';
    const name = outside.nameOf(to);
    expect(!story || story.customer.name === name, `the contract of request ${requestId} went to ${to}`);
    tell(signableTwice(rows, outside, requestId));
    for (const { content } of documents) tell(forAnother(content, { to, name }, 'the document to sign'));
    tell(wrongLastDay(request, contract, world.plan));
    return story;
  }

  /** Undefined when, after a restore, the story of this number is about another request. */
  #storyOf(requestId: number): Told | undefined {
    const story = this.#of.world.stories.get(requestId);
    const [request] = this.#of.rows<RequestRow>('SELECT * FROM requests WHERE id = ?', requestId);
    return story?.title === request?.title ? story : undefined;
  }

  signed(contract: ContractRow): void {
    this.#of.count('signed');
    this.#signedAt.set(contract.id, this.#of.world.scheduler.now);
    this.holdsPdf(contract);
  }

  /** Our clock may only count alone while the provider's cannot be seen. */
  ended({ id, expiredAt, signedAt }: ContractRow, reason: string): void {
    this.#of.count(`ended: ${reason}`);
    if (reason !== 'date_passed' || signedAt !== null) return;
    const hasPassed = Date.parse(expiredAt ?? '') <= this.#of.outside.now() + CLOCK_TOLERANCE_MS;
    this.#of.expect(
      !this.#of.areProvidersSeen() || hasPassed,
      `contract ${id}, which can be signed until ${expiredAt}, has expired`,
    );
  }

  /**
   * Names are random: nobody else has one of ours. A restore may bring back an older address of the customer, while the
   * record bears the corrected one, which the data then do not know: it could be anybody's. Until the address is corrected
   * again, the service must take nothing from it. A contract that was made while the clock was ahead has a record that seems older than the contract.
   */
  foreign(entry: Entry, { id, createdAt, signerEmail }: ContractRow): void {
    const { outside, counts, world } = this.#of;
    const there = world.providers.world.signatureRequests.get(detailOf(entry)['signId'] ?? '');
    const signer = there?.signers[0]?.info.email;
    const customer = this.#of.customerOf(id);
    const isOwn = outside.nameOf(signer ?? '') === customer;
    const isOlder = there !== undefined && there.createdAt + CLOCK_TOLERANCE_MS < Date.parse(createdAt);
    if (isOlder && (isOwn || signer === undefined))
      return this.#of.count('records that seem older than their contracts');
    const known = world.firm.customers
      .filter(({ name }) => name === customer)
      .map((one) => this.#of.mailAddressOf(one));
    if (isOwn && counts['restores'] && ![...known, signerEmail].includes(signer))
      return this.#of.count('corrections lost by a restore');
    this.#of.broken(`contract ${id} has the name of somebody else's record: ${entry.detail}`);
  }

  /** The document on disk is the one that its contract promises. */
  holdsPdf(contract: ContractRow): void {
    const { id, requestId } = contract;
    const content = this.#contentOf(contract);
    this.#of.tell(wrongDocument(contract, content));
    const story = this.#of.world.stories.get(requestId);
    const mark = /% (for .*)/.exec(content?.toString('latin1') ?? '')?.[1];
    if (story && mark !== undefined)
      this.#of.expect(
        mark === markOf(story.customer.name, story.title),
        `contract ${id} holds the document ${mark}`,
      );
  }

  /** Those whose PDF is genuine, and that were signed long enough ago for the last step, the sync of the file's name, to be over. */
  stored(): ContractRow[] {
    const since = this.#of.world.scheduler.now - SYNC_MS;
    return this.#signed().filter(
      (contract) =>
        (this.#signedAt.get(contract.id) ?? Infinity) < since &&
        wrongDocument(contract, this.#contentOf(contract)).length === 0,
    );
  }

  /** When everything has come to rest. */
  atRest(): void {
    for (const contract of this.#signed()) this.holdsPdf(contract);
  }

  #signed(): ContractRow[] {
    return this.#of.rows<ContractRow>('SELECT * FROM contracts WHERE pdfSha256 IS NOT NULL');
  }

  #contentOf({ id }: ContractRow): Buffer | undefined {
    const file = join(this.#of.world.office.dataDir, 'contracts', `${id}.pdf`);
    return existsSync(file) ? readFileSync(file) : undefined;
  }
}
