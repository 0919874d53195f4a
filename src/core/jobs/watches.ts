/** What no commit of this process tells the runner: each gives a function that looks, and acts when something has happened. */
import type { Db } from '../../db/db.js';
import type { Clock } from '../clock.js';
import { TOLERANCE_MS } from './clock-set-back.js';

/** Another process has committed something. */
export function watchOthers(db: Db, act: () => void): () => void {
  let seen = db.dataVersion();
  return () => {
    const version = db.dataVersion();
    if (version === seen) return;
    seen = version;
    act();
  };
}

export function watchClockSetBack(clock: Clock, act: () => void): () => void {
  let seen = clock.now().getTime();
  return () => {
    const now = clock.now().getTime();
    const isSetBack = now < seen - TOLERANCE_MS;
    seen = now;
    if (isSetBack) act();
  };
}
