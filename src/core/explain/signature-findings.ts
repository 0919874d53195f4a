/** Why a request is not signed. The first rule that applies answers. */
import type { ContractRow } from '../../db/schema.js';
import { command, type Command } from '../commands.js';
import { ProviderError } from '../http/provider-error.js';
import { endAfter, PROVIDER_ENDS, type EndReason, type UnsignedEnd } from '../lifecycle.js';
import { unpayable } from '../payment/price.js';
import type { Price } from '../settings/currencies.js';
import { isPast, type SignatureAnswer } from '../signature/decide.js';
import type { Seen } from '../signature/observe.js';
import { decideHere } from '../signature/reconcile.js';
import { standingOf, type SignatureStanding } from '../signature/standing.js';
import { saidParts, type Said } from '../texts/index.js';
import { plainly } from '../texts/plain.js';
import { outcomeWords } from '../webhooks/words.js';
import { signerRefusal } from '../users/signer-fields.js';
import { finding, withReason, type Facts, type Finding } from './finding.js';
import { setEmail, unfinishedJob } from './job-findings.js';
import { providerUnusable, webhookMissed } from './provider-findings.js';
import { fullName } from '../users/names.js';

/** Before the contract is sent: `new`, `in_progress`. */
export function startFinding(facts: Facts): Finding {
  const { contract } = facts.file;
  if (facts.isBusy) return finding(facts, 'busy');
  const begun = BEGUN.includes(standing(facts)) ? contract : undefined;
  const price = facts.priceOf(facts.file.request);
  const found =
    (begun && sentAfterAll(facts, begun, 'start')) ??
    signerRefused(facts) ??
    unpayableBy(facts, price, 'unsent', null);
  if (found) return found;
  if (begun && facts.isSuppliedPdfLost)
    return finding(facts, 'start_unfinished', { cause: 'pdf_lost' }, withPdf(facts));
  if (begun) return unfinished(facts, begun, 'start');
  const end = contract && endOf(contract);
  if (end && isWayOut(end.reason)) return ended(facts, end, 'start');
  const { request } = facts.file;
  const isOld = request.status === 'new' && request.statusSince <= facts.newTooLongSince();
  return isOld
    ? finding(facts, 'new_too_long', { date: request.statusSince })
    : finding(facts, 'not_started');
}

const BEGUN: readonly SignatureStanding[] = ['unsent', 'asked'];

const WAYS_OUT: readonly string[] = [...PROVIDER_ENDS, 'signer_error', 'not_found'];

function isWayOut(word: string): word is UnsignedEnd | 'not_found' {
  return WAYS_OUT.includes(word);
}

/** An interrupted start or reset whose contract was sent, or may have been; undefined when the customer has nothing. */
function sentAfterAll(facts: Facts, contract: ContractRow, way: Way): Finding | undefined {
  const job = unfinishedJob(facts, 'complete-signature');
  if (job) return job;
  const seen = facts.view?.signature;
  if (!seen || seen instanceof ProviderError) {
    return standing(facts) === 'unsent' || contract.refusal !== null
      ? undefined
      : finding(facts, 'sent_unrecorded', { cause: 'unknown' });
  }
  const decided = decideHere(facts.ctx, facts.ctx.db, contract.id, {}, seen).answer;
  if (decided === 'not_sent') return undefined;
  if (isWayOut(decided)) return ended(facts, endBy(decided, seen), way);
  if (decided === 'signed' || decided === 'late')
    return finding(facts, 'sent_unrecorded', { cause: 'signed' });
  return isOpen(decided)
    ? finding(facts, 'sent_unrecorded', { cause: 'unsigned' })
    : statusUnknown(facts, seen);
}

function isOpen(decided: SignatureAnswer): boolean {
  return decided === 'ongoing' || decided === 'ongoing_but_closed';
}

function endBy(reason: UnsignedEnd | 'not_found', { state }: Seen): End {
  return { reason, declineReason: state?.declineReason ?? null };
}

function statusUnknown(facts: Facts, { state }: Seen): Finding {
  return finding(facts, 'status_unknown', { status: state?.status ?? '–' });
}

/** The customer has nothing: the provider refused the contract, or sending it was interrupted. */
function unfinished(facts: Facts, { refusal }: ContractRow, way: Way): Finding {
  const key = way === 'start' ? 'start_unfinished' : 'reset_unfinished';
  if (refusal === null) return finding(facts, key, { cause: 'interrupted' }, sendingBy(facts, way));
  const said: Said = JSON.parse(refusal);
  const why = saidParts(facts.ctx.config.locale, said);
  return finding(facts, key, { cause: 'refused', why }, afterRefusal(facts, said.words, way));
}

