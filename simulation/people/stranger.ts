/** Somebody else on the same accounts of both providers, who takes names that another system might take for its own. */
import type { Chance } from '../machine/chance.js';
import type { Scene } from '../oracle/scene.js';
import { contractPdf, markOf } from './contract-pdf.js';

export const STRANGER = 'stranger@elsewhere.test';

const HOUR = 3_600_000;

export class Stranger {
  readonly #world: Scene;
  readonly #chance: Chance;
  /** By the id of the signature request, what became of it. */
  readonly signatures = new Map<string, 'ongoing' | 'done'>();

  constructor(world: Scene, chance: Chance) {
    this.#world = world;
    this.#chance = chance;
  }

  /** A contract of theirs: sent, signed, paid. */
  async trade(number: number): Promise<void> {
    const { scheduler, providers } = this.#world;
    const rows = number % 6;
    const name = this.#chance.pick([
      `${rows}`,
      `contract-${rows}`,
      `REQ-${rows}`,
      `esign-0123456789abcdef-${rows}`,
    ]);
    const { world } = providers;
    const request = await this.#call('/v3/signature_requests', {
      name: 'A contract of somebody else',
      delivery_mode: 'email',
      external_id: name,
      timezone: 'UTC',
    });
    const id = request?.['id'] as string | undefined;
    const there = id === undefined ? undefined : world.signatureRequests.get(id);
    if (!id || !there) return;
    const content = contractPdf(markOf(STRANGER, `Their contract ${number}`));
    there.documents.push({
      id: `their-document-${number}`,
      filename: 'c.pdf',
      nature: 'signable_document',
      content,
      sha256: '',
      createdAt: scheduler.now,
      pages: [{ view: { x: 0, y: 0, width: 595, height: 842 }, turn: 0 }],
      isProtected: false,
      anchors: [],
    });
    const info = { first_name: 'Sam', last_name: 'Stranger', email: STRANGER, locale: 'en' };
    const document_id = `their-document-${number}`;
    await this.#call(`/v3/signature_requests/${id}/signers`, {
      info,
      signature_level: 'electronic_signature',
      signature_authentication_mode: 'no_otp',
      fields: [{ type: 'signature', document_id, page: 1, x: 50, y: 50, width: 85, height: 37 }],
    });
    if (!(await this.#call(`/v3/signature_requests/${id}/activate`, {}))) return;
    this.signatures.set(id, 'ongoing');
    await scheduler.sleep(this.#chance.wait(10 * HOUR, 48 * HOUR));
    if (this.#chance.happens(0.7) && providers.sign(id)) this.signatures.set(id, 'done');
  }

  /** What has become of their contracts without them. */
  wronged(): string[] {
    return [...this.signatures].flatMap(([id, status]) => {
      const there = this.#world.providers.world.signatureRequests.get(id);
      const isTheirs = there?.status === status || (status === 'ongoing' && there?.status === 'expired');
      return isTheirs ? [] : `a stranger's contract was ${status} and is ${there?.status}`;
    });
  }

  async #call(path: string, body: object): Promise<Record<string, unknown> | undefined> {
    try {
      const answer = await this.#world.network.call({
        method: 'POST',
        url: `http://providers.sim${path}`,
        headers: { authorization: 'Bearer sandbox-api-key', 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify(body)),
      });
      return answer.status < 300
        ? (JSON.parse(answer.body.toString()) as Record<string, unknown>)
        : undefined;
    } catch {
      return undefined;
    }
  }
}
