/** Runs `esignctl users create`. */
import type { Context } from '../../core/context.js';
import { AppError, invalid } from '../../core/errors.js';
import { createUser, type NewUser } from '../../core/users/create-user.js';
import {
  nameFault,
  normalPhone,
  normalUsername,
  phoneFault,
  usernameFault,
} from '../../core/users/user-fields.js';
import { getUserByUsername } from '../../core/users/users.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import { handedOver, mustKeepPassword, newPassword, type PasswordFlags } from '../new-password.js';
import { withSession } from '../session.js';
import { userDocument } from './user-view.js';
import { DRY_RUN_NOTE } from './words.js';

type Wish = ChangeFlags &
  PasswordFlags & {
    username: string;
    role: 'admin' | 'user';
    firstName?: string;
    lastName?: string;
    phone?: string;
  };

export async function createUserCommand(shell: Shell, wish: Wish): Promise<ExitCode> {
  if (!wish.dryRun) mustKeepPassword(shell, wish);
  return withSession(
    shell,
    async ({ ctx, actor }) => {
      const { out } = shell;
      const fields = fieldsOf(wish);
      // Before anybody types a password twice for nothing.
      refuseFaults(ctx, fields);
      if (wish.dryRun) {
        out.result({ ...fields, dryRun: true }, () =>
          out.line(`would create ${fields.username} as ${wish.role}`),
        );
        out.note(DRY_RUN_NOTE);
        return EXIT.done;
      }
      const { password, isGenerated } = await newPassword(shell, wish);
      const user = await createUser(ctx, { ...fields, password }, actor, { reason: wish.reason });
      const created = userDocument(user);
      const { id, username } = created;
      out.result({ ...created, ...(isGenerated && { password }) }, () => {
        const sentence = `created user ${id} ${username} as ${wish.role}`;
        if (!isGenerated) return out.line(sentence);
        // Alone on stdout, so that a script can take it.
        out.line(password);
        out.note(`${sentence}; the password above is shown only this once`);
      });
      return handedOver(shell, username, isGenerated);
    },
    { mayBeFirst: true },
  );
}

type Fields = Omit<NewUser, 'password'>;

function fieldsOf({ username, role, firstName = '', lastName = '', phone }: Wish): Fields {
  return {
    username: normalUsername(username),
    role: role === 'admin' ? 'ROLE_ADMIN' : 'ROLE_USER',
    firstName: firstName.trim(),
    lastName: lastName.trim(),
    phone: normalPhone(phone ?? null),
  };
}

/** The same answers as createUser gives, without a password. */
function refuseFaults(ctx: Context, { username, firstName = '', lastName = '', phone = null }: Fields): void {
  const faults = {
    username: usernameFault(username) ?? (isTaken(ctx, username) ? 'This value is already used.' : undefined),
    firstName: nameFault(firstName),
    lastName: nameFault(lastName),
    phone: phoneFault(phone),
  };
  const wrong = Object.entries(faults).filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (wrong.length > 0) throw invalid(Object.fromEntries(wrong));
}

function isTaken(ctx: Context, username: string): boolean {
  try {
    getUserByUsername(ctx, username);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not_found') return false;
    throw error;
  }
}
