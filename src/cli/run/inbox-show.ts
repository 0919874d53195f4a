/** Runs `esignctl inbox show`. */
import { getInboxEvent } from '../../core/inbox.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { withSession } from '../session.js';
import { fieldsTable } from './fields.js';

export function showCommand(shell: Shell, id: number): Promise<ExitCode> {
  return withSession(shell, async ({ ctx }) => {
    const { event, requestId = null } = getInboxEvent(ctx, id);
    const { body, ...fields } = event;
    const plain = { ...fields, requestId };
    const text = body?.toString('utf8') ?? null;
    shell.out.result({ ...plain, body: text }, () =>
      fieldsTable(shell.out, [...Object.entries(plain), ['body', text]]),
    );
    return EXIT.done;
  });
}
