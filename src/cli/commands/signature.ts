/** `esignctl start-signature` and `reset-signature` (rules 1, 2). */
import { actCalled } from '../../core/requests/acts.js';
import { addAct } from '../verb/acts.js';
import type { Verb } from '../verb/verb.js';

export const startSignature = (program: Verb) => addAct(program, actCalled('start-signature'));
export const resetSignature = (program: Verb) => addAct(program, actCalled('reset-signature'));
