/** Gives an error of the mail server its reason, in words that hold no secret. */
import { oneLine, shorten } from '../texts/plain.js';
import { codeOf } from '../../db/caught.js';
import { MailError, type MailFailure } from './mail-error.js';
import type { SmtpServer } from './smtp-url.js';

// A refusal of these commands is about this mail; any other is about the connection or our log-in, which can be fixed.
const ABOUT_THE_MAIL: Readonly<Record<string, MailFailure>> = {
  'MAIL FROM': 'rejected',
  'RCPT TO': 'recipient_refused',
  DATA: 'rejected',
};
const OUR_OWN_FAULT = /^(EFILEACCESS|EURLACCESS|EENVELOPE|EMESSAGE)$/;

/**
 * A 5xx answer to the recipient is `recipient_refused`, to the sender or the content `rejected`; 4xx, a refused log-in
 * and any trouble with the connection are `unavailable`. The original error is not kept as the cause, because it may
 * hold secrets.
 */
export function mailErrorOf(error: unknown, server: SmtpServer): MailError {
  if (error instanceof MailError) return error;
  if (codeOf(error) === 'ESTREAM') {
    const why = shorten(oneLine(field(error, 'message')), 200);
    return new MailError('unavailable', `an attachment cannot be read (${why})`);
  }
  const story = `the mail server ${server.host}:${server.port} ${storyOf(error)}`;
  return new MailError(reasonOf(error), withoutSecrets(story, server));
}

function reasonOf(error: unknown): MailFailure {
  const answer = Number(field(error, 'responseCode')) || 0;
  if (answer >= 500) return ABOUT_THE_MAIL[field(error, 'command')] ?? 'unavailable';
  return answer === 0 && OUR_OWN_FAULT.test(codeOf(error)) ? 'rejected' : 'unavailable';
}

function storyOf(error: unknown): string {
  const response = field(error, 'response');
  const command = field(error, 'command').replace('CONN', '');
  if (response) return `answered ${command}`.trim() + `: ${shorten(oneLine(response), 200)}`;
  switch (codeOf(error)) {
    case 'ETIMEDOUT':
    case 'EABORT':
      return 'did not answer in time';
    case 'EDNS':
      return 'has a name that cannot be found';
    default:
      return `cannot be used: ${shorten(oneLine(field(error, 'message')), 200)}`;
  }
}

function field(error: unknown, name: 'command' | 'message' | 'response' | 'responseCode'): string {
  if (typeof error !== 'object' || error === null) return '';
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function withoutSecrets(message: string, { auth }: SmtpServer): string {
  if (!auth?.pass) return message;
  const spellings = [
    auth.pass,
    encodeURIComponent(auth.pass),
    Buffer.from(auth.pass).toString('base64'),
    Buffer.from(`\0${auth.user}\0${auth.pass}`).toString('base64'),
  ];
  return spellings.reduce((words, secret) => words.replaceAll(secret, '***'), message);
}
