/**
 * What systemd wants to hear of a service of Type=notify: that it is ready, reloads, stops, and still turns. Node has no
 * datagram sockets in the file system, so systemd's own `systemd-notify` carries the word. Without NOTIFY_SOCKET nobody
 * listens, and nothing is started.
 */
import { execFile } from 'node:child_process';
import type { Logger } from 'pino';

export interface ServiceManager {
  /** "READY=1", "STOPPING=1", …; resolves when it has been passed on, or could not be. */
  tell(...states: string[]): Promise<void>;
  /** Says that the event loop turns, twice as often as the manager's patience lasts (WATCHDOG_USEC). */
  startWatchdog(): void;
  stopWatchdog(): void;
}

const PASSED_ON_WITHIN_MS = 5_000;

/** `log` hears of a word that could not be passed on. */
export function serviceManager(
  environment: Record<string, string | undefined>,
  log?: Logger,
): ServiceManager {
  const socket = environment['NOTIFY_SOCKET'];
  const patienceMs = Number(environment['WATCHDOG_USEC']) / 1000;
  let timer: NodeJS.Timeout | undefined;
  let hasComplained = false;
  const tell = (...states: string[]) =>
    new Promise<void>((resolve) => {
      if (!socket) return resolve();
      execFile(
        'systemd-notify',
        [`--pid=${process.pid}`, ...states],
        { timeout: PASSED_ON_WITHIN_MS },
        (error) => {
          if (error && !hasComplained) log?.warn({ error: error.message }, 'systemd could not be told');
          hasComplained ||= error !== null;
          resolve();
        },
      );
    });
  return {
    tell,
    startWatchdog() {
      if (socket && patienceMs > 0) timer = setInterval(() => void tell('WATCHDOG=1'), patienceMs / 2);
    },
    stopWatchdog: () => clearInterval(timer),
  };
}
