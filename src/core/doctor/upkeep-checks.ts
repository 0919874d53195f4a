/** What can be wrong in an intact database: a growing log, refused customers, missing PDFs, overdue work, failing scheduled runs, old copies. */
import { statSync } from 'node:fs';
import type { Db } from '../../db/db.js';
import { findHold } from '../../db/installation/installation.js';
import { findFailingRun, listFailingRuns } from '../../db/installation/runs.js';
import type { FailingName, FailingRunRow, UserRow, ContractRow } from '../../db/schema.js';
import { listUsers } from '../../db/users/users.js';
import { readCopies, type Copies } from '../backup/copies.js';
import { everyById } from '../calls/listing.js';
import { systemClock, MINUTE_MS } from '../clock.js';
import { listRuns, type ScheduledRun } from '../schedule/runs.js';
import type { Config } from '../settings/config.js';
import { text } from '../texts/index.js';
import { oneLine } from '../texts/plain.js';
import { nameWithAddress } from '../users/names.js';
import { isRefusedSigner, signerRefusal } from '../users/signer-fields.js';
import { command } from '../commands.js';
import { isHeld } from '../installation/hold.js';
import { firstDueAt } from '../jobs/due.js';
import { listUnknownPayments } from '../payment/unknown-payments.js';
import { paths } from '../installation/paths.js';
import { listPrices } from '../../db/prices/prices.js';
import { priceFault } from '../settings/currencies.js';
import { listUnpayableStarts } from '../prices/request-price.js';
import { thinSince } from '../payment/thin-events.js';
import { jobCounts } from '../status/depths.js';
import { failed, ok, someOf, warning, type Check, type Extent, partlyOk } from './check.js';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { listLastSigned, listSignedContracts } from '../../db/contracts/contracts.js';
import { digestNow } from '../contracts/proven-files.js';

export async function checkUpkeep(
  config: Config,
  db: Db,
  isDaemonRunning: boolean,
  extent: Extent,
  cut?: AbortSignal,
): Promise<Check[]> {
  return [
    ...checkHold(db),
    checkLog(config),
    ...checkSigners(db),
    await checkPdfs(config, db, extent, cut),
    checkJobs(db, isDaemonRunning),
    ...checkPayments(config, db),
    ...checkUnknownPayments(db),
    ...checkRuns(config, db),
  ];
}

const NAMED_MAX = 5;

function checkUnknownPayments(db: Db): Check[] {
  const unknown = listUnknownPayments(db, NAMED_MAX + 1).map(({ paymentId }) => paymentId);
  const message = `paid for contracts that are not in the data, probably lost in a restore: ${someOf(unknown)}`;
  return unknown.length > 0
    ? [warning('payments unknown here', message, ['See each: ', command('todo')])]
    : [];
}

/** What would keep customers from paying, or us from hearing of it; only if there is any. */
export function checkPayments(config: Config, db: Db): Check[] {
  return [...checkEndpoint(config, db), ...checkPrices(config, db)];
}

function checkEndpoint(config: Config, db: Db): Check[] {
  const since = thinSince(db, config);
  if (since === undefined) return [];
  const message = `since ${since} it has sent only thin events; they are rejected, because they do not say what was paid`;
  const fix =
    'In the payment provider’s console, switch the endpoint to snapshot payloads, with the events checkout.session.*.';
  return [failed('payment webhook', message, fix)];
}

/** Of the newest requests that were not started, in each of their statuses. */
const STARTS_LOOKED_AT = 1_000;

function checkPrices(config: Config, db: Db): Check[] {
  const wrong = listPrices(db).filter((price) => priceFault(price) || price.currency !== config.currency);
  const found = listUnpayableStarts({ config }, db, STARTS_LOOKED_AT).map(({ reference }) => reference);
  const [listed] = wrong;
  const [first] = found;
  return [
    ...(listed
      ? [
          warning(
            'price list',
            `prices in another currency than ${config.currency}, or that the payment provider does not accept: ${someOf(wrong.map(({ words }) => words))}`,
            ['Set them again: ', { ...command('prices set', listed.words), options: ['…'] }],
          ),
        ]
      : []),
    ...(first
      ? [
          warning(
            'prices',
            `requests that cannot be started, because the payment provider does not accept their price: ${someOf(found)}`,
            ['Give them another price. This shows why: ', command('explain', first)],
          ),
        ]
      : []),
  ];
}

