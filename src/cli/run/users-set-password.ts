/** Runs `esignctl users set-password`. */
import { getUserByUsername, setPassword } from '../../core/users/users.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import { handedOver, mustKeepPassword, newPassword, type PasswordFlags } from '../new-password.js';
import { withSession } from '../session.js';
import { DRY_RUN_NOTE } from './words.js';

export async function setPasswordCommand(
  shell: Shell,
  wish: ChangeFlags & PasswordFlags & { username: string },
): Promise<ExitCode> {
  if (!wish.dryRun) mustKeepPassword(shell, wish);
  return withSession(shell, async ({ ctx, actor }) => {
    const { out } = shell;
    const { id, username } = getUserByUsername(ctx, wish.username);
    if (wish.dryRun) {
      out.result({ id, username, dryRun: true }, () => out.line(`would set the password of ${username}`));
      out.note(DRY_RUN_NOTE);
      return EXIT.done;
    }
    const { password, isGenerated } = await newPassword(shell, wish);
    await setPassword(ctx, id, password, actor, wish.reason);
    out.result({ id, username, ...(isGenerated && { password }) }, () => {
      const sentence = `set the password of user ${id} ${username}; every session of it has ended`;
      if (!isGenerated) return out.line(sentence);
      // Alone on stdout, so that a script can take it.
      out.line(password);
      out.note(`${sentence}; the password above is shown only this once`);
    });
    return handedOver(shell, username, isGenerated);
  });
}
