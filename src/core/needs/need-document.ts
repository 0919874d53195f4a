/** A need as programs read it: `todo --json` and `status --json`. */
import { adviceText, type WriteCommand } from '../commands.js';
import type { Need } from './needs.js';

export function needDocument({ kind, since, request, what, next }: Need, write: WriteCommand) {
  return {
    since,
    kind,
    request: request?.reference ?? null,
    requestId: request?.id ?? null,
    customer: request?.customer ?? null,
    what: adviceText(what, write),
    next: write(next),
  };
}
