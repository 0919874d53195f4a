/** Who acts: written into the history with every change. */
export type Actor =
  | { kind: 'system'; name: 'webhook' | 'schedule' | 'job' | 'provider' | 'signal' | 'restart' | 'customer' }
  | { kind: 'user'; name: string }
  | { kind: 'cli'; name: string };

/** The actor as the history shows it: `webhook`, `user:anna@example.org`, `cli:root`. */
export function actorName(actor: Actor): string {
  return actor.kind === 'system' ? actor.name : `${actor.kind}:${actor.name}`;
}

export const WEBHOOK: Actor = { kind: 'system', name: 'webhook' };
export const SCHEDULE: Actor = { kind: 'system', name: 'schedule' };
/** Whoever followed the link of a mail; nobody has logged in. */
export const CUSTOMER: Actor = { kind: 'system', name: 'customer' };
export const JOB: Actor = { kind: 'system', name: 'job' };
/** SIGHUP. Who sent it is not known here; the system's own log may say. */
export const SIGNAL: Actor = { kind: 'system', name: 'signal' };
/** The daemon started with other settings. Who started it is not known here. */
export const RESTART: Actor = { kind: 'system', name: 'restart' };
