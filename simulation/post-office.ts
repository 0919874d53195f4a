/** The mail server: takes mails, refuses them, or takes them and does not say so. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Chance } from './machine/chance.js';
import type { Process, Scheduler } from './machine/scheduler.js';
import { MailError } from '../src/core/mail/mail-error.js';
import { composeMessage, type MailTransport, type MailTransportOptions } from '../src/core/mail/transport.js';
import type { Trace } from './trace.js';

export interface Letter {
  to: string;
  subject: string;
  text: string;
  messageId: string;
  attachments: { name: string; sha256: string; content: Buffer }[];
}

/** How it was taken. */
export interface Taking {
  from: Process;
  /** The sender learns that it was taken. */
  isTold: boolean;
}

/** What may become of a mail, as probabilities. */
export interface MailWeather {
  refused: number;
  /** Taken, but the answer gets lost. */
  lostAnswer: number;
  hangs: number;
  /** For good. */
  rejected: number;
}

export const CALM: MailWeather = { refused: 0, lostAnswer: 0, hangs: 0, rejected: 0 };

/** A customer has given an address that takes no mail. */
export function isMistyped(address: string): boolean {
  return address.includes('@custmers.');
}

const HANG_MS = 120_000;

export class PostOffice {
  weather: MailWeather = CALM;
  readonly #scheduler: Scheduler;
  readonly #chance: Chance;
  readonly #trace: Trace;
  readonly #readers: ((letter: Letter, taking: Taking) => void)[] = [];

  constructor(scheduler: Scheduler, chance: Chance, trace: Trace) {
    this.#scheduler = scheduler;
    this.#chance = chance;
    this.#trace = trace;
  }

  /** Calls `reader` with every letter that arrives. */
  onLetter(reader: (letter: Letter, taking: Taking) => void): void {
    this.#readers.push(reader);
  }

  readonly open = ({ from }: MailTransportOptions): MailTransport => {
    const closed = new AbortController();
    return {
      send: async (mail) => {
        if (closed.signal.aborted) throw new MailError('unavailable', 'the mail transport is closed');
        const message = composeMessage(mail, from);
        const attachments = await Promise.all((message.attachments ?? []).map(readWhole));
        await this.#scheduler.sleep(this.#chance.wait(60, 2_000));
        const letter: Letter = {
          to: mail.to.address,
          subject: String(message.subject),
          text: mail.text,
          messageId: String(message.messageId),
          attachments,
        };
        await this.#take(letter);
      },
      verify: async () => undefined,
      close: () => closed.abort(),
    };
  };

  async #take(letter: Letter): Promise<void> {
    const { refused, lostAnswer, hangs, rejected } = this.weather;
    const chance = this.#chance;
    const [isRefused, isLost, isHanging, isRejected] = [refused, lostAnswer, hangs, rejected].map((p) =>
      chance.happens(p),
    );
    if (isHanging) {
      await this.#scheduler.sleep(HANG_MS);
      throw new MailError('unavailable', 'the mail server did not answer in time');
    }
    if (isRefused) throw new MailError('unavailable', 'the mail server answered 451');
    if (isRejected || isMistyped(letter.to)) throw new MailError('rejected', 'the mail server answered 550');
    this.#trace.add(`mail to ${letter.to}: ${letter.subject}${isLost ? ', and the answer gets lost' : ''}`);
    // Whoever reads it is nobody of the sender's.
    const taking = { from: this.#scheduler.process(), isTold: !isLost };
    this.#scheduler.in(this.#scheduler.nobody, () => this.#readers.forEach((read) => read(letter, taking)));
    this.#scheduler.happened();
    if (isLost) throw new MailError('unavailable', 'the connection to the mail server was lost');
  }
}

type Composed = NonNullable<ReturnType<typeof composeMessage>['attachments']>[number];

async function readWhole({ filename, content }: Composed) {
  const bytes = content instanceof Readable ? await buffer(content) : (content as Buffer);
  return {
    name: String(filename),
    content: bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}
