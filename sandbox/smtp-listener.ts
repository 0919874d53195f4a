/** Takes mails over real SMTP from anybody, without log-in, and fails on demand. */
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { listening, type Listener } from './listening.js';
import { parseMail } from './mailbox.js';
import { count, pause, type World } from './world.js';

/** As Postfix has it by default, in bytes; announced to clients. */
const SIZE_MAX = 10_240_000;

/** Rejects when the port is not available. */
export async function listenSmtp(world: World, host: string, port: number): Promise<Listener> {
  const smtp = new PromptServer({
    authOptional: true,
    // Any name and password may log in.
    allowInsecureAuth: true,
    onAuth: ({ username }, _session, callback) => callback(null, { user: username ?? 'anybody' }),
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    size: SIZE_MAX,
    rejectOversized: true,
    onRcptTo: ({ address }, _session, callback) => {
      const kind = world.faults.take('smtp', 'recipient', ['550', '554'])?.kind;
      if (kind === '550') return callback(refusal(550, `5.1.1 <${address}>: no such mailbox`));
      if (kind === '554')
        return callback(refusal(554, `5.7.1 <${address}>: 192.0.2.1 is listed at bl.example.net`));
      return callback();
    },
    onData: (stream, session, callback) => {
      const recipients = session.envelope.rcptTo.map((recipient) => recipient.address);
      void receive(world, stream, recipients, callback);
    },
  });
  // A client that hangs up is no error of ours.
  smtp.on('error', (error: Error) => world.settings.log(`smtp: ${error.message}`));
  const held = putFaultsBeforeGreeting(world, smtp);

  return {
    port: await listening(smtp.server, host, port),
    close: () => {
      for (const socket of held) socket.destroy();
      return new Promise((resolve) => smtp.close(() => resolve()));
    },
  };
}

/** Greets at once. smtp-server waits 100 ms for those who talk too soon, which every mail of a test and of the demo would pay. */
class PromptServer extends SMTPServer {
  override connect(...call: Parameters<SMTPServer['connect']>): void {
    super.connect(...call);
    const connection = [...this.connections].at(-1);
    const greet = connection?.connectionReady.bind(connection);
    if (!connection || !greet) return;
    connection.connectionReady = () => undefined;
    greet();
  }
}

async function receive(
  world: World,
  stream: Readable,
  recipients: string[],
  callback: (error?: Error) => void,
): Promise<void> {
  try {
    await accept(world, await buffer(stream), recipients);
    callback();
  } catch (error) {
    callback(error instanceof Error ? error : new Error(String(error)));
  }
}

async function accept(world: World, raw: Buffer, recipients: string[]): Promise<void> {
  count(world.counters.calls, 'smtp.message');
  const fault = world.faults.take('smtp', 'message', ['451', '552', 'delay']);
  if (fault) await pause(fault.delayMs ?? (fault.kind === 'delay' ? 2000 : 0), world.closing);
  if (fault?.kind === '451') throw refusal(451, '4.3.0 Temporary failure, try again later');
  if (fault?.kind === '552') throw refusal(552, '5.3.4 Message size exceeds fixed limit');
  const mail = world.mailbox.add(await parseMail(raw, recipients, world.now()));
  count(world.counters.mailsById, mail.messageId ?? '-');
}

function refusal(responseCode: number, words: string): Error {
  return Object.assign(new Error(words), { responseCode });
}

/** These faults strike before the greeting. smtp-server has no hook there, so its listener is wrapped. */
function putFaultsBeforeGreeting(world: World, smtp: SMTPServer): Set<Socket> {
  const held = new Set<Socket>();
  const greeters = smtp.server.listeners('connection');
  smtp.server.removeAllListeners('connection');
  smtp.server.on('connection', (socket: Socket) => {
    const fault = world.faults.take('smtp', 'connect', ['refuse', '421', 'hang']);
    if (!fault) {
      for (const greet of greeters) Reflect.apply(greet, smtp.server, [socket]);
      return;
    }
    socket.on('error', () => socket.destroy());
    held.add(socket);
    socket.once('close', () => held.delete(socket));
    if (fault.kind === 'refuse') socket.resetAndDestroy();
    if (fault.kind === '421') socket.end('421 4.3.2 Service not available, closing\r\n');
  });
  return held;
}
