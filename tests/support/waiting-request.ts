/** Puts a request that waits for its signature into a data directory, as the service itself does it. */
import { pino } from 'pino';
import { loadConfig } from '../../src/core/settings/config.js';
import { openContext } from '../../src/core/open-context.js';
import type { Context } from '../../src/core/context.js';
import { startSignature } from './start-signature.js';
import { insertEquipment } from '../../src/db/equipments/equipments.js';
import { insertRequest } from '../../src/db/requests/requests.js';
import type { UserRow } from '../../src/db/schema.js';
import { insertUser } from '../../src/db/users/users.js';
import { anyContractPdf, TESTER } from './app.js';

export interface WaitingRequest {
  requestId: number;
  contractId: number;
  signId: string;
  /** The contract's at both providers. */
  externalId: string;
}

let people = 0;

/** The customer is another one each time. */
export function addWaitingRequest(env: Record<string, string>): Promise<WaitingRequest> {
  return withContext(env, async (ctx) => {
    const requestId = await insert(ctx);
    const contract = await startSignature(ctx, requestId, { actor: TESTER, pdf: await anyContractPdf() });
    const { id: contractId, signId, externalId } = contract;
    return { requestId, contractId, signId: signId as string, externalId };
  });
}

/** One whose signature nobody has started; returns its id. */
export function addNewRequest(env: Record<string, string>): Promise<number> {
  return withContext(env, insert);
}

async function withContext<T>(env: Record<string, string>, act: (ctx: Context) => Promise<T>): Promise<T> {
  const ctx = openContext(loadConfig(env).config, { log: pino({ level: 'silent' }), migrate: true });
  try {
    return await act(ctx);
  } finally {
    await ctx.close();
  }
}

function insert(ctx: Context): Promise<number> {
  return ctx.writer.write((db) => {
    people += 1;
    const now = new Date().toISOString();
    const { id: ownerId } = insertUser(db, {
      username: `customer${people}@example.org`,
      passwordHash: 'none',
      firstName: 'Ada',
      lastName: 'Lovelace',
      phone: null,
      locale: null,
      address: null,
      role: 'ROLE_USER',
      enabled: 1,
      now,
    }) as UserRow;
    const { id: equipmentId } = insertEquipment(db, {
      ownerId,
      name: 'Boiler',
      model: 'B-200',
      serialNumber: `SN-${people}`,
      now,
    }) as { id: number };
    const title = 'Yearly maintenance';
    const fields = { ownerId, equipmentId, title, description: 'Check the burner.', now };
    return insertRequest(db, { ...fields, status: 'in_progress' }).id;
  });
}