function afterRefusal(facts: Facts, words: Said['words'], way: Way): Command {
  // A reset sends a generated contract.
  if (words === 'provider_rejects_pdf' && way === 'start') return withPdf(facts);
  const isOurs = words.startsWith('provider_rejects') || words === 'provider_answered';
  // Asked just now, it answers: the key or the address was corrected. What it forbids, it may forbid still.
  const seen = facts.view?.signature;
  const answers = seen !== undefined && !(seen instanceof ProviderError);
  const isFixed = answers && words !== 'provider_forbids';
  return isOurs || isFixed ? sendingBy(facts, way) : command('doctor');
}

function withPdf({ file }: Facts): Command {
  return { ...command('start-signature', file.request.id), options: ['--pdf', '…'] };
}

/** The provider would refuse the customer; undefined: it would not. */
function signerRefused(facts: Facts): Finding | undefined {
  const { customer } = facts.file;
  const refusal = signerRefusal(customer);
  if (!refusal) return undefined;
  const { username: email } = customer;
  const { fields, letter, fix } = refusal;
  if ('username' in fields) return finding(facts, 'signer_invalid', { cause: 'email', email }, fix);
  const name = fullName(customer) || '–';
  return letter === undefined
    ? finding(facts, 'signer_invalid', { cause: 'name', name, email }, fix)
    : finding(facts, 'signer_invalid', { cause: 'letter', name, email, letter: plainly(letter) }, fix);
}

/** Nobody could pay the price: of its offer, or of a contract that was sent before a start looked at that. */
function unpayableBy(
  facts: Facts,
  price: Price,
  cause: 'unsent' | 'sent',
  next: Command | null,
): Finding | undefined {
  const found = unpayable(facts.ctx.config.locale, price);
  return found && finding(facts, 'unpayable', { cause, ...found }, next);
}

/** While the request waits for the signature. */
export function signatureFinding(facts: Facts): Finding {
  const { file, view } = facts;
  const { contract } = file;
  if (facts.isBusy) return finding(facts, 'busy');
  if (!contract) return resetUnfinished(facts, 'missing');
  if (BEGUN.includes(standing(facts))) {
    return sentAfterAll(facts, contract, 'reset') ?? unfinished(facts, contract, 'reset');
  }
  const seen = view?.signature;
  if (!seen) return byRecords(facts, contract);
  if (!(seen instanceof ProviderError)) return bySeen(facts, contract, seen);
  return contract.status === 'EXPIRED'
    ? byRecords(facts, contract)
    : providerUnusable(facts, 'signature', seen);
}

/** What a check would answer. */
function bySeen(facts: Facts, contract: ContractRow, seen: Seen): Finding {
  const decided = decideHere(facts.ctx, facts.ctx.db, contract.id, {}, seen).answer;
  if (decided === 'foreign') return foreign(facts);
  if (isWayOut(decided)) return ended(facts, endBy(decided, seen));
  if (decided === 'late') return signedLate(facts, contract);
  if (decided === 'signed')
    return unfinishedJob(facts, 'complete-signature') ?? webhookMissed(facts, 'signature', contract.signId);
  if (seen.theirs.is === 'draft') return resetUnfinished(facts, 'draft');
  if (!isOpen(decided)) return statusUnknown(facts, seen);
  if (contract.status === 'EXPIRED') return openThere(facts, contract);
  if (decided === 'ongoing_but_closed') return ended(facts, DATE_PASSED);
  return (
    whileOpen(facts, contract) ?? finding(facts, 'waiting_for_customer', { date: contract.expiredAt ?? '–' })
  );
}

function standing({ file: { request, contract, now } }: Facts): SignatureStanding {
  return standingOf(request, contract, now);
}

/** From our own records, without asking the provider. */
function byRecords(facts: Facts, contract: ContractRow): Finding {
  const stands = standing(facts);
  if (stands === 'foreign') return foreign(facts);
  if (stands === 'late') return signedLate(facts, contract);
  const job = unfinishedJob(facts, 'complete-signature');
  if (job) return job;
  if (stands === 'ended') return ended(facts, endOf(contract));
  if (stands === 'past') return ended(facts, DATE_PASSED);
  return whileOpen(facts, contract) ?? finding(facts, 'signature_not_asked');
}

/** Why the customer does not sign what could be signed. */
function whileOpen(facts: Facts, contract: ContractRow): Finding | undefined {
  const { id, signUrlExpiresAt } = contract;
  if (signUrlExpiresAt !== null && signUrlExpiresAt <= facts.file.now)
    return finding(facts, 'sign_link_over', {}, command('contracts show', id));
  return (
    unpayableBy(facts, contract, 'sent', sendingBy(facts, 'reset')) ??
    signerDiffers(facts, contract) ??
    signerRefusedThere(facts, contract)
  );
}

