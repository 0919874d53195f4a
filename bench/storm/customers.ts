/** The load: customers ask for maintenance, the office sends contracts, and most customers sign and pay. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pRetry, { AbortError } from 'p-retry';
import { contractPdf } from '../../simulation/people/contract-pdf.js';
import type { Installation, Person } from './installation.js';
import { withRecords } from './verdict.js';

export interface Load {
  counts: {
    requests: number;
    /** Calls to our API that had to be repeated. */
    callsRepeated: number;
    /** Answers that no customer should ever get. */
    wrong: string[];
  };
  /** Starts nothing new; resolves once every story under way has its contract sent. */
  stop(): Promise<void>;
  /** Pays everything still open and stops the payer. */
  payTheRest: () => Promise<void>;
}

/** A slow machine gets fewer requests, not a queue that outlives the storm. */
const UNDER_WAY_MAX = 60;
const CALL_MS = 40_000;
/** More than a minute of attempts, far longer than the daemon is ever down. */
const AGAIN = { retries: 300, minTimeout: 300, factor: 1 };
/** Of all customers; a few others decline, or do nothing. */
const SIGN = 0.8;
const DECLINE = 0.1;
const PAY = 0.85;

export async function startLoad(installation: Installation, perSecond: number): Promise<Load> {
  const counts: Load['counts'] = { requests: 0, callsRepeated: 0, wrong: [] };
  const api = new Api(installation, counts);
  const office = await api.logIn(installation.administrator);
  const customers = await Promise.all(
    installation.customers.map(async (person) => {
      const { email: username, password } = person;
      await api.post('/api/users', office, { username, password, firstName: 'Anna', lastName: 'Martin' });
      const token = await api.logIn(person);
      const fields = { name: 'Boiler', model: 'B-200', serialNumber: username };
      const { '@id': equipment } = await api.post<{ '@id': string }>('/api/equipments', token, fields);
      return { token, equipment };
    }),
  );

  const pdf = new Blob([new Uint8Array(contractPdf('a contract'))], { type: 'application/pdf' });
  const stories = new Set<Promise<void>>();
  let begun = 0;
  const tell = async (number: number) => {
    const { token, equipment } = customers[number % customers.length] as (typeof customers)[number];
    const words = { title: `Maintenance ${number}`, description: 'Check burner and valves.', equipment };
    const { id } = await api.post<{ id: number }>('/api/requests', token, words);
    counts.requests += 1;
    const signId = await api.startSignature(id, office, pdf);
    const dice = Math.random();
    if (dice < SIGN + DECLINE) await installation.sandbox.act(signId, dice < SIGN ? 'sign' : 'decline');
  };
  const begin = () => {
    if (stories.size >= UNDER_WAY_MAX) return;
    const story = tell((begun += 1))
      .catch((error: unknown) => void counts.wrong.push(String(error)))
      .finally(() => stories.delete(story));
    stories.add(story);
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
  const seen = new Set<string>();
  let isStopping = false;
  const payNew = async () => {
    // A machine that was lost has none.
    if (!existsSync(join(dataDir, 'esign.db'))) return 0;
    const links = withRecords(dataDir, (rows) =>
      rows<{ paymentId: string }>('SELECT paymentId FROM payments'),
    );
    const fresh = links.filter(({ paymentId }) => !seen.has(paymentId));
    for (const { paymentId } of fresh) {
      seen.add(paymentId);
      if (Math.random() < PAY) await sandbox.pay(paymentId);
    }
    return fresh.length;
  };
  const running = (async () => {
    while (!isStopping) if ((await payNew()) === 0) await pause(200);
  })();
  return {
    async finish() {
      isStopping = true;
      await running;
      while ((await payNew()) > 0);
    },
  };
}

interface Answer {
  status: number;
  text: string;
}

/** Calls that survive a kill of the daemon. */
export class Api {
  readonly #baseUrl: string;
  readonly #counts: Pick<Load['counts'], 'callsRepeated'>;

  constructor({ baseUrl }: Installation, counts: Pick<Load['counts'], 'callsRepeated'>) {
    this.#baseUrl = baseUrl;
    this.#counts = counts;
  }

  async logIn({ email: username, password }: Person): Promise<string> {
    const body = { username, password };
    return (await this.post<{ token: string }>('/api/login_check', undefined, body)).token;
  }

  /** A lost answer may leave an abandoned request behind; it stays `new`. */
  post<T>(path: string, token: string | undefined, fields: object): Promise<T> {
    return this.#again(path, async () => {
      const answer = await this.#call(path, token, JSON.stringify(fields));
      if (answer.status < 300) return JSON.parse(answer.text) as T;
      throw refusal(path, answer, answer.status < 500);
    });
  }

  /** Repeats the call, as a person at the office would; a start goes on where it stopped. */
  startSignature(id: number, token: string, pdf: Blob): Promise<string> {
    const path = `/api/requests/${id}/signature`;
    return this.#again(path, async () => {
      const form = new FormData();
      form.set('file', pdf, 'contract.pdf');
      const answer = await this.#call(path, token, form);
      if (answer.status === 201) return (JSON.parse(answer.text) as { signId: string }).signId;
      // Either the previous answer was lost and the contract has been sent, or the provider refused it.
      const sent = answer.status === 422 ? await this.#sentSignId(id, token) : undefined;
      if (sent) return sent;
      throw refusal(path, answer, answer.status < 500 && answer.status !== 409 && answer.status !== 422);
    });
  }

  /** Undefined: nothing has been sent. */
  async #sentSignId(id: number, token: string): Promise<string | undefined> {
    const get = (path: string) =>
      this.#again(path, async () => {
        const answer = await this.#call(path, token);
        if (answer.status !== 200) throw refusal(path, answer, answer.status < 500);
        return JSON.parse(answer.text) as Record<string, string>;
      });
    const { contract, status } = await get(`/api/requests/${id}`);
    return contract && status !== 'new' ? (await get(contract))['signId'] : undefined;
  }

  #again<T>(path: string, call: () => Promise<T>): Promise<T> {
    const onFailedAttempt = () => void (this.#counts.callsRepeated += 1);
    return pRetry(call, { ...AGAIN, onFailedAttempt }).catch((error: unknown) => {
      throw new Error(`${path}: ${String(error)}`, { cause: error });
    });
  }

  /** No answer: p-retry would not try again what it takes for a mistake in the program. */
  async #call(path: string, token: string | undefined, body?: string | FormData): Promise<Answer> {
    try {
      const answer = await fetch(this.#baseUrl + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(typeof body === 'string' && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
        signal: AbortSignal.timeout(CALL_MS),
      });
      return { status: answer.status, text: await answer.text() };
    } catch (error) {
      throw new Error('no answer', { cause: error });
    }
  }
}

function refusal(path: string, { status, text }: Answer, isFinal: boolean): Error {
  const words = `${path}: ${status} ${text}`;
  return isFinal ? new AbortError(words) : new Error(words);
}
