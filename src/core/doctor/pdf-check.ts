/** The signed PDFs: there, and the ones that were stored when the contracts were signed. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listContracts } from '../../db/contract-lists.js';
import { listSignedContracts } from '../../db/contracts.js';
import type { Db } from '../../db/db.js';
import type { ContractRow } from '../../db/schema.js';
import type { Config } from '../config.js';
import { paths } from '../paths.js';
import { failed, ok, type Check } from './check.js';

const LOOKED_AT = 1_000;
const READING_MS_MAX = 3_000;
const NAMED = 5;
const ANY = { ownerId: null, status: null, request: null, createdAt: { from: null, until: null } };

/** The newest of them; read through, the newest first, as many as a few seconds allow. */
export function checkPdfs({ dataDir }: Config, db: Db): Check {
  const [newest] = listContracts(db, { filter: ANY, direction: 'desc', limit: 1, offset: 0 });
  const after = (newest?.id ?? 0) - LOOKED_AT;
  const signed = listSignedContracts(db, { after, limit: LOOKED_AT }).toReversed();
  const until = performance.now() + READING_MS_MAX;
  const missing: number[] = [];
  const damaged: number[] = [];
  let read = 0;
  for (const contract of signed) {
    const file = join(paths.contracts(dataDir), `${contract.id}.pdf`);
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    if (size === undefined) missing.push(contract.id);
    else if (size !== contract.pdfSize) damaged.push(contract.id);
    else if (performance.now() < until) {
      read += 1;
      if (!isGenuine(file, contract)) damaged.push(contract.id);
    }
  }
  return judge({ looked: signed.length, read, missing, damaged });
}

function isGenuine(file: string, { pdfSha256 }: ContractRow): boolean {
  return createHash('sha256').update(readFileSync(file)).digest('hex') === pdfSha256;
}

interface Found {
  looked: number;
  read: number;
  missing: number[];
  damaged: number[];
}

function judge({ looked, read, missing, damaged }: Found): Check {
  const name = 'signed PDFs';
  const wrong = [
    ...(missing.length > 0 ? [`${missing.length} are missing: ${named(missing)}`] : []),
    ...(damaged.length > 0
      ? [`${damaged.length} differ from what was stored when they were signed: ${named(damaged)}`]
      : []),
  ];
  if (wrong.length === 0)
    return ok(name, `the newest ${looked} are there; ${read} were read and are genuine`);
  const [first] = damaged;
  const command = first === undefined ? 'check-signature --all' : `contracts fetch-pdf ${first}`;
  return failed(name, `of the newest ${looked}, ${wrong.join('; ')}`, `Run: esignctl ${command}`);
}

function named(ids: number[]): string {
  return `contract ${ids.slice(0, NAMED).join(', ')}${ids.length > NAMED ? ' …' : ''}`;
}