/** The customer's address was corrected here, but not yet at the provider. */
function signerDiffers(facts: Facts, { id, signerEmail }: ContractRow): Finding | undefined {
  const { customer, jobs } = facts.file;
  const { username } = customer;
  if (signerEmail === null || signerEmail.toLowerCase() === username.toLowerCase()) return undefined;
  const job = jobs.findLast(({ kind, contractId }) => kind === 'correct-signer' && contractId === id);
  const isUnderWay = job?.state === 'running' || (job?.state === 'available' && job.attempt === 0);
  if (isUnderWay) return finding(facts, 'busy');
  const told = { old: signerEmail, error: outcomeWords(facts.say, job?.lastError ?? '–') };
  return finding(facts, 'signer_differs', told, command('users set-email', username, username));
}

/** The customer could not sign; or the provider's mail did not arrive, and the address was not corrected since. */
function signerRefusedThere(facts: Facts, contract: ContractRow): Finding | undefined {
  if (contract.failedSigningAt !== null) return ended(facts, { reason: 'signer_error', declineReason: null });
  const isRefused = facts.file.cases.some(
    ({ kind, contractId }) => kind === 'recipient_refused' && contractId === contract.id,
  );
  return isRefused ? finding(facts, 'signer_refused', {}, setEmail(facts)) : undefined;
}

function foreign(facts: Facts): Finding {
  return finding(facts, 'foreign_signature', { command: [setEmail(facts)] });
}

function signedLate(facts: Facts, { id }: ContractRow): Finding {
  const accept = withReason(command('contracts accept-late', id));
  return finding(facts, 'signature_case', { cause: 'late', command: [accept] }, sendingBy(facts, 'reset'));
}

/** The customer has signed, but not the contract that counts. */
export function oldContractSigned(facts: Facts): Finding[] {
  const { request, contract, contracts, cases } = facts.file;
  const told = cases.findLast(({ kind }) => kind === 'replaced_signed');
  const old = contracts.find(({ id }) => id === told?.contractId);
  if (request.status !== 'WAITING_SIGNATURE' || !contract || !told || !old) return [];
  const { signedAt }: { signedAt?: string | null } = JSON.parse(told.detail);
  const next = contracts.find(({ id }) => id > old.id) ?? contract;
  // The provider's times are whole seconds.
  const wasResetBefore = old.endReason === 'reset' && !isPast(signedAt ?? told.openedAt, next.createdAt);
  const cause = wasResetBefore ? 'replaced_before' : 'replaced_since';
  const params = { cause, old: old.id, contract: contract.id } as const;
  return [finding(facts, 'signature_case', params, command('contracts show', contract.id))];
}

/** We closed it, but at the provider it is open. */
function openThere(facts: Facts, contract: ContractRow): Finding {
  const { reason } = endOf(contract);
  if (reason === 'date_passed') return ended(facts, DATE_PASSED);
  const told = {
    cause: 'open_there',
    why: facts.say(`timeline.ended.${reason}`, { contract: contract.id }),
    again: facts.say('explain.again.reset'),
  } as const;
  return finding(facts, 'ended', told, sendingBy(facts, 'reset'));
}

/** The command that sends a contract. */
type Way = 'start' | 'reset';

interface End {
  reason: Exclude<EndReason, 'replaced' | 'request_canceled'>;
  declineReason: string | null;
}

const DATE_PASSED: End = { reason: 'date_passed', declineReason: null };

/** Why a contract was closed. */
function endOf(contract: ContractRow): End {
  const { endReason, failedSigningAt, declineReason } = contract;
  const reason = (endReason ?? 'date_passed') as End['reason'];
  return { reason: endAfter(reason, failedSigningAt !== null), declineReason };
}

function ended(facts: Facts, { reason, declineReason }: End, way: Way = 'reset'): Finding {
  if (reason === 'reset') return resetUnfinished(facts, 'closed');
  const [again, next] = [facts.say(`explain.again.${way}`), sendingBy(facts, way)];
  return reason === 'declined' && declineReason
    ? finding(facts, 'ended', { cause: 'declined_because', reason: declineReason, again }, next)
    : finding(facts, 'ended', { cause: reason, again }, next);
}

function resetUnfinished(facts: Facts, cause: 'missing' | 'draft' | 'closed'): Finding {
  return finding(facts, 'reset_unfinished', { cause }, sendingBy(facts, 'reset'));
}

function sendingBy({ file }: Facts, way: Way): Command {
  return command(`${way}-signature`, file.request.id);
}
