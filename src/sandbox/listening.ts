/** Opening a port, for HTTP and SMTP alike. */
import type { Server } from 'node:net';

/** The port it got; rejects with the system's error when it cannot be had. */
export async function listening(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}
