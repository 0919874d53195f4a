/** What a person reads when the demo is ready: where things are, who may log in, and what to do next. */
import { relative } from 'node:path';
import type { Place } from './place.js';
import type { Scene } from './scene.js';
import type { Services } from './services.js';

export function invitation(
  { baseUrl, sandboxUrl }: Services,
  { administrator, customer, request, contract }: Scene,
  place: Place,
): string {
  // Without `--`, Node takes --env-file as its own option.
  const esignctl = `node -- dist/bin/esignctl.js --env-file ${relative('.', place.envFile)}`;
  return `
A request waits for signature: ${request.reference}.

  Back office      ${baseUrl}/admin     (log in as the administrator)
  API              ${baseUrl}/api
  Sandbox console  ${sandboxUrl}/
  Mailbox          ${sandboxUrl}/mail
  Signing page     ${sandboxUrl}/sign/${contract.signId}

  Administrator    ${administrator.email}   password ${administrator.password}
  Customer         ${customer.email}  password ${customer.password}

Next: open the mailbox, read the customer's mail "Please sign", follow its link and sign. The mail with the
signed PDF and the one with the payment link arrive at once; after paying, the request is COMPLETE.
The console switches faults on: lose the webhook, break the payment service, and see what happens.

Commands to try in another terminal:
  ${esignctl} explain ${request.id}
  ${esignctl} check-signature ${request.id}
  ${esignctl} reset-signature ${request.id} --dry-run
  ${esignctl} failed list
  ${esignctl} --help

The daemon's log: ${relative('.', place.logFile('esignd'))}. Ctrl-C stops everything.
`;
}
