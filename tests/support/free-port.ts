import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Below the ports that systems give to outgoing connections: one of those could take it while the daemon is down. */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer();
    try {
      server.listen(20_000 + Math.floor(Math.random() * 12_000), '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      server.close();
      await once(server, 'close');
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}
