/** Everything about one person as one archive (rules 13). */
import { listEquipmentsOf } from '../../db/equipments/equipments.js';
import { basename } from 'node:path';
import { listPasswordLinksOf, listSessionsOf } from '../../db/users/log-ins.js';
import { listHistoryBy, listHistoryOfSubjects } from '../../db/users/erase.js';
import * as owned from '../../db/users/erase.js';
import type { HistoryRow, UserRow } from '../../db/schema.js';
import { change } from '../change.js';
import type { Context } from '../context.js';
import { headOf, type ExportOptions } from '../evidence/export-request.js';
import {
  type Missing,
  jsonText,
  writeArchive,
  type Content,
  type WrittenArchive,
} from '../evidence/write-archive.js';
import { mustBeFree } from '../evidence/new-file.js';
import { closeAll, contentsOfRequest } from '../evidence/request-contents.js';
import { factsOfUser } from '../evidence/request-facts.js';
import { pick } from '../pick.js';
import { SESSIONS } from '../resources/users.js';
import { documentOf } from '../resources/show.js';
import { sayIn } from '../texts/index.js';
import { getUser } from '../users/users.js';

/** Throws as `exportRequest`. */
export async function exportUser(
  ctx: Context,
  id: number,
  file: string,
  { offline = false, signal, ...by }: ExportOptions,
): Promise<WrittenArchive> {
  await mustBeFree(file);
  const user = getUser(ctx, id);
  const contents: Content[] = aboutAccount(ctx, user);
  const missing: Missing[] = [];
  try {
    for (const request of owned.listRequestsOfOwner(ctx.db, { ownerId: id })) {
      const collected = await contentsOfRequest(ctx, request, { actor: by.actor, offline });
      const below = <T extends { name: string }>(it: T): T => ({
        ...it,
        name: `${request.reference}/${it.name}`,
      });
      contents.push(...collected.contents.map(below));
      missing.push(...collected.missing.map(below));
    }
    const head = headOf(ctx, { kind: 'user', subject: user.username, missing });
    const written = await writeArchive(file, { head, contents, signal });
    const { sha256, files } = written;
    await change(ctx, by, (tx) =>
      tx.record('user.exported', null, { userId: id, sha256, files: files.length, reason: tx.reason }),
    );
    return written;
  } finally {
    await closeAll(contents);
  }
}

/** What the person did is told up to this many entries; more has only staff. */
const DEEDS_MAX = 100_000;

/** Without secrets: no digest of a password, token or key. */
function aboutAccount({ db, config }: Context, user: UserRow): Content[] {
  const { id: ownerId } = user;
  const say = sayIn(config.locale);
  const documents: Record<string, unknown> = {
    'user.json': factsOfUser(user),
    'equipments.json': listEquipmentsOf(db, { ownerId }),
    'offers.json': owned.listOffersOfOwner(db, { ownerId }),
    'troubleshootings.json': owned.listTroubleshootingsOfOwner(db, { ownerId }),
    'sessions.json': listSessionsOf(db, { userId: ownerId }).map((one) => documentOf(SESSIONS, one, config)),
    'password-links.json': listPasswordLinksOf(db, { userId: ownerId }).map((row) =>
      pick(row, 'purpose', 'createdAt', 'expiresAt', 'usedAt'),
    ),
    'webhooks.json': owned
      .listWebhooksOfOwner(db, { ownerId })
      .map((row) => pick(row, 'id', 'url', 'event', 'active', 'createdAt', 'updatedAt')),
    'account-history.json': listHistoryOfSubjects(db, { subjects: [`user:${ownerId}`] }).map(entryOf),
    'deeds.json': listHistoryBy(db, { actor: `user:${user.username}`, limit: DEEDS_MAX }).map(entryOf),
  };
  return Object.entries(documents).map(([name, document]) => ({
    name,
    about: say('evidence.about.account', { part: basename(name, '.json') }),
    bytes: jsonText(document),
  }));
}

function entryOf({ id, at, actor, what, requestId, contractId, detail }: HistoryRow) {
  return { id, at, actor, what, requestId, contractId, detail: JSON.parse(detail) };
}
