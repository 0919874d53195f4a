/** Watches who works on which job: while its process lives and its lease holds, nobody else takes it away. */
import { pidOf } from '../../src/core/installation/process.js';
import type { Process } from '../machine/scheduler.js';
import type { Evidence } from './evidence.js';

interface Running {
  id: number;
  kind: string;
  leaseToken: string;
  leaseHolder: string;
  leaseUntil: string;
}

export class Leases {
  readonly #of: Evidence;
  #running = new Map<number, Running>();

  constructor(of: Evidence) {
    this.#of = of;
  }

  /** After each commit, with the process that made it. */
  committed(process: Process): void {
    const sql = "SELECT id, kind, leaseToken, leaseHolder, leaseUntil FROM jobs WHERE state = 'running'";
    const running = new Map(this.#of.rows<Running>(sql).map((job) => [job.id, job]));
    for (const job of this.#running.values()) {
      if (running.get(job.id)?.leaseToken === job.leaseToken || pidOf(job.leaseHolder) === process.pid)
        continue;
      if (this.#holds(job))
        this.#of.broken(
          `job ${job.id} (${job.kind}) was taken from process ${job.leaseHolder}, which works on it, by ${process.name}`,
        );
    }
    this.#running = running;
  }

  /** The data is that of an older time. */
  restored(): void {
    this.#running.clear();
  }

  #holds({ leaseHolder, leaseUntil }: Running): boolean {
    const { scheduler, office } = this.#of.world;
    const isAlive = scheduler.processes.get(pidOf(leaseHolder) ?? 0)?.isAlive ?? false;
    const now = scheduler.now + office.machine.aheadMs;
    return isAlive && Date.parse(leaseUntil) > now && this.#of.world.areLeasesKept();
  }
}
