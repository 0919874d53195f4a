/** Runs `esignctl webhooks delivery`. */
import { getDelivery } from '../../core/webhooks/browse-deliveries.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { withData } from '../reading.js';
import { fieldsTable } from './fields.js';
import { wholeDelivery } from './webhook-view.js';

/** Of an answer; --json has all that is kept. */
const SHOWN_MAX = 200;

export function deliveryCommand(shell: Shell, id: number): ExitCode {
  return withData(shell, (data) => {
    const { out } = shell;
    const { attempts, ...plain } = wholeDelivery(getDelivery(data, id));
    out.result({ ...plain, attempts }, () =>
      fieldsTable(out, [
        ...Object.entries(plain),
        ...attempts.map(
          ({ at, ms, outcome, answer }, i) =>
            [
              `try ${i + 1}`,
              `${out.time(at)} ${outcome} after ${ms} ms ${cut(answer ?? '')}`.trim(),
            ] as const,
        ),
      ]),
    );
    return EXIT.done;
  });
}

function cut(answer: string): string {
  return answer.length > SHOWN_MAX ? `${answer.slice(0, SHOWN_MAX)}…` : answer;
}
