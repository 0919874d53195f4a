/** Runs `esignctl users list`. */
import { listUsers } from '../../core/users/users.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { withSession } from '../session.js';
import type { Column } from '../table.js';
import { userDocument } from './user-view.js';
import { counted } from './words.js';

const COLUMNS: readonly Column[] = [
  { head: 'ID', align: 'right' },
  { head: 'E-MAIL' },
  { head: 'ROLE' },
  { head: 'STATE' },
  { head: 'MADE' },
  { head: 'NAME', isWide: true },
];

export function listCommand(
  shell: Shell,
  { after = 0, limit }: { after?: number; limit: number },
): Promise<ExitCode> {
  return withSession(shell, async ({ ctx }) => {
    const { out } = shell;
    // One more than is shown tells whether there are more.
    const found = listUsers(ctx, { afterId: after, limit: limit + 1 });
    const list = found.slice(0, limit).map(userDocument);
    out.result(list, () =>
      out.table(
        COLUMNS,
        list.map(({ id, username, roles, enabled, createdAt, firstName, lastName }) => [
          String(id),
          username,
          roles.includes('ROLE_ADMIN') ? 'admin' : 'user',
          enabled ? 'enabled' : 'disabled',
          out.time(createdAt),
          `${firstName} ${lastName}`.trim(),
        ]),
      ),
    );
    const last = list.at(-1);
    if (last && found.length > limit) {
      out.warn(
        `${counted(list.length, 'user')} shown, there are more: --after ${last.id} goes on, --limit shows more`,
      );
    } else out.note(counted(list.length, 'user'));
    return EXIT.done;
  });
}
