/** The numbered migrations, in order. One that has run anywhere is never edited; a new one is appended. */
import { sql as signatureStory } from './0001-signature-story.js';
import { sql as userCalls } from './0002-user-calls.js';
import { sql as administrators } from './0003-administrators.js';
import { sql as openPayments } from './0004-open-payments.js';
import { sql as listIndexes } from './0005-list-indexes.js';
import { sql as webhooks } from './0006-webhooks.js';
import { sql as idempotencyKeys } from './0007-idempotency-keys.js';
import { sql as requestCounts } from './0008-request-counts.js';
import { sql as backOffice } from './0009-back-office.js';
import { sql as offersAndTroubleshootings } from './0010-offers-and-troubleshootings.js';
import { sql as care } from './0011-care.js';
import { sql as failedDeliveries } from './0012-failed-deliveries.js';
import { sql as listFilters } from './0013-list-filters.js';
import { sql as cheaperWrites } from './0014-cheaper-writes.js';
import { sql as pendingPayments } from './0015-pending-payments.js';
import { sql as identity } from './0016-identity.js';
import { sql as failingRuns } from './0017-failing-runs.js';
import { sql as waitingSince } from './0018-waiting-since.js';
import { sql as probe } from './0019-probe.js';
import { sql as unfinishedStarts } from './0020-unfinished-starts.js';
import { sql as termsDigest } from './0021-terms-digest.js';
import { sql as kindsOfJobs } from './0022-kinds-of-jobs.js';
import { sql as typedFailures } from './0023-typed-failures.js';
import { sql as historyByAnything } from './0024-history-by-anything.js';
import { sql as canceledRequests } from './0025-canceled-requests.js';
import { sql as webhookErrors } from './0026-webhook-errors.js';
import { sql as search } from './0027-search.js';
import { sql as dueRequests } from './0028-due-requests.js';
import { sql as sentMails } from './0029-sent-mails.js';
import { sql as payTokens } from './0030-pay-tokens.js';
import { sql as lastReminders } from './0031-last-reminders.js';
import { sql as erasure } from './0032-erasure.js';
import { sql as wrongSigners } from './0033-wrong-signers.js';
import { sql as passwordLinks } from './0034-password-links.js';
import { sql as remindersOfOldPayments } from './0035-reminders-of-old-payments.js';
import { sql as settingsInForce } from './0036-settings-in-force.js';
import { sql as auditTrails } from './0037-audit-trails.js';
import { sql as trend } from './0038-trend.js';
import { sql as unknownSignatures } from './0039-unknown-signatures.js';
import { sql as locales } from './0040-locales.js';
import { sql as lists } from './0041-lists.js';
import { sql as copies } from './0042-copies.js';
import { sql as hold } from './0043-hold.js';
import { sql as failedByError } from './0044-failed-by-error.js';
import { sql as failedErrors } from './0045-failed-errors.js';
import { sql as draftDigests } from './0046-draft-digests.js';
import { sql as contractCounts } from './0047-contract-counts.js';
import { sql as paymentsThatCount } from './0048-payments-that-count.js';
import { sql as contractsByTime } from './0049-contracts-by-time.js';
import { sql as refusedSigners } from './0050-refused-signers.js';
import { sql as refusedStarts } from './0051-refused-starts.js';
import { sql as plainLists } from './0052-plain-lists.js';
import { sql as holders } from './0053-holders.js';

export interface Migration {
  /** Its place in the list, from 1: the value of `PRAGMA user_version` once it has run. */
  version: number;
  name: string;
  sql: string;
}

export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: '0001-signature-story', sql: signatureStory },
  { version: 2, name: '0002-user-calls', sql: userCalls },
  { version: 3, name: '0003-administrators', sql: administrators },
  { version: 4, name: '0004-open-payments', sql: openPayments },
  { version: 5, name: '0005-list-indexes', sql: listIndexes },
  { version: 6, name: '0006-webhooks', sql: webhooks },
  { version: 7, name: '0007-idempotency-keys', sql: idempotencyKeys },
  { version: 8, name: '0008-request-counts', sql: requestCounts },
  { version: 9, name: '0009-back-office', sql: backOffice },
  { version: 10, name: '0010-offers-and-troubleshootings', sql: offersAndTroubleshootings },
  { version: 11, name: '0011-care', sql: care },
  { version: 12, name: '0012-failed-deliveries', sql: failedDeliveries },
  { version: 13, name: '0013-list-filters', sql: listFilters },
  { version: 14, name: '0014-cheaper-writes', sql: cheaperWrites },
  { version: 15, name: '0015-pending-payments', sql: pendingPayments },
  { version: 16, name: '0016-identity', sql: identity },
  { version: 17, name: '0017-failing-runs', sql: failingRuns },
  { version: 18, name: '0018-waiting-since', sql: waitingSince },
  { version: 19, name: '0019-probe', sql: probe },
  { version: 20, name: '0020-unfinished-starts', sql: unfinishedStarts },
  { version: 21, name: '0021-terms-digest', sql: termsDigest },
  { version: 22, name: '0022-kinds-of-jobs', sql: kindsOfJobs },
  { version: 23, name: '0023-typed-failures', sql: typedFailures },
  { version: 24, name: '0024-history-by-anything', sql: historyByAnything },
  { version: 25, name: '0025-canceled-requests', sql: canceledRequests },
  { version: 26, name: '0026-webhook-errors', sql: webhookErrors },
  { version: 27, name: '0027-search', sql: search },
  { version: 28, name: '0028-due-requests', sql: dueRequests },
  { version: 29, name: '0029-sent-mails', sql: sentMails },
  { version: 30, name: '0030-pay-tokens', sql: payTokens },
  { version: 31, name: '0031-last-reminders', sql: lastReminders },
  { version: 32, name: '0032-erasure', sql: erasure },
  { version: 33, name: '0033-wrong-signers', sql: wrongSigners },
  { version: 34, name: '0034-password-links', sql: passwordLinks },
  { version: 35, name: '0035-reminders-of-old-payments', sql: remindersOfOldPayments },
  { version: 36, name: '0036-settings-in-force', sql: settingsInForce },
  { version: 37, name: '0037-audit-trails', sql: auditTrails },
  { version: 38, name: '0038-trend', sql: trend },
  { version: 39, name: '0039-unknown-signatures', sql: unknownSignatures },
  { version: 40, name: '0040-locales', sql: locales },
  { version: 41, name: '0041-lists', sql: lists },
  { version: 42, name: '0042-copies', sql: copies },
  { version: 43, name: '0043-hold', sql: hold },
  { version: 44, name: '0044-failed-by-error', sql: failedByError },
  { version: 45, name: '0045-failed-errors', sql: failedErrors },
  { version: 46, name: '0046-draft-digests', sql: draftDigests },
  { version: 47, name: '0047-contract-counts', sql: contractCounts },
  { version: 48, name: '0048-payments-that-count', sql: paymentsThatCount },
  { version: 49, name: '0049-contracts-by-time', sql: contractsByTime },
  { version: 50, name: '0050-refused-signers', sql: refusedSigners },
  { version: 51, name: '0051-refused-starts', sql: refusedStarts },
  { version: 52, name: '0052-plain-lists', sql: plainLists },
  { version: 53, name: '0053-holders', sql: holders },
];
