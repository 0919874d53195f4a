/** Ports to listen on: the usual ones where they are free, else any. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

export interface Ports {
  api: number;
  sandbox: number;
  smtp: number;
}

const USUAL: Ports = { api: 8080, sandbox: 8090, smtp: 8025 };

/** `usual: false` after somebody else was faster to take one of them. */
export async function choosePorts({ usual }: { usual: boolean }): Promise<Ports> {
  const port = async (name: keyof Ports) =>
    (usual ? await tryPort(USUAL[name]) : undefined) ?? (await tryPort(0)) ?? 0;
  return { api: await port('api'), sandbox: await port('sandbox'), smtp: await port('smtp') };
}

/** The port when it could be listened on just now; 0 stands for any. */
async function tryPort(port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const { port: taken } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return taken;
  } catch {
    return undefined;
  }
}
