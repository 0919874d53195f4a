import module from 'node:module';
import type { TroubleKind } from '../plan.js';

/** Node changes what it loads without a second thread from 22.15 and 23.5 on. */
export const CAN_PLANT = 'registerHooks' in module;

/**
 * A fault that is planted to prove that the simulator sees: it changes a few words of the compiled service while it is
 * loaded, in the simulator's process only.
 */
export interface PlantedFault {
  name: string;
  edits: readonly Edit[];
  /** How the seeds differ from the usual ones. */
  world?: { days?: number; requests?: number; often?: TroubleKind | readonly TroubleKind[] };
}

export interface Edit {
  /** The compiled file, from `dist/src`. */
  file: string;
  /** These words, which stand there once, … */
  find: string;
  /** … become these. */
  put: string;
}

/** A fault of one edit. */
export function fault(name: string, edit: Edit, world?: PlantedFault['world']): PlantedFault {
  return { name, edits: [edit], ...(world && { world }) };
}

/** The source with this file's edits; throws when the service no longer has the words. */
export function plantIn(source: string, edits: readonly Edit[]): string {
  return edits.reduce((text, { file, find, put }) => {
    if (text.split(find).length !== 2) throw new Error(`"${find}" does not stand once in ${file}`);
    return text.replace(find, () => put);
  }, source);
}
