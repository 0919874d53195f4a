/**
 * The receiver of the deliveries benchmark, in its own process, on all of 127.0.0.0/8: answers 204, but never under
 * /hang.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let received = 0;
const server = createServer((request, response) => {
  if (request.url === '/hang') return;
  request.resume().on('end', () => {
    received += 1;
    response.writeHead(204).end();
  });
});
server.listen(0, () => process.send?.({ port: (server.address() as AddressInfo).port }));
/** Asked between runs for its count. */
process.on('message', () => process.send?.(received));
