/** Runs `esignctl doctor`. */
import { examine, type Check } from '../../core/doctor/examine.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { withProgress } from '../progress.js';
import type { Column } from '../table.js';
import { counted } from './words.js';

const COLUMNS: readonly Column[] = [{ head: 'CHECK' }, { head: 'STATE' }, { head: 'FOUND', isWhole: true }];

export async function doctorCommand(shell: Shell): Promise<ExitCode> {
  const { io, out, envFile, interruption } = shell;
  const checks = await withProgress(shell, 'examining', () => examine(io.env, envFile, interruption.cut));
  const failures = checks.filter(({ state }) => state === 'failed').length;
  out.result({ ok: failures === 0, checks }, () => {
    out.table(
      COLUMNS,
      checks.map((check) => [check.name, check.state, found(check)]),
    );
  });
  out.note(failures === 0 ? 'nothing failed' : `${counted(failures, 'check')} failed`);
  return failures > 0 ? EXIT.failed : EXIT.done;
}

function found({ message, mend }: Check): string {
  return mend === null ? message : `${message.replace(/\.$/, '')}. ${mend}`;
}
