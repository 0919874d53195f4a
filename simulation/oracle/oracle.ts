/**
 * Knows the truth, which is at the providers, and compares: after each commit of the service, at each mail and each new
 * session, and when everything has come to rest.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pidOf } from '../../src/core/installation/process.js';
import { dueAtOf } from '../../src/core/requests/due-date.js';
import type { RequestRow as ServiceRequestRow } from '../../src/db/schema.js';
import type { Process } from '../machine/scheduler.js';
import { claimedWrongly, contractOf, detailOf, ENTRIES, type Entry } from '../rules/claims.js';
import { heldUp, isOurs, misdelivered, toldTwice, untold } from '../rules/deliveries.js';
import { drifted, leftBehind, settledTwice } from '../rules/derived.js';
import { strayFiles } from '../rules/documents.js';
import { REQUESTS, type ContractRow, type RequestRow } from '../rules/facts.js';
import { countsWithAnotherPrice, pricedWrongly } from '../rules/money.js';
import { leftOpen, paidUnnoticed } from '../rules/payments.js';
import { owedAtRest, untrueAtRest } from '../rules/rest.js';
import { standWrong } from '../rules/standing.js';
import { USUAL_PRICE } from '../plan.js';
import { Answers } from './answers.js';
import { Contracts } from './contracts.js';
import { Evidence } from './evidence.js';
import { JobEnds, Leases } from './job-ends.js';
import { Letters, MAIL_MS } from './letters.js';
import { Runs } from './runs.js';
import type { Listener, Scene } from './scene.js';
import { Sessions } from './sessions.js';
import { Survival, type Kept } from './survival.js';

/** After this long nothing is left to be tried again that waits for nothing but a receiver's recovery. */
const SETTLED_MS = 3_600_000;

export class Oracle {
  readonly evidence: Evidence;
  readonly contracts: Contracts;
  readonly letters: Letters;
  readonly sessions: Sessions;
  readonly survival: Survival;
  readonly #answers: Answers;
  readonly #leases: Leases;
  readonly #jobEnds: JobEnds;
  readonly #runs: Runs;
  /** By receiver and id, what was delivered. */
  readonly #heard = new Map<string, string>();

  constructor(world: Scene) {
    const evidence = new Evidence(world);
    this.evidence = evidence;
    this.contracts = new Contracts(evidence);
    this.letters = new Letters(evidence);
    this.sessions = new Sessions(evidence);
    this.survival = new Survival(evidence, this.contracts);
    this.#answers = new Answers(evidence);
    this.#leases = new Leases(evidence);
    this.#jobEnds = new JobEnds(evidence, this.letters.jobs);
    this.#runs = new Runs(evidence);
    world.office.onStart = () => this.#startedClean();
  }

  /**
   * The data is that of a backup. Lost is what has happened since: requests and their moves, corrected addresses, and
   * which mails and deliveries have gone out, so that these may come again.
   */
  restored(kept: Kept): void {
    const { evidence } = this;
    evidence.count('restores');
    evidence.restoredAt = evidence.world.scheduler.now;
    this.survival.restored(kept);
    for (const part of [this.letters, this.#answers, this.#leases, this.#jobEnds, this.#runs])
      part.restored();
    evidence.lastHistory = evidence.rows<{ id: number }>('SELECT max(id) AS id FROM history')[0]?.id ?? 0;
    this.#addresses();
  }

  /** After each commit: what it says must be so at the providers at this moment. */
  committed(process: Process): void {
    const { rows, outside, world, tell } = this.evidence;
    this.#leases.committed(process);
    this.#jobEnds.committed();
    for (const row of rows<Entry>(ENTRIES, this.evidence.lastHistory)) {
      this.evidence.lastHistory = row.id;
      world.trace.add(
        `history ${row.what} request=${row.requestId} contract=${row.contractId} ${row.detail}`,
      );
      if (row.contractId !== null) this.#happened(row, contractOf(rows, row));
      tell(claimedWrongly(rows, outside, row));
      if (row.what.startsWith('user.')) this.#addresses();
    }
    this.letters.committed();
    this.#runs.committed();
  }

  #happened(row: Entry, contract: ContractRow): void {
    const { reason = '', to = '', paymentId = '' } = detailOf(row);
    switch (row.what) {
      case 'contract.created':
        return this.evidence.tell(pricedWrongly(this.evidence.rows, row, USUAL_PRICE));
      case 'contract.signed':
        return this.contracts.signed(contract);
      case 'contract.ended':
        return this.contracts.ended(contract, reason);
      case 'contract.foreign_signature':
        return this.contracts.foreign(row, contract);
      case 'request.moved':
        return this.#moved(contract, to, reason);
      case 'payment.session_created':
        this.sessions.asked(contract);
        return this.sessions.linked(paymentId);
      case 'payment.session_found':
        return this.sessions.linked(paymentId);
      case 'payment.renewed':
        this.evidence.count('payments renewed');
        break;
      case 'payment.given_up':
        return this.sessions.givenUp(contract);
      case 'payment.received':
        this.evidence.count('paid');
        return this.#counts(row, paymentId);
      case 'payment.old_session_paid':
      case 'payment.canceled_paid':
        this.letters.paidInVain(contract.requestId);
        return this.evidence.count('paid in vain');
      case 'payment.other_price':
        this.evidence.count('paid another price');
        return this.letters.paidInVain(contract.requestId);
      case 'payment.paid_unsigned':
        return this.letters.paidInVain(contract.requestId);
    }
  }

  #counts(row: Entry, paymentId: string): void {
    const { rows, world, tell } = this.evidence;
    tell(countsWithAnotherPrice(rows, row, world.providers.world.sessions.get(paymentId)));
  }

