/** The signed PDFs exist and are those stored when the contracts were signed. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { listLastSigned, listSignedContracts } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import type { ContractRow } from '../../db/schema.js';
import type { Config } from '../settings/config.js';
import { everyRow } from '../calls/every-row.js';
import { command } from '../commands.js';
import { digestNow } from '../contracts/file-digest.js';
import { paths } from '../installation/paths.js';
import { failed, ok, partlyOk, type Check, type Extent } from './check.js';

const LOOKED_AT = 1_000;
const READING_MS_MAX = 3_000;
const NAMED = 5;

/** Checks those signed last, and reads as many of them in full as a few seconds allow; or all. */
export async function checkPdfs(
  { dataDir }: Config,
  db: Db,
  { isFull }: Extent,
  cut?: AbortSignal,
): Promise<Check> {
  const until = performance.now() + (isFull ? Infinity : READING_MS_MAX);
  const ids: Record<State, number[]> = { missing: [], damaged: [], genuine: [], not_read: [] };
  const contracts = isFull
    ? everyRow<ContractRow>((last, limit) => listSignedContracts(db, { after: last?.id ?? 0, limit }))
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
  const isOne = damaged.length === 1 && missing.length === 0;
  const fix = isOne
    ? command('contracts fetch-pdf', damaged[0] as number)
    : { ...command('check-signature'), options: ['--all'] };
  return failed(name, `of ${those}, ${wrong.join('; ')}`, ['Run: ', fix]);
}

function named(ids: number[]): string {
  return `contract ${ids.slice(0, NAMED).join(', ')}${ids.length > NAMED ? ' …' : ''}`;
}
