/** What all parts of the oracle share: our records, the truth at the providers, and where broken promises are told. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { FAIR } from '../network.js';
import { customerOf, type Outside, type Rows } from '../rules/facts.js';
import type { Known, Scene } from './scene.js';

export class Evidence {
  readonly world: Scene;
  readonly outside: Outside & { refused: Set<string>; givenUp: Set<string> };
  readonly counts: Record<string, number> = {};
  /** The newest entry of the history that has been looked at. */
  lastHistory = 0;
  restoredAt = -Infinity;
  #db: Database.Database | undefined;
  readonly #statements = new Map<string, Database.Statement>();

  constructor(world: Scene) {
    this.world = world;
    this.outside = {
      now: () => world.scheduler.now,
      signatures: world.providers.world.signatureRequests,
      sessions: world.providers.world.sessions,
      refused: new Set(),
      givenUp: new Set(),
      nameOf: this.nameOf,
    };
  }

  readonly rows: Rows = <T>(sql: string, ...values: unknown[]): T[] => {
    try {
      this.#db ??= new Database(join(this.world.office.dataDir, 'esign.db'), { fileMustExist: true });
      const statement = this.#statements.get(sql) ?? this.#db.prepare(sql);
      this.#statements.set(sql, statement);
      return statement.all(...values) as T[];
    } catch (error) {
      this.broken(`the data cannot be read: ${(error as Error).message}`);
      return [];
    }
  };

  ids(sql: string): Set<number> {
    return new Set(this.rows<{ id: number }>(sql).map(({ id }) => id));
  }

  /** False while nobody reads: a restore is under way. */
  get isOpen(): boolean {
    return this.#db !== undefined;
  }

  close(): void {
    this.#db?.close();
    this.#db = undefined;
    this.#statements.clear();
  }

  /** At which the service has the customer. */
  mailAddressOf({ id }: Pick<Known, 'id'>): string | undefined {
    return this.rows<{ username: string }>('SELECT username FROM users WHERE id = ?', id)[0]?.username;
  }

  /** Whose address it is or was; somebody else's address is their name. */
  readonly nameOf = (address: string): string => this.world.firm.at(address)?.name ?? address;

  /** Whose contract it is, whoever sees it. */
  customerOf(contractId: number): string {
    return customerOf(this.rows, this.outside, contractId);
  }

  /** Whether each call to a provider gets its true answer. */
  areProvidersSeen(): boolean {
    const { network, providers } = this.world;
    return network.weather === FAIR && providers.world.faults.list().length === 0;
  }

  readonly expect = (isSo: boolean, otherwise: string): void => {
    if (!isSo) this.broken(otherwise);
  };

  readonly tell = (findings: readonly string[]): void => {
    for (const each of findings) this.broken(each);
  };

  readonly broken = (words: string): undefined => {
    this.world.trace.broken(words);
  };

  count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }
}