  #moved(contract: ContractRow, to: string, reason: string): void {
    const { requestId } = contract;
    if (to === 'new') this.letters.reopened(requestId);
    if (to !== 'COMPLETE' && to !== 'CANCELED') return;
    this.sessions.over(contract, to, reason);
    this.letters.over(requestId);
  }

  /** Customers log in by the address that they have now, and wonder about mail at the old one. */
  #addresses(): void {
    const { world } = this.evidence;
    for (const customer of world.firm.customers) {
      const address = this.evidence.mailAddressOf(customer);
      if (address === undefined || address === customer.client.person.username) continue;
      customer.client.rename(address);
      customer.correctedAt = world.scheduler.now;
    }
  }

  /** A receiver has got something. */
  heard(receiver: Listener, { id, body }: { id: string; body: string }): void {
    const { rows, expect, world, restoredAt } = this.evidence;
    const { url, owner } = receiver;
    this.evidence.count('deliveries');
    const before = this.#heard.get(`${url} ${id}`) ?? body;
    this.#heard.set(`${url} ${id}`, body);
    expect(before === body, `${url} got ${id} with other bytes than before`);
    // A call from before a restore may arrive after it.
    const mayBeOlder = world.scheduler.now < restoredAt + MAIL_MS;
    expect(mayBeOlder || isOurs(rows, url, id), `${url} got ${id}, which is no delivery of ours`);
    this.#isAtOnce(receiver, id);
    const { event, data } = JSON.parse(body) as { event: string; data: { id: number } };
    if (owner === undefined || !event.startsWith('request.')) return;
    const story = world.stories.get(data.id);
    expect(!story || story.customer.name === owner, `${url} of ${owner} heard of request ${data.id}`);
  }

  /** While the daemon runs, and nothing else is wrong than other receivers. */
  #isAtOnce({ wellSince }: Listener, id: string): void {
    const { rows, tell, world, restoredAt } = this.evidence;
    const { scheduler, network, office, disk, clockSetAt } = world;
    if (disk.isFull || clockSetAt !== -Infinity || restoredAt !== -Infinity) return;
    const since = Math.max(wellSince, network.fairSince, office.startedAt, disk.roomSince) + SETTLED_MS;
    tell(heldUp(rows, id, { now: scheduler.now, wellSince: since }));
  }

  /** Nothing goes wrong any more, and nothing is left to be done. */
  atRest(how: 'alone' | 'with help'): void {
    const { rows, outside, world, tell } = this.evidence;
    const requests = rows<RequestRow>(REQUESTS);
    this.survival.atRest(requests);
    for (const { status } of requests) this.evidence.count(`rest ${status}`);
    tell(standWrong(rows, outside, how));
    const twice = rows<RequestRow>('SELECT title FROM requests GROUP BY title HAVING count(*) > 1');
    tell(twice.map(({ title }) => `there are several requests for ${title}, and one was wanted`));
    this.contracts.atRest();
    tell(untrueAtRest(rows, outside));
    tell(settledTwice(rows));
    tell(drifted(rows));
    tell(this.#dueOtherwise());
    for (const receiver of world.firm.receivers) tell(misdelivered(rows, receiver));
    tell(toldTwice(rows));
    tell(leftOpen(rows, outside));
    tell(untold(rows, world.scheduler.now));
    if (how === 'with help') this.#atLast();
  }

  /** By the service's own rule. */
  #dueOtherwise(): string[] {
    const db = this.evidence.world.office.ctx?.db;
    return this.evidence.rows<ServiceRequestRow>('SELECT * FROM requests').flatMap((request) => {
      const due = db && dueAtOf(db, request);
      if (due === undefined || due === request.dueAt) return [];
      return [`request ${request.id} needs the office from ${due}, and its column says ${request.dueAt}`];
    });
  }

  /** A restored database may have no rows for files that were there before. */
  #files(): void {
    const { rows, tell, counts, world } = this.evidence;
    const { dataDir } = world.office;
    tell(leftBehind(readdirSync(dataDir, { recursive: true, encoding: 'utf8' })));
    if (counts['restores']) return;
    const contracts = rows<ContractRow>('SELECT * FROM contracts WHERE pdfSha256 IS NOT NULL');
    tell(strayFiles(contracts, readdirSync(join(dataDir, 'contracts'))));
  }

  /** What a process left half written that died before this start of the daemon. */
  #startedClean(): void {
    const { tell, world } = this.evidence;
    const { processes } = world.scheduler;
    const names = readdirSync(join(world.office.dataDir, 'contracts'));
    tell(leftBehind(names.filter((name) => !processes.has(pidOf(name.split('.').at(-3) ?? '') ?? 0))));
  }

  /** The office has helped. */
  #atLast(): void {
    const { rows, outside, tell } = this.evidence;
    this.letters.atRest();
    tell(owedAtRest(rows, outside));
    tell(paidUnnoticed(rows, outside));
    this.#files();
  }
}
