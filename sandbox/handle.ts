/** The actions that a test or the control API can take, by id, in the words of the two providers. */
import * as payment from './payment/actions.js';
import * as signature from './signature/actions.js';
import type { World } from './world.js';

/** Nothing in the sandbox has this id, or no action this name. */
export class UnknownName extends RangeError {}

export type SandboxActions = ReturnType<typeof actionsOn>;

/**
 * Each returns true when it did something, false when the state did not allow it, and throws UnknownName for an
 * unknown id. Webhooks are sent in the background; `settled()` waits for them.
 */
export function actionsOn(world: World) {
  const request = (id: string) => known(signature.findRequest(world, id), id);
  const session = (id: string) => known(payment.findSession(world, id), id);
  return {
    sign: (id: string, options?: signature.SignOptions) => signature.sign(world, request(id), options),
    decline: (id: string, { reason = 'Declined in the sandbox', signerId }: Refusal = {}) =>
      signature.decline(world, request(id), reason, signerId),
    fail: (id: string, { signerId }: Refusal = {}) => signature.fail(world, request(id), signerId),
    bounce: (id: string, { signerId }: Refusal = {}) => signature.bounce(world, request(id), signerId),
    expire: (id: string) => signature.expire(world, request(id)),
    cancel: (id: string, { reason = 'other' }: Refusal = {}) => signature.cancel(world, request(id), reason),
    reject: (id: string) => signature.reject(world, request(id)),
    /** Deletes even what the API would refuse to delete; `permanent` makes it 404 from then on. */
    delete: (id: string, { permanent = false }: { permanent?: boolean | undefined } = {}) => {
      signature.remove(world, request(id), permanent);
      return true;
    },
    /** Sends the webhook of an end, such as `declined`, that is not true. */
    announce: (id: string, status: string) => {
      signature.announce(world, request(id), status);
      return true;
    },
    /** Sets any word without a webhook, for states that a client does not know. */
    setStatus: (id: string, status: string) => {
      request(id).status = status;
      return true;
    },
    pay: (id: string, options?: payment.PayOptions) => payment.pay(world, session(id), options),
    settlePayment: (id: string, outcome: payment.Outcome) =>
      payment.settlePayment(world, session(id), outcome),
    expireSession: (id: string) => payment.expireSession(world, session(id)),
  };
}

type Refusal = { reason?: string | undefined; signerId?: string | undefined };

function known<T>(found: T | undefined, id: string): T {
  if (found === undefined) throw new UnknownName(`nothing in the sandbox has the id ${id}`);
  return found;
}
