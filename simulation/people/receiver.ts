/** A receiver of outbound webhooks: takes them, fails, hangs, or wants no more. */
import type { Chance } from '../machine/chance.js';
import type { Host } from '../network.js';
import type { Place } from './place.js';
import type { Client } from './client.js';

interface Received {
  id: string;
  body: string;
  isTaken: boolean;
}

const EVENTS = ['request.created', 'request.updated', 'offer.created', 'troubleshooting.updated'] as const;
const MOOD_MS = 20 * 3_600_000;
const HANG_MS = 120_000;

type Mood = 'well' | 'fails' | 'hangs' | 'busy' | 'gone';

export class Receiver implements Host {
  readonly process;
  readonly url: string;
  readonly received: Received[] = [];
  /** Whose requests it may hear of; undefined for everybody's. */
  readonly owner: string | undefined;
  readonly #world: Place;
  readonly #chance: Chance;
  #mood: Mood = 'well';
  /** While its mood is another one: Infinity. */
  wellSince: number;
  #isCalm = false;

  constructor(world: Place, number: number, owner: string | undefined) {
    this.#world = world;
    this.owner = owner;
    // In some worlds all are programs of one provider.
    const isTogether = world.chance.of('one origin').happens(0.5);
    const place = `hooks${isTogether ? '' : number}.${world.name}.receivers.test/esign${isTogether ? number : ''}`;
    this.url = `https://${place}`;
    this.#chance = world.chance.of(`receiver ${number}`);
    this.process = world.scheduler.begin(place, { aheadMs: 0 });
    this.wellSince = world.scheduler.now;
    world.network.connect(place, this);
    this.#changeMood();
  }

  async subscribe(client: Client): Promise<void> {
    for (const event of EVENTS) {
      const json = { url: this.url, event, secret: 'a secret of the receiver' };
      await client.call('POST', '/api/webhooks', { json, key: `${this.url} ${event}` });
    }
  }

  #changeMood(): void {
    const { scheduler } = this.#world;
    scheduler.after(
      this.#chance.wait(MOOD_MS, 10 * MOOD_MS),
      () => {
        if (this.#isCalm) return;
        const mood = this.#chance.happens(0.5)
          ? 'well'
          : this.#chance.pick(['fails', 'hangs', 'hangs', 'busy', 'well', 'gone'] as const);
        this.#feel(mood);
        this.#changeMood();
      },
      this.process,
    );
  }

  #feel(mood: Mood): void {
    if (mood !== 'well') this.wellSince = Infinity;
    else if (this.#mood !== 'well') this.wellSince = this.#world.scheduler.now;
    this.#mood = mood;
  }

  /** Nothing goes wrong any more. */
  calmDown(): void {
    this.#feel('well');
    this.#isCalm = true;
  }

  async answer(request: Request): Promise<Response> {
    const mood = this.#mood;
    const body = await request.text();
    const id = request.headers.get('webhook-id') ?? '';
    const isTaken = mood === 'well';
    this.received.push({ id, body, isTaken });
    this.#world.trace.add(`${this.url} ${mood}: ${id} ${body.slice(0, 100)}`);
    this.#world.scheduler.in(this.#world.scheduler.nobody, () =>
      this.#world.oracle.heard(this, { id, body }),
    );
    switch (mood) {
      case 'well':
        return new Response(null, { status: 204 });
      case 'fails':
        return new Response('broken', { status: 500 });
      case 'busy':
        return new Response(null, { status: 429, headers: { 'retry-after': '600' } });
      case 'gone':
        return new Response(null, { status: 410 });
      case 'hangs':
        await this.#world.scheduler.sleep(HANG_MS);
        return new Response(null, { status: 200 });
    }
  }
}
