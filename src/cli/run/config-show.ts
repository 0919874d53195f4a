/** Runs `esignctl config show`. */
import { showSettings } from '../../core/config-show.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import type { Column } from '../table.js';

const COLUMNS: readonly Column[] = [
  { head: 'SETTING', isWhole: true },
  { head: 'VALUE', isWhole: true },
  { head: 'FROM' },
];

/** Wrong settings are told as everywhere, and none is shown. */
export async function showConfig({ io, envFile, out }: Shell): Promise<ExitCode> {
  const settings = showSettings(io.env, envFile);
  out.result(settings, () =>
    out.table(
      COLUMNS,
      settings.map(({ name, value, from, nearest }) => [
        name,
        nearest === null ? (value ?? '') : `not a setting; the nearest is ${nearest}`,
        from,
      ]),
    ),
  );
  return EXIT.done;
}
