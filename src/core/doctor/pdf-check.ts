/** The signed PDFs exist and are those stored when the contracts were signed. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listContracts } from '../../db/contracts/lists.js';
import { listSignedContracts } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import type { ContractRow } from '../../db/schema.js';
import type { Config } from '../settings/config.js';
import { ANY_TIME } from '../calls/listing.js';
import { command } from '../commands.js';
import { paths } from '../installation/paths.js';
import { failed, ok, type Check } from './check.js';

const LOOKED_AT = 1_000;
const READING_MS_MAX = 3_000;
const NAMED = 5;
const ANY = { ownerId: null, status: null, request: null, createdAt: ANY_TIME };

/** Checks the newest ones, and reads as many of them in full as a few seconds allow. */
export function checkPdfs({ dataDir }: Config, db: Db): Check {
  const [newest] = listContracts(db, { filter: ANY, direction: 'desc', limit: 1, offset: 0 });
  const after = (newest?.id ?? 0) - LOOKED_AT;
  const signed = listSignedContracts(db, { after, limit: LOOKED_AT }).toReversed();
  const until = performance.now() + READING_MS_MAX;
  const states = signed.map((contract) => {
    const file = join(paths.contracts(dataDir), `${contract.id}.pdf`);
    return { id: contract.id, state: stateOf(file, contract, performance.now() < until) };
  });
  const inState = (state: State) => states.filter((each) => each.state === state).map(({ id }) => id);
  return judge(inState('missing'), inState('damaged'), {
    looked: signed.length,
    read: inState('genuine').length,
  });
}

type State = 'missing' | 'damaged' | 'genuine' | 'not_read';

function stateOf(file: string, { pdfSize, pdfSha256 }: ContractRow, mayRead: boolean): State {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return 'missing';
  if (size !== pdfSize) return 'damaged';
  if (!mayRead) return 'not_read';
  return createHash('sha256').update(readFileSync(file)).digest('hex') === pdfSha256 ? 'genuine' : 'damaged';
}

function judge(
  missing: number[],
  damaged: number[],
  { looked, read }: { looked: number; read: number },
): Check {
  const name = 'signed PDFs';
  const wrong = [
    ...(missing.length > 0 ? [`${missing.length} are missing: ${named(missing)}`] : []),
    ...(damaged.length > 0
      ? [`${damaged.length} differ from what was stored when they were signed: ${named(damaged)}`]
      : []),
  ];
  if (wrong.length === 0)
    return ok(name, `the newest ${looked} are present; ${read} were read and are genuine`);
  const isOne = damaged.length === 1 && missing.length === 0;
  const mend = isOne
    ? command('contracts fetch-pdf', damaged[0] as number)
    : { ...command('check-signature'), options: ['--all'] };
  return failed(name, `of the newest ${looked}, ${wrong.join('; ')}`, ['Run: ', mend]);
}

function named(ids: number[]): string {
  return `contract ${ids.slice(0, NAMED).join(', ')}${ids.length > NAMED ? ' …' : ''}`;
}
