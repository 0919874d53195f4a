import module from 'node:module';
import type { TroubleKind } from '../plan.js';

/** Node changes what it loads without a second thread from 22.15 and 23.5 on. */
export const CAN_PLANT = 'registerHooks' in module;

/** How the seeds of a fault differ from the usual ones. */
export interface FaultyWorld {
  days?: number;
  requests?: number;
  often?: TroubleKind | readonly TroubleKind[];
}

/**
 * A fault that is planted to prove that the simulator sees: a rule of the service, named by its function, is replaced while
 * its module is loaded, in the simulator's process only.
 */
export interface PlantedFault {
  name: string;
  /** From `dist/src`, without `.js`. */
  module: string;
  rule: string;
  /** From the service's rule to the faulty one. */
  becomes: (rule: never) => unknown;
  world: FaultyWorld;
}

/** `M` is the module, so that the compiler knows the rule and what it takes. */
export function fault<M>(name: string) {
  return <Rule extends keyof M & string>(
    file: string,
    rule: Rule,
    becomes: (rule: M[Rule]) => M[Rule],
    world: FaultyWorld = {},
  ): PlantedFault => ({ name, module: file, rule, becomes, world });
}

const PLANTED = Symbol.for('esign.planted-fault');

/** Makes the fault known to the module's own code, which `plantIn` has changed. */
export function offer({ becomes }: PlantedFault): void {
  Object.assign(globalThis, { [PLANTED]: becomes });
}

/** The module's code with the rule replaced; throws when it does not declare such a function. Its other functions call the faulty one too. */
export function plantIn(source: string, { module: file, rule }: PlantedFault): string {
  if (!new RegExp(`^export (async )?function ${rule}\\(`, 'm').test(source))
    throw new Error(`${file} declares no function ${rule}`);
  return `${source}\n${rule} = globalThis[Symbol.for('${PLANTED.description}')](${rule});\n`;
}
