/** The service's own API, as a client on the network uses it. */
import { z } from 'zod';
import { call, callFor, type Answer } from './http.js';
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
export class ApiClient {
  readonly #services: Services;
  readonly #token: string;

  private constructor(services: Services, token: string) {
    this.#services = services;
    this.#token = token;
  }

  static async logIn(services: Services, { email, password }: Login): Promise<ApiClient> {
    const answer = await callFor(200, `${services.baseUrl}/api/login_check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: email, password }),
      signal: services.signal,
    });
    return new ApiClient(services, tokens.parse(JSON.parse(answer.text)).token);
  }

  async addEquipment(fields: { name: string; model: string; serialNumber: string }): Promise<string> {
    return equipment.parse(await this.#post('/api/equipments', fields))['@id'];
  }

  async addRequest(fields: { title: string; description: string; equipment: string }): Promise<RequestView> {
    return request.parse(await this.#post('/api/requests', fields));
  }

  async request(id: number): Promise<RequestView> {
    return request.parse(await this.#get(`/api/requests/${id}`));
  }

  async startSignature(requestId: number): Promise<ContractView> {
    return contract.parse(await this.#post(`/api/requests/${requestId}/signature`));
  }

  async contract(id: number): Promise<ContractView> {
    return contract.parse(await this.#get(`/api/contracts/${id}`));
  }

  async contractPdf(id: number): Promise<Buffer> {
    return (await this.#fetch(200, `/api/contracts/${id}/pdf`, {})).body;
  }

  async #get(path: string): Promise<unknown> {
    return JSON.parse((await this.#fetch(200, path, {})).text);
  }

  async #post(path: string, fields?: object): Promise<unknown> {
    const sent = fields && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    };
    return JSON.parse((await this.#fetch(201, path, { method: 'POST', ...sent })).text);
  }

  #fetch(
    status: number,
    path: string,
    { headers, ...how }: Omit<Parameters<typeof call>[1], 'signal'>,
  ): Promise<Answer> {
    return callFor(status, this.#services.baseUrl + path, {
      ...how,
      headers: { ...headers, authorization: `Bearer ${this.#token}` },
      signal: this.#services.signal,
    });
  }
}
