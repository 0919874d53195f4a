/** Errors are stored in English, as they were met; here those with a known cause are said in the reader's language. */
import type { LabelKey, Say, TextKey } from './index.js';

type Told = Extract<TextKey, `trouble.${string}`>;

const FORMS: readonly [RegExp, Told][] = [
  [/^(?<who>.+?) refuses the API key: it answered (?<more>.+)$/s, 'trouble.refused_key'],
  [/^(?<who>.+?) answered (?<more>.+)$/s, 'trouble.answered'],
  [/^(?<who>.+?) cannot be reached \((?<more>.+)\)$/s, 'trouble.unreachable'],
  [/^(?<who>.+?) cannot be used: (?<more>.+)$/s, 'trouble.unusable'],
  [/^(?<who>.+?) did not answer in time$/, 'trouble.timeout'],
  [/^(?<who>.+?) has a name that cannot be found$/, 'trouble.unknown_name'],
  [/^there has never been one$/, 'trouble.no_copy'],
  [/^the newest dates from (?<at>\S+)$/, 'trouble.old_copy'],
];

const PROVIDERS: Readonly<Record<string, LabelKey>> = {
  'signature provider': 'trouble.signature',
  'payment provider': 'trouble.payment',
};

export function storedErrorWords(say: Say, error: string): string {
  for (const [form, key] of FORMS) {
    const found = form.exec(error);
    if (!found) continue;
    const who = whoWords(say, found.groups?.['who']);
    return (who !== undefined && say.find(key, { ...found.groups, who })) || error;
  }
  return error;
}

/** Undefined: somebody else's words, which stay as they are. */
function whoWords(say: Say, who = ''): string | undefined {
  if (who === '') return '';
  const provider = PROVIDERS[who];
  if (provider) return say(provider);
  const [, server] = /^the mail server (\S+)$/.exec(who) ?? [];
  return server && say('trouble.mail_server', { server });
}
