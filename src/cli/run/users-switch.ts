/** Runs `esignctl users enable` and `users disable`. */
import { getUserByUsername, keepAnAdministrator, setUserEnabled } from '../../core/users/users.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import { withSession } from '../session.js';
import { userDocument } from './user-view.js';
import { DRY_RUN_NOTE } from './words.js';

export function switchCommand(
  shell: Shell,
  { username, isEnabled, dryRun = false, reason }: ChangeFlags & { username: string; isEnabled: boolean },
): Promise<ExitCode> {
  return withSession(shell, async ({ ctx, actor }) => {
    const { out } = shell;
    const before = getUserByUsername(ctx, username);
    if (dryRun && !isEnabled) keepAnAdministrator(ctx.db, before.id, 'enabled');
    const isNew = (before.enabled === 1) !== isEnabled;
    const user = dryRun ? before : await setUserEnabled(ctx, before.id, isEnabled, actor, reason);
    const word = isEnabled ? 'enabled' : 'disabled';
    out.result({ ...userDocument(user), ...(dryRun && { dryRun }) }, () => {
      if (!isNew) out.line(`user ${user.id} ${user.username} is ${word} already`);
      else out.line(`${dryRun ? `would have ${word}` : word} user ${user.id} ${user.username}`);
    });
    if (dryRun) out.note(DRY_RUN_NOTE);
    return EXIT.done;
  });
}