function checkHold(db: Db): Check[] {
  const hold = findHold(db);
  if (!hold) return [];
  const message = `the data was restored from a backup of ${hold.madeAt} and is held: nothing is sent`;
  return [
    failed('restore', message, ['Compare it with the providers and end the hold: ', command('takeover')]),
  ];
}

const MEGABYTE = 1024 * 1024;
const LOG_BYTES_MAX = 256 * MEGABYTE;

/** The log is folded into the database regularly; one that grows has a reader that never ends. */
function checkLog({ dataDir }: Config): Check {
  const bytes = statSync(`${paths.database(dataDir)}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const message = `${Math.ceil(bytes / MEGABYTE)} MB not yet written to the database file`;
  return bytes > LOG_BYTES_MAX
    ? warning('write-ahead log', message, [
        'End the program that keeps reading the database, such as an sqlite3 shell or a hanging copy. Then run: ',
        command('prune'),
      ])
    : ok('write-ahead log', message);
}

/** The daemon would run due work within milliseconds. */
const OVERDUE_MS = 300_000;

function checkJobs(db: Db, isDaemonRunning: boolean): Check {
  const name = 'work';
  const due = firstDueAt(db);
  const lateMs = due === undefined || isHeld({ db }) ? 0 : systemClock.now().getTime() - Date.parse(due);
  if (lateMs > OVERDUE_MS) {
    const message = `jobs have been due for ${Math.round(lateMs / MINUTE_MS)} minutes`;
    return isDaemonRunning
      ? failed(name, `${message}, although esignd runs`, 'See its log, then: systemctl restart esignd')
      : failed(name, message, 'Start the daemon: systemctl start esignd');
  }
  const { failed: lost } = jobCounts({ db });
  if (lost === 0) return ok(name, 'nothing is late, and nothing has failed for good');
  return warning(name, lost === 1 ? '1 job has failed for good' : `${lost} jobs have failed for good`, [
    'Look: ',
    { ...command('failed list'), options: ['--stats'] },
  ]);
}

export function checkRuns(config: Config, db: Db): Check[] {
  const data = { config, db, clock: systemClock };
  const [runs, copies] = [listRuns(data), readCopies(data)];
  return [
    ...checkMails(db),
    checkScheduled(config, db),
    checkTimes(runs),
    checkBackups(config, runs, copies),
    checkOffSite(config, copies),
  ];
}

/** Only while the mail server refuses ours: a greeting does not show that. */
function checkMails(db: Db): Check[] {
  const refused = findFailingRun(db, { name: 'mail' });
  if (!refused) return [];
  const { since, times, error } = refused;
  return [
    failed('mails', `refused ${times === 1 ? `at ${since}` : `${times} times since ${since}`}: ${error}`, [
      'The mail server refuses this machine, its log-in or its sender; the customers’ addresses are not the cause. Check user and password in ESIGN_SMTP_URL and the sender in ESIGN_MAIL_FROM. If the answer names a blocklist, have this machine removed from it. Mails are retried for three hours; after that, send the failed ones again: ',
      { ...command('failed replay'), options: ['--all', '--kind', 'send-mail'] },
    ]),
  ];
}

function checkScheduled(config: Config, db: Db): Check {
  const name = 'scheduled work';
  const failing = listFailingRuns(db).filter(({ name }) => name !== 'offsite' && name !== 'mail');
  if (failing.length === 0) return ok(name, 'no scheduled work is failing');
  const fixes = new Set(failing.map((each) => fixOf(config, each)));
  return failed(name, failing.map(messageOf).join('; '), [...fixes].join(' '));
}

function messageOf({ name, since, times, error }: FailingRunRow): string {
  const often = times === 1 ? `failed at ${since}` : `has failed ${times} times since ${since}`;
  return `the ${workName(name)} ${often}: ${error}`;
}

/** `daily expiry`, as mails and pages call it. */
function workName(run: FailingName): string {
  return text('en', `run.${run}`);
}

const NOT_PERMITTED = ['EROFS', 'EACCES', 'EPERM'];

function fixOf({ backupDir }: Config, { name, code }: FailingRunRow): string {
  if (name === 'backup' && code !== null && NOT_PERMITTED.includes(code)) {
    return (
      `Let the daemon write to ${backupDir}: its user must own it, and under systemd the unit must name it ` +
      `(systemctl edit esignd: [Service], ReadWritePaths=${backupDir}, NoExecPaths=${backupDir}). Then: systemctl restart esignd`
    );
  }
  return 'Fix the cause. It runs again at its next scheduled time, or at once after: systemctl restart esignd';
}

/** Each ran when it should have. Backups have a check of their own. */
function checkTimes(runs: readonly ScheduledRun[]): Check {
  const name = 'times of scheduled work';
  const late = runs.filter(({ run, isLate }) => isLate && run !== 'backup');
  if (late.length > 0) {
    const told = late.map(
      ({ run, lastAt }) => `the ${workName(run)} is late; last success: ${lastAt ?? 'never'}`,
    );
    return failed(
      name,
      told.join('; '),
      'Is esignd running? It catches up on missed runs when it starts: systemctl restart esignd',
    );
  }
  const next = runs.filter(({ run, nextAt }) => nextAt !== null && run !== 'backup');
  return ok(
    name,
    next.map(({ run, nextAt }) => `${workName(run)} next at ${nextAt}`).join(', ') || 'every schedule is off',
  );
}

/** The loss of the machine must not be the loss of the data. */
function checkOffSite({ offsiteMinutesMax }: Config, { offSite: { madeAt, where, isLate } }: Copies): Check {
  const name = 'off-site copy';
  if (madeAt === null && offsiteMinutesMax === undefined)
    return ok(name, 'made in another way, as ESIGN_OFFSITE_MAX_AGE says');
  if (madeAt === null) {
    const fix =
      'Set up esign-restic ("Off-site copies" in operations.md), or set ESIGN_OFFSITE_MAX_AGE=off if copies are made in another way.';
    return (isLate ? failed : warning)(name, 'there is none: if this machine is lost, so is its data', fix);
  }
  const message = `the newest dates from ${madeAt}, at ${where}`;
  return isLate
    ? failed(name, message, 'Look why none was sent since: journalctl -u esign-restic')
    : ok(name, message);
}

function checkBackups({ backupDir }: Config, runs: readonly ScheduledRun[], { here }: Copies): Check {
  const name = 'scheduled backups';
  const backup = runs.find(({ run }) => run === 'backup');
  if (backupDir === undefined || !backup) {
    if (here.madeAt !== null)
      return ok(name, `none are set up; the newest snapshot dates from ${here.madeAt}`);
    return warning(
      name,
      'none are set up',
      'Set ESIGN_BACKUP_DIR, preferably on another disk, unless backups are made some other way.',
    );
  }
  const { lastAt, isLate, nextAt } = backup;
  if (nextAt === null) return warning(name, 'their schedule is off', 'Set ESIGN_BACKUP_CRON.');
  if (isLate || lastAt === null) {
    return warning(
      name,
      lastAt === null ? 'none has been made yet' : `the newest dates from ${lastAt}`,
      'esignd makes one when it starts: systemctl restart esignd',
    );
  }
  return ok(name, `the newest dates from ${lastAt}, the next is due ${nextAt}`);
}

/** Customers whom the signature provider would refuse; only if there are any. */
function checkSigners(db: Db): Check[] {
  const found = refusedSigners(db, NAMED_MAX + 1).flatMap((user) => {
    const refusal = signerRefusal(user);
    return refusal ? [{ refusal, about: oneLine(nameWithAddress(user)) }] : [];
  });
  if (found.length === 0) return [];
  const named = found.slice(0, NAMED_MAX);
  const told = named.map(({ about, refusal }) => `${about}: ${Object.values(refusal.fields).join(' ')}`);
  const more = found.length > NAMED_MAX ? ['There are more.'] : [];
  return [
    warning(
      'customers',
      ['The signature provider would refuse these customers:', ...told, ...more].join(' '),
      [
        'Correct each: ',
        ...named.flatMap(({ refusal }, i) => (i === 0 ? [refusal.fix] : ['; ', refusal.fix])),
      ],
    ),
  ];
}

export function refusedSigners(db: Db, limit: number): UserRow[] {
  const found: UserRow[] = [];
  for (const user of everyById((part) => listUsers(db, part))) {
    if (isCustomer(user) && isRefusedSigner(user)) found.push(user);
    if (found.length === limit) break;
  }
  return found;
}

function isCustomer({ role, erasedAt }: UserRow): boolean {
  return role === 'ROLE_USER' && erasedAt === null;
}

// The signed PDFs exist and are those stored when the contracts were signed.

const LOOKED_AT = 1_000;
const READING_MS_MAX = 3_000;
const NAMED = 5;

/** Checks those signed last, and reads as many of them in full as a few seconds allow; or all. */
async function checkPdfs({ dataDir }: Config, db: Db, { isFull }: Extent, cut?: AbortSignal): Promise<Check> {
  const until = performance.now() + (isFull ? Infinity : READING_MS_MAX);
  const ids: Record<State, number[]> = { missing: [], damaged: [], genuine: [], not_read: [] };
  const contracts = isFull
    ? everyById((part) => listSignedContracts(db, part))
    : listLastSigned(db, { limit: LOOKED_AT });
  for (const contract of contracts) {
    const file = join(paths.contracts(dataDir), `${contract.id}.pdf`);
    ids[stateOf(file, contract, performance.now() < until)].push(contract.id);
    // The services are being asked meanwhile.
    await nextTurn();
    cut?.throwIfAborted();
  }
  return judge(ids, isFull);
}

type State = 'missing' | 'damaged' | 'genuine' | 'not_read';

function stateOf(file: string, { pdfSize, pdfSha256 }: ContractRow, mayRead: boolean): State {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return 'missing';
  if (size !== pdfSize) return 'damaged';
  if (!mayRead) return 'not_read';
  return digestNow(file) === pdfSha256 ? 'genuine' : 'damaged';
}

function judge({ missing, damaged, genuine, not_read }: Record<State, number[]>, isFull: boolean): Check {
  const name = 'signed PDFs';
  const looked = [missing, damaged, genuine, not_read].reduce((sum, { length }) => sum + length, 0);
  const isAll = isFull || (looked < LOOKED_AT && not_read.length === 0);
  const those = isAll ? `all ${looked}` : `the newest ${looked}`;
  const wrong = [
    ...(missing.length > 0 ? [`${missing.length} are missing: ${named(missing)}`] : []),
    ...(damaged.length > 0
      ? [`${damaged.length} differ from what was stored when they were signed: ${named(damaged)}`]
      : []),
  ];
  if (wrong.length === 0) {
    const fine = isAll ? ok : partlyOk;
    return fine(name, `${those} are present; ${genuine.length} were read and are genuine`);
  }
  const [one, ...others] = damaged;
  const isAlone = one !== undefined && others.length === 0 && missing.length === 0;
  const fix = isAlone
    ? command('contracts fetch-pdf', one)
    : { ...command('check-signature'), options: ['--all'] };
  return failed(name, `of ${those}, ${wrong.join('; ')}`, ['Run: ', fix]);
}

function named(ids: number[]): string {
  return `contract ${ids.slice(0, NAMED).join(', ')}${ids.length > NAMED ? ' …' : ''}`;
}
