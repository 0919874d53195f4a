/** The actions a test or the control API can take from outside, by id, in the words of the two providers. */
import { expireSession, findSession, pay, settlePayment, type PayOptions } from './payment/actions.js';
import type { PaymentSession } from './payment/types.js';
import * as signature from './signature/actions.js';
import type { SignOptions } from './signature/actions.js';
import type { SignatureRequest } from './signature/types.js';
import type { World } from './world.js';

/**
 * Each answers true when it did something, false when the thing was in no state for it, and throws RangeError when
 * there is no such id. Webhooks go out in the background: `settled()` waits for them.
 */
export type SandboxActions = {
  sign(id: string, options?: SignOptions): boolean;
  decline(id: string, options?: { reason?: string | undefined; signerId?: string | undefined }): boolean;
  expire(id: string): boolean;
  cancel(id: string, options?: { reason?: string | undefined }): boolean;
  reject(id: string): boolean;
  /** Deletes even what the API would refuse to delete; `permanent` makes it 404 from then on. */
  delete(id: string, options?: { permanent?: boolean | undefined }): boolean;
  /** Puts any word there, without a webhook: for the states that a client does not know. */
  setStatus(id: string, status: string): boolean;
  pay(id: string, options?: PayOptions): boolean;
  settlePayment(id: string, outcome: 'succeeded' | 'failed'): boolean;
  expireSession(id: string): boolean;
};

export function actionsOn(world: World): SandboxActions {
  const request = (id: string): SignatureRequest => known(signature.findRequest(world, id), id);
  const session = (id: string): PaymentSession => known(findSession(world, id), id);
  return {
    sign: (id, options) => signature.sign(world, request(id), options),
    decline: (id, { reason = 'Declined in the sandbox', signerId } = {}) =>
      signature.decline(world, request(id), reason, signerId),
    expire: (id) => signature.expire(world, request(id)),
    cancel: (id, { reason = 'other' } = {}) => signature.cancel(world, request(id), reason),
    reject: (id) => signature.reject(world, request(id)),
    delete: (id, { permanent = false } = {}) => {
      signature.remove(world, request(id), permanent);
      return true;
    },
    setStatus: (id, status) => {
      request(id).status = status;
      return true;
    },
    pay: (id, options) => pay(world, session(id), options),
    settlePayment: (id, outcome) => settlePayment(world, session(id), outcome),
    expireSession: (id) => expireSession(world, session(id)),
  };
}

function known<T>(found: T | undefined, id: string): T {
  if (found === undefined) throw new RangeError(`nothing in the sandbox has the id ${id}`);
  return found;
}
