/** The load: customers ask for maintenance, the office sends contracts, and most customers sign and pay. */
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import PdfDocument from 'pdfkit';
import type { Installation, Person } from './installation.js';

export interface LoadCounts {
  requests: number;
  /** Calls to our API that had to be repeated. */
  callsRepeated: number;
  /** Answers that no customer should ever get. */
  wrong: string[];
}

export interface Load {
  counts: LoadCounts;
  /** Starts nothing new; resolves once every story under way has its contract sent. */
  stop(): Promise<void>;
  /** Pays everything still open and stops the payer. */
  payTheRest: () => Promise<void>;
}

/** A slow machine gets fewer requests, not a queue that outlives the storm. */
const UNDER_WAY_MAX = 60;
const AGAIN_MS = 300;
const CALL_MS = 40_000;
/** More than a minute of attempts, far longer than the daemon is ever down. */
const TRIES_MAX = 300;
/** Of all customers; a few others decline, or do nothing. */
const SIGN = 0.8;
const DECLINE = 0.1;
const PAY = 0.85;

export async function startLoad(installation: Installation, perSecond: number): Promise<Load> {
  const counts: LoadCounts = { requests: 0, callsRepeated: 0, wrong: [] };
  const api = new Api(installation, counts);
  const pdf = await aContract();
  const office = await api.logIn(installation.administrator);
  const customers = await Promise.all(
    installation.customers.map(async (person) => {
      const names = { firstName: 'Anna', lastName: 'Martin' };
      await api.post('/api/users', office, {
        username: person.email,
        password: person.password,
        ...names,
      });
      const token = await api.logIn(person);
      const fields = { name: 'Boiler', model: 'B-200', serialNumber: person.email };
      const { '@id': equipment } = await api.post<{ '@id': string }>('/api/equipments', token, fields);
      return { token, equipment };
    }),
  );

  const stories = new Set<Promise<void>>();
  let begun = 0;
  const begin = () => {
    if (stories.size >= UNDER_WAY_MAX) return;
    const { token, equipment } = customers[begun % customers.length] as (typeof customers)[number];
    begun += 1;
    const story = tell(begun)
      .catch((error: unknown) => void counts.wrong.push(String(error)))
      .finally(() => stories.delete(story));
    stories.add(story);

    async function tell(number: number): Promise<void> {
      const words = { title: `Maintenance ${number}`, description: 'Check burner and valves.', equipment };
      const { id } = await api.post<{ id: number }>('/api/requests', token, words);
      counts.requests += 1;
      const signId = await api.startSignature(id, office, pdf);
      const dice = Math.random();
      if (dice < SIGN + DECLINE) await installation.sandbox.act(signId, dice < SIGN ? 'sign' : 'decline');
    }
  };
  const timer = setInterval(begin, 1_000 / perSecond);
  const payer = startPayer(installation);
  return {
    counts,
    async stop() {
      clearInterval(timer);
      while (stories.size > 0) await Promise.all(stories);
    },
    payTheRest: () => payer.finish(),
  };
}

/** Looks for new payment links and pays them, one after the other. */
function startPayer({ dataDir, sandbox }: Installation) {
  const db = new Database(`${dataDir}/esign.db`);
  const fresh = db.prepare('SELECT id, paymentId FROM payments WHERE id > ? ORDER BY id LIMIT 100');
  let lastId = 0;
  let isStopping = false;
  const payNew = async () => {
    const links = fresh.all(lastId) as { id: number; paymentId: string }[];
    for (const { id, paymentId } of links) {
      lastId = id;
      if (Math.random() < PAY) await sandbox.pay(paymentId);
    }
    return links.length;
  };
  const running = (async () => {
    while (!isStopping) if ((await payNew()) === 0) await pause(200);
  })();
  return {
    async finish() {
      isStopping = true;
      await running;
      while ((await payNew()) > 0);
      db.close();
    },
  };
}

/** Calls that survive a kill of the daemon. */
class Api {
  readonly #baseUrl: string;
  readonly #counts: LoadCounts;

  constructor({ baseUrl }: Installation, counts: LoadCounts) {
    this.#baseUrl = baseUrl;
    this.#counts = counts;
  }

  async logIn({ email, password }: Person): Promise<string> {
    const { token } = await this.post<{ token: string }>('/api/login_check', undefined, {
      username: email,
      password,
    });
    return token;
  }

  /** A lost answer may leave an abandoned request behind; it stays `new`. */
  async post<T>(path: string, token: string | undefined, fields: object): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const answer = await this.#call(path, token, JSON.stringify(fields), 'application/json');
      if (answer && answer.status < 300) return answer.body as T;
      if (answer && answer.status < 500) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
      await this.#again(path, tries, answer);
    }
  }

  /** Repeats the call, as a person at the office would; a start goes on where it stopped. */
  async startSignature(id: number, token: string, pdf: Buffer): Promise<string> {
    const path = `/api/requests/${id}/signature`;
    for (let tries = 1; ; tries += 1) {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }), 'contract.pdf');
      const answer = await this.#call(path, token, form);
      if (answer?.status === 201) return (answer.body as { signId: string }).signId;
      // Either the previous answer was lost and the contract has been sent, or the provider refused it.
      const sent = answer?.status === 422 ? await this.#sentSignId(id, token) : undefined;
      if (sent) return sent;
      if (answer && answer.status < 500 && answer.status !== 409 && answer.status !== 422) {
        throw new Error(`the signature of request ${id}: ${answer.status} ${answer.text}`);
      }
      await this.#again(path, tries, answer);
    }
  }

  /** Undefined: nothing has been sent. */
  async #sentSignId(id: number, token: string): Promise<string | undefined> {
    const get = async (path: string) => {
      for (let tries = 1; ; tries += 1) {
        const answer = await this.#call(path, token);
        if (answer?.status === 200) return answer.body as Record<string, string>;
        await this.#again(path, tries, answer);
      }
    };
    const { contract, status } = await get(`/api/requests/${id}`);
    return contract && status !== 'new' ? (await get(contract))['signId'] : undefined;
  }

  async #again(path: string, tries: number, answer?: { status: number; text: string }): Promise<void> {
    this.#counts.callsRepeated += 1;
    if (tries >= TRIES_MAX) {
      throw new Error(
        `${path}: no use after ${tries} tries: ${answer ? `${answer.status} ${answer.text}` : 'no answer'}`,
      );
    }
    await pause(AGAIN_MS);
  }

  /** Undefined: no answer came. */
  async #call(path: string, token: string | undefined, body?: string | FormData, type?: string) {
    try {
      const answer = await fetch(this.#baseUrl + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(type && { 'content-type': type }),
        },
        ...(body !== undefined && { body }),
        signal: AbortSignal.timeout(CALL_MS),
      });
      const text = await answer.text();
      return { status: answer.status, text, body: JSON.parse(text) as unknown };
    } catch {
      return undefined;
    }
  }
}

/** Drawn once: the load should test the service, not the PDF library. */
async function aContract(): Promise<Buffer> {
  const document = new PdfDocument({ size: 'A4' });
  document.text('Maintenance contract');
  document.end();
  const chunks: Buffer[] = [];
  for await (const chunk of document) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
