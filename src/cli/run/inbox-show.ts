/** Runs `esignctl inbox show`. */
import { getInboxEvent } from '../../core/inbox.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { withData } from '../reading.js';
import { fieldsTable } from './fields.js';

export function showCommand(shell: Shell, id: number): ExitCode {
  return withData(shell, (data) => {
    const { event, requestId = null } = getInboxEvent(data, id);
    const { body, ...fields } = event;
    const plain = { ...fields, requestId };
    const text = body?.toString('utf8') ?? null;
    shell.out.result({ ...plain, body: text }, () =>
      fieldsTable(shell.out, [...Object.entries(plain), ['body', text]]),
    );
    return EXIT.done;
  });
}
