/**
 * Back-office sessions: 256 random bits in a cookie, stored as a digest. They end after two hours without a call,
 * after twelve in any case, and at once when the password changes or the account is disabled.
 */
import { hash, randomBytes } from 'node:crypto';
import {
  deleteExpiredSessions,
  deleteOtherSessions,
  deleteSession,
  findSession,
  insertSession,
  listSessionsOf,
  setSessionFlash,
  setSessionSeen,
} from '../../db/users/log-ins.js';
import { requireUser } from '../../db/users/users.js';
import type { SessionRow, UserRow } from '../../db/schema.js';
import { addMs, iso, HOUR_MS, MINUTE_MS } from '../clock.js';
import type { Context } from '../context.js';
import { findLetIn } from './users.js';

const IDLE_MS = 2 * HOUR_MS;
const LIFETIME_MS = 12 * HOUR_MS;
/** The precision of the last call's time; a write per page would cost more than the page. */
const SEEN_EVERY_MS = MINUTE_MS;
const AGENT_LENGTH_MAX = 255;

export type { SessionRow };

export interface OpenSession {
  session: SessionRow;
  user: UserRow;
}

/** A message that the next page shows once. */
export interface Flash {
  type: 'success' | 'info' | 'danger';
  message: string;
}

/** The token of a new session; undefined when the account was disabled or got a new password meanwhile. */
export function beginSession(
  ctx: Context,
  user: UserRow,
  from: { address: string; agent: string },
): Promise<string | undefined> {
  const token = randomBytes(32).toString('base64url');
  const now = ctx.clock.now();
  return ctx.writer.write((db) => {
    if (!findLetIn(db, user)) return undefined;
    deleteExpiredSessions(db, { before: iso(now) });
    insertSession(db, {
      userId: user.id,
      tokenHash: hash('sha256', token),
      tokenVersion: user.tokenVersion,
      address: from.address,
      agent: from.agent.slice(0, AGENT_LENGTH_MAX),
      now: iso(now),
      expiresAt: iso(addMs(now, LIFETIME_MS)),
    });
    return token;
  });
}

/** The session of a token and its user; undefined when it has ended or never existed. */
export async function openSession(ctx: Context, token: string): Promise<OpenSession | undefined> {
  const session = findSession(ctx.db, { tokenHash: hash('sha256', token) });
  if (!session) return undefined;
  const user = requireUser(ctx.db, { id: session.userId });
  if (!isAlive(ctx, session, user)) return undefined;
  const now = ctx.clock.now();
  if (session.lastSeenAt <= iso(addMs(now, -SEEN_EVERY_MS))) {
    await ctx.writer.write((db) => setSessionSeen(db, { id: session.id, lastSeenAt: iso(now) }));
  }
  return { session, user };
}

function isAlive(ctx: Context, session: SessionRow, user: UserRow): boolean {
  const now = ctx.clock.now();
  const isUsed = session.lastSeenAt > iso(addMs(now, -IDLE_MS));
  return (
    isUsed && session.expiresAt > iso(now) && user.enabled === 1 && user.tokenVersion === session.tokenVersion
  );
}

/** The user's valid sessions, newest first. */
export function listSessions(ctx: Context, user: UserRow): SessionRow[] {
  return listSessionsOf(ctx.db, { userId: user.id }).filter((session) => isAlive(ctx, session, user));
}

/** Ends one session of the user; false when there is none. */
export function endSession(ctx: Context, user: UserRow, id: number): Promise<boolean> {
  return ctx.writer.write((db) => deleteSession(db, { id, userId: user.id }));
}

/** Ends all other sessions of the user; returns how many. */
export function endOtherSessions(ctx: Context, { session, user }: OpenSession): Promise<number> {
  return ctx.writer.write((db) => deleteOtherSessions(db, { id: session.id, userId: user.id }));
}

/** Stored with the session, so that nobody else can put a message on a page. */
export function setFlash(ctx: Context, { session }: OpenSession, flash: Flash): Promise<void> {
  return ctx.writer.write((db) => void setSessionFlash(db, { id: session.id, flash: JSON.stringify(flash) }));
}

/** Returns and removes the message for the next page. */
export async function clearFlash(ctx: Context, { session }: OpenSession): Promise<Flash | undefined> {
  if (session.flash === null) return undefined;
  await ctx.writer.write((db) => setSessionFlash(db, { id: session.id, flash: null }));
  return JSON.parse(session.flash);
}
