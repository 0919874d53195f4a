/** A closed pipe (`esignctl … | head -1`) is no fault; a full disk is. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CliIo } from '../io.js';

const READER_GONE = new Set(['EPIPE', 'ERR_STREAM_DESTROYED', 'EIO']);

export interface StreamWatch {
  /** What prevented stdout from being written, after everything so far has had its turn. */
  trouble(): Promise<Error | undefined>;
}

/** The work continues when its reader has gone. */
export function watchStreams({ stdout, stderr }: CliIo): StreamWatch {
  let trouble: Error | undefined;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!READER_GONE.has(error.code ?? '')) trouble ??= error;
  });
  stderr.on('error', () => undefined);
  return {
    async trouble() {
      await nextTurn();
      return trouble;
    },
  };
}
