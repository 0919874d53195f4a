/** The service's own API, as a client on the network uses it. */
import { z } from 'zod';
import { callFor, callJson } from './http.js';
import type { Login } from './settings.js';
import type { Services } from './services.js';

const tokens = z.object({ token: z.string() });
const equipment = z.object({ '@id': z.string() });
const request = z.object({
  id: z.number(),
  reference: z.string(),
  status: z.string(),
  paymentUrl: z.string().nullish(),
});
const contract = z.object({ id: z.number(), status: z.string(), signId: z.string(), signUrl: z.string() });

export type RequestView = z.infer<typeof request>;
export type ContractView = z.infer<typeof contract>;

/** A person who has logged in. */
export type ApiClient = Awaited<ReturnType<typeof logIn>>;

export async function logIn({ baseUrl, signal }: Services, { email, password }: Login) {
  const body = { username: email, password };
  const { token } = await callJson(tokens, 200, `${baseUrl}/api/login_check`, {
    method: 'POST',
    body,
    signal,
  });
  const how = { headers: { authorization: `Bearer ${token}` }, signal };
  const get = <T>(schema: z.ZodType<T>, path: string) => callJson(schema, 200, baseUrl + path, how);
  const post = <T>(schema: z.ZodType<T>, path: string, fields?: object) =>
    callJson(schema, 201, baseUrl + path, { ...how, method: 'POST', ...(fields && { body: fields }) });
  return {
    /** Returns its address. */
    addEquipment: async (fields: { name: string; model: string; serialNumber: string }) =>
      (await post(equipment, '/api/equipments', fields))['@id'],
    addRequest: (fields: { title: string; description: string; equipment: string }) =>
      post(request, '/api/requests', fields),
    request: (id: number) => get(request, `/api/requests/${id}`),
    startSignature: (requestId: number) => post(contract, `/api/requests/${requestId}/signature`),
    contract: (id: number) => get(contract, `/api/contracts/${id}`),
    contractPdf: async (id: number) => (await callFor(200, `${baseUrl}/api/contracts/${id}/pdf`, how)).body,
  };
}
