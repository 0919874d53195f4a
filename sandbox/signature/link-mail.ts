/** The mail with which the signature provider itself sends the link. It never passes our SMTP server. */
import type { World } from '../world.js';
import type { SignatureRequest, Signer } from './types.js';

const TEXTS = {
  en: {
    subject: (name: string) => `Please sign: ${name}`,
    hello: (name: string) => `Hello ${name},`,
    ask: (name: string) => `you are asked to read and sign "${name}". Open this link to do so:`,
    until: (day: string) => `The document can be signed until ${day}.`,
    bye: 'Your signature service (sandbox)',
  },
  fr: {
    subject: (name: string) => `À signer : ${name}`,
    hello: (name: string) => `Bonjour ${name},`,
    ask: (name: string) => `vous êtes invité à lire et à signer « ${name} ». Ouvrez ce lien :`,
    until: (day: string) => `Le document peut être signé jusqu'au ${day}.`,
    bye: 'Votre service de signature (bac à sable)',
  },
};

/** Puts the mail into the mailbox, in the signer's language if we have it, else in English. */
export function sendLinkMail(world: World, request: SignatureRequest, signer: Signer, link: string): void {
  const texts = signer.info.locale === 'fr' ? TEXTS.fr : TEXTS.en;
  const name = `${signer.info.first_name} ${signer.info.last_name}`;
  const note = request.emailCustomNote ? [request.emailCustomNote] : [];
  const before = [texts.hello(name), texts.ask(request.name)];
  const after = [...note, texts.until(request.expirationDate), texts.bye];
  const paragraph = (line: string): string => `<p>${escapeHtml(line)}</p>`;
  const anchor = `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`;
  world.mailbox.add({
    source: 'provider',
    receivedAt: world.now(),
    from: 'signature@sandbox.test',
    to: [signer.info.email],
    subject: texts.subject(request.name),
    messageId: `<${world.ids.uuid()}@sandbox.test>`,
    text: [...before, link, ...after].join('\n\n'),
    html: [...before.map(paragraph), anchor, ...after.map(paragraph)].join('\n'),
    attachments: [],
  });
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
