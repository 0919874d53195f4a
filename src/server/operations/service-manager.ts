/**
 * Tells systemd (Type=notify) that the service is ready, reloading, stopping and alive. Node has no Unix datagram
 * sockets, so `systemd-notify` sends the messages. Does nothing without NOTIFY_SOCKET.
 */
import { execFile } from 'node:child_process';
import type { Log } from '../../core/log/log.js';

export interface ServiceManager {
  /** "READY=1", "STOPPING=1", …; resolves in any case. */
  tell(...states: string[]): Promise<void>;
  /** Reports a live event loop twice per watchdog interval (WATCHDOG_USEC). */
  startWatchdog(): void;
  stopWatchdog(): void;
}

const PASSED_ON_WITHIN_MS = 5_000;

/** `log` gets messages that could not be sent. */
export function serviceManager(environment: Record<string, string | undefined>, log?: Log): ServiceManager {
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
