/** Every setting of the daemon and the command line: variable, default, check, and how to fix a wrong value. */
import { isAbsolute } from 'node:path';
import { Cron } from 'croner';
import ipaddr from 'ipaddr.js';
import { COUNTRIES } from './countries.js';
import { isCurrency, priceFault } from './currencies.js';
import { instanceName } from './instance.js';
import { unprintable } from '../contracts/contract-pdf-words.js';
import { isMailAddress, parseMailFrom } from '../mail/address.js';
import { parseHearers } from './hearers.js';
import { parseSmtpUrl } from '../mail/smtp-url.js';
import { keysOf } from '../pick.js';
import { readWebAddress } from './web-address.js';
import { systemZone, zoneNamed } from '../zone.js';

export interface Setting<T = unknown> {
  /** Its name in `Config`. */
  key: string;
  /** The value when the variable is not set; `required` instead where there is none. */
  byDefault?: T;
  /** Instead of a fixed default: how it is found, and what the documents call it. */
  found?: { by: () => T; words: string };
  required?: true;
  secret?: true;
  /** An empty value is one, and not the default. */
  mayBeEmpty?: true;
  parse: (text: string) => T;
  fix: string;
  about: string;
}

const CRON = { parse: cron, fix: 'Give five cron fields, or off.' };

export const SETTINGS = {
  ESIGN_DATA_DIR: {
    key: 'dataDir',
    byDefault: './var',
    parse: (text) => text,
    fix: 'Name a directory.',
    about: 'holds esign.db, contracts/, keys/',
  },
  ESIGN_INSTANCE: {
    key: 'instance',
    byDefault: undefined,
    parse: instanceName,
    fix: 'Give up to 24 lower-case letters, digits and hyphens, a letter first, or leave it out. It cannot be esign.',
    about: 'name of this installation where several share a machine; `firm` in the metrics',
  },
  ESIGN_INSTALLATION: {
    key: 'installation',
    byDefault: undefined,
    parse: checked((text) => /^[0-9a-f]{16}$/.test(text), 'is not the id of an installation'),
    fix: 'Give the 16 characters that the command init prints, or leave it out: then any data is taken.',
    about: 'id of the installation whose data must be in ESIGN_DATA_DIR',
  },
  ESIGN_HOST: {
    key: 'host',
    byDefault: '127.0.0.1',
    parse: plain,
    fix: 'Name an address of this machine, such as 127.0.0.1.',
    about: 'listen address',
  },
  ESIGN_PORT: {
    key: 'port',
    byDefault: 8080,
    parse: integer(0, 65_535),
    fix: 'Give a port number.',
    about: 'listen port; 0 takes any free one',
  },
  ESIGN_BASE_URL: {
    key: 'baseUrl',
    required: true,
    parse: ownAddress,
    fix: 'Give the address under which customers reach this service, without a path, such as https://contracts.example.org.',
    about: 'public address of this service; its links begin with it',
  },
  ESIGN_API_URL: {
    key: 'apiUrl',
    required: true,
    parse: providerUrl,
    fix: "Give the signature provider's base address, ending in /v3.",
    about: 'signature provider, base ends in /v3',
  },
  ESIGN_API_KEY: {
    key: 'apiKey',
    required: true,
    secret: true,
    parse: headerValue,
    fix: "Copy the API key from the signature provider's console.",
    about: 'signature provider API key',
  },
  ESIGN_WEBHOOK_SECRET: {
    key: 'webhookSecrets',
    required: true,
    secret: true,
    parse: secrets(16, 2),
    fix: 'Give the secret of the webhook subscription; 16 characters or more, two separated by a comma during a rotation.',
    about: 'secret of the inbound signature webhook',
  },
  ESIGN_WEBHOOK_HEADER: {
    key: 'webhookHeader',
    byDefault: 'X-Esign-Signature-256',
    parse: checked((text) => /^[A-Za-z0-9-]{1,64}$/.test(text), 'is not the name of a header'),
    fix: 'Give the name of a header.',
    about: 'header of the inbound signature',
  },
  ESIGN_WEBHOOK_REPEAT_STATUS: {
    key: 'webhookRepeatStatus',
    byDefault: 422,
    parse: (text) => (oneOf('422', '200')(text) === '200' ? 200 : 422),
    fix: 'Use 422 or 200.',
    about: 'answer to a repeated delivery',
  },
  ESIGN_PAYMENT_API_URL: {
    key: 'paymentApiUrl',
    required: true,
    parse: httpUrl,
    fix: "Give the payment provider's base address, such as https://api.stripe.com.",
    about: 'Stripe-compatible Checkout Sessions',
  },
  ESIGN_PAYMENT_API_KEY: {
    key: 'paymentApiKey',
    required: true,
    secret: true,
    parse: headerValue,
    fix: "Copy the secret key from the payment provider's console.",
    about: 'payment provider API key',
  },
  ESIGN_PAYMENT_WEBHOOK_SECRET: {
    key: 'paymentWebhookSecrets',
    byDefault: [],
    secret: true,
    parse: secrets(16, 2),
    fix: 'Give the secret of the payment webhook (16 characters or more), or leave the variable out.',
    about: 'secret of the inbound payment webhook; unset: it answers 404',
  },
  ESIGN_CONTRACT_AMOUNT: {
    key: 'contractAmount',
    byDefault: 12_000,
    parse: integer(1, 99_999_999),
    fix: 'Give an amount in minor units: 12000 is 120.00.',
    about: 'price of a contract, in minor units',
  },
  ESIGN_CURRENCY: {
    key: 'currency',
    byDefault: 'eur',
    parse: checked(isCurrency, 'is not a lower-case ISO 4217 currency code'),
    fix: 'Give a lower-case ISO 4217 code such as eur.',
    about: 'currency of the price',
  },
  ESIGN_VAT: {
    key: 'vat',
    byDefault: undefined,
    parse: percent,
    fix: 'Give a percentage such as 20 or 5.5, or leave it out: then nothing is said of the tax.',
    about:
      'value added tax in the prices, in percent; contract, pages and mails say the price with and without it',
  },
  ESIGN_CONTRACT_VALID_DAYS: {
    key: 'contractValidDays',
    byDefault: 30,
    parse: integer(1, 365),
    fix: 'Give a number of days from 1 to 365.',
    about: 'days to sign',
  },
  ESIGN_CONTRACT_TERM_DAYS: {
    key: 'contractTermDays',
    byDefault: 365,
    parse: integer(0, 36_500),
    fix: 'Give a number of days; 0 means no end.',
    about: 'term of a signed contract',
  },
  ESIGN_REMIND_DAYS: {
    key: 'remindDays',
    byDefault: [3, 7] as readonly number[],
    mayBeEmpty: true,
    parse: dayList,
    fix: 'Give ascending numbers of days, such as 3,7; empty or off: nobody is reminded.',
    about: 'days after which a customer is reminded to sign or to pay',
  },
  ESIGN_NEW_DAYS: {
    key: 'newDays',
    byDefault: 2,
    parse: integer(1, 365),
    fix: 'Give a number of working days from 1 to 365.',
    about: 'working days after which a new request needs the office',
  },
  ESIGN_RENEW_DAYS: {
    key: 'renewDays',
    byDefault: 60,
    parse: integer(0, 365),
    fix: 'Give a number of days from 0 to 365; 0: only once the term has ended.',
    about: 'days before the end of its term from which a contract needs the office',
  },
  ESIGN_RETENTION_YEARS: {
    key: 'retentionYears',
    byDefault: 10,
    parse: integer(0, 100),
    fix: 'Give a number of years from 0 to 100.',
    about: 'how long signed contracts are kept from erasure',
  },
  ESIGN_SMTP_URL: {
    key: 'smtpUrl',
    required: true,
    secret: true,
    parse: mailUrl,
    fix: 'Give smtp://user:password@host:port, smtps://…, or file:DIRECTORY to write .eml files.',
    about: 'mail server, or file:DIR',
  },
  ESIGN_MAIL_FROM: {
    key: 'mailFrom',
    required: true,
    parse: parseMailFrom,
    fix: 'Give an address such as "Acme Maintenance <contracts@example.org>".',
    about: "sender; its name is the firm's, unless `ESIGN_COMPANY_NAME` gives another",
  },
  ESIGN_COMPANY_NAME: {
    key: 'companyName',
    byDefault: undefined,
    parse: inContract,
    fix: "Give the firm's name, or leave it out: then it is the name in ESIGN_MAIL_FROM.",
    about: 'name of the firm in contracts and mails; unset: the name in `ESIGN_MAIL_FROM`',
  },
  ESIGN_COMPANY_ADDRESS: {
    key: 'companyAddress',
    byDefault: undefined,
    parse: inContract,
    fix: 'Give the address in one line, such as "12 Main Street, 1000 Brussels", or leave it out.',
    about: 'address of the firm in contracts and mails',
  },
  ESIGN_COMPANY_REGISTRATION: {
    key: 'companyRegistration',
    byDefault: undefined,
    parse: inContract,
    fix: 'Give register and number, such as "RCS Paris 123 456 789", or leave it out.',
    about: 'registration of the firm in contracts and mails',
  },
  ESIGN_COMPANY_EMAIL: {
    key: 'companyEmail',
    byDefault: undefined,
    parse: checked(isMailAddress, 'is not an e-mail address'),
    fix: 'Give the address that customers write to, or leave it out.',
    about: 'e-mail address of the firm in contracts and mails',
  },
  ESIGN_COMPANY_PHONE: {
    key: 'companyPhone',
    byDefault: undefined,
    parse: checked((text) => /^\+?\d[\d ()./-]{3,29}$/.test(text), 'is not a phone number'),
    fix: 'Give the number that customers call, such as "+32 2 555 01 23", or leave it out.',
    about: 'phone number of the firm in contracts and mails',
  },
  ESIGN_ADMIN_EMAIL: {
    key: 'adminEmail',
    required: true,
    parse: parseHearers,
    fix: 'Give the addresses that notices go to, separated by commas; after = the notices that one gets, such as bob@example.org=digest+payments (cases, digest, signatures, payments).',
    about: 'who receives the notices; several separated by commas, each with the notices it gets',
  },
  ESIGN_LOCALE: {
    key: 'locale',
    byDefault: 'en',
    parse: oneOf('en', 'fr'),
    fix: 'Use en or fr.',
    about:
      'language of mails and pages, except for customers who have their own; the back office has no other, `esignctl` speaks English',
  },
  ESIGN_COUNTRY: {
    key: 'country',
    byDefault: undefined,
    parse: (text) => oneOf(...keysOf(COUNTRIES))(text.toUpperCase()),
    fix: 'Give two letters such as FR, or leave it out: with ESIGN_LOCALE=fr it is then FR; otherwise numbers need their country code.',
    about:
      'country whose phone numbers are taken as they are dialled there (`06 12 34 56 78`); with `ESIGN_LOCALE=fr` it is `FR` by default',
  },
  ESIGN_TIMEZONE: {
    key: 'timeZone',
    found: { by: foundZone, words: 'that of the system' },
    parse: zoneNamed,
    fix: 'Give an IANA name such as Europe/Paris. Without it, the zone of the system is used.',
    about: 'time zone of the last day to sign, of schedules and of all times shown to people',
  },
  ESIGN_JWT_SECRET: {
    key: 'jwtSecret',
    byDefault: undefined,
    secret: true,
    parse: atLeast(32),
    fix: 'Give 32 characters or more, or leave it out: one is made in keys/.',
    about: 'signs access tokens',
  },
  ESIGN_REFRESH_SINGLE_USE: {
    key: 'refreshSingleUse',
    byDefault: true,
    parse: (text) => oneOf('1', '0')(text) === '1',
    fix: 'Use 1 or 0.',
    about: '0 returns the same refresh token, for old clients',
  },
  ESIGN_TRUSTED_PROXIES: {
    key: 'trustedProxies',
    byDefault: [],
    parse: list(cidr),
    fix: 'Give CIDR ranges separated by commas, such as 10.0.0.0/8.',
    about: 'proxies whose X-Forwarded-For counts',
  },
  ESIGN_RATE_LIMIT_IP: {
    key: 'rateLimitIp',
    byDefault: 60,
    parse: integer(0, 1_000_000),
    fix: 'Give a number of requests a minute; 0 turns it off.',
    about: 'requests per minute and address; 0: no limit',
  },
  ESIGN_RATE_LIMIT_USER: {
    key: 'rateLimitUser',
    byDefault: 1000,
    parse: integer(0, 10_000_000),
    fix: 'Give a number of requests an hour; 0 turns it off.',
    about: 'requests per hour and user; 0: no limit',
  },
  ESIGN_WEBHOOK_ALLOW_PRIVATE: {
    key: 'webhookAllowPrivate',
    byDefault: [],
    parse: list(hostOrRange),
    fix: 'Give host names, addresses or CIDR ranges separated by commas, such as hooks.internal,10.0.0.0/8.',
    about: 'private targets that outbound webhooks may reach',
  },
  ESIGN_WEBHOOK_PORTS: {
    key: 'webhookPorts',
    byDefault: [443],
    parse: (text) => list(plain)(text).map(integer(1, 65_535)),
    fix: 'Give port numbers separated by commas, such as 443,8443.',
    about: 'ports that outbound webhooks may reach',
  },
  ESIGN_CORS_ORIGINS: {
    key: 'corsOrigins',
    byDefault: [],
    parse: list(origin),
    fix: 'Give exact origins separated by commas, such as https://app.example.org.',
    about: 'origins that may call the API',
  },
  ESIGN_EXPIRE_CRON: {
    key: 'expireCron',
    byDefault: '5 0 * * *',
    ...CRON,
    about: 'daily expiry, in the daemon',
  },
  ESIGN_RECONCILE_CRON: {
    key: 'reconcileCron',
    byDefault: '*/30 * * * *',
    ...CRON,
    about: 'bulk check, audit trails, check of payments and reminders, in the daemon',
  },
  ESIGN_HOUSEKEEPING_CRON: {
    key: 'housekeepingCron',
    byDefault: '35 3 * * *',
    ...CRON,
    about: 'nightly housekeeping in the daemon: removes old data',
  },
  ESIGN_DIGEST_CRON: {
    key: 'digestCron',
    byDefault: '0 7 * * 1-5',
    ...CRON,
    about: 'mail listing what needs the office, in the daemon; none when there is nothing',
  },
  ESIGN_BACKUP_DIR: {
    key: 'backupDir',
    byDefault: undefined,
    parse: checked(isAbsolute, 'is not a whole path'),
    fix: 'Give the whole path of a directory, best on another disk, or leave it out: then the daemon makes no backups.',
    about: 'where scheduled backups go',
  },
  ESIGN_BACKUP_CRON: {
    key: 'backupCron',
    byDefault: '15 2 * * *',
    ...CRON,
    about: 'scheduled backup, when ESIGN_BACKUP_DIR is set',
  },
  ESIGN_BACKUP_KEEP: {
    key: 'backupKeep',
    byDefault: 14,
    parse: integer(1, 10_000),
    fix: 'Give a number from 1 up.',
    about: 'scheduled backups that are kept',
  },
  ESIGN_OFFSITE_MAX_AGE: {
    key: 'offsiteMinutesMax',
    byDefault: 60,
    parse: (text) => (text === 'off' ? undefined : integer(1, 525_600)(text)),
    fix: 'Give a number of minutes, or off: then nobody is told when no copy leaves this machine.',
    about: 'minutes after which an off-site copy is too old; off: copies are made in another way',
  },
  ESIGN_METRICS_TOKEN: {
    key: 'metricsToken',
    byDefault: undefined,
    secret: true,
    parse: (text) => headerValue(atLeast(16)(text)),
    fix: 'Give 16 characters or more without spaces, or leave it out: then only this machine may read /metrics.',
    about: 'lets other machines read /metrics',
  },
  ESIGN_LOG_LEVEL: {
    key: 'logLevel',
    byDefault: 'info',
    parse: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    fix: 'Use trace, debug, info, warn, error, fatal or silent.',
    about: 'lowest level that is logged, as JSON lines on stderr',
  },
} as const satisfies Record<string, Setting>;

type Settings = typeof SETTINGS;

/** What the settings come to, by their keys. */
export type Config = {
  -readonly [Name in keyof Settings as Settings[Name]['key']]:
    | ReturnType<Settings[Name]['parse']>
    | (Settings[Name] extends { byDefault: undefined } ? undefined : never);
};

/** What is wrong with the price, which two settings make; undefined while one of them is wrong by itself. */
export function faultOfPrice({ contractAmount: amount, currency }: Partial<Config>): string | undefined {
  const fault = amount && currency ? priceFault({ amount, currency }) : undefined;
  if (!fault) return undefined;
  const price = `makes a price of ${amount} ${currency}, which nobody can pay`;
  return fault.fault === 'least'
    ? `${price}: the payment provider accepts no less than ${fault.amount}`
    : `${price}: the payment provider accepts only multiples of ${fault.amount}`;
}

function checked(isRight: (text: string) => boolean, fault: string) {
  return (text: string): string => {
    if (!isRight(text)) throw new Error(fault);
    return text;
  };
}

const COMPANY_LENGTH_MAX = 200;

/** One line that the contract's fonts can print. */
function inContract(text: string): string {
  if (text.length > COMPANY_LENGTH_MAX) throw new Error(`is longer than ${COMPANY_LENGTH_MAX} characters`);
  if (/[\p{Cc}\u2028\u2029]/u.test(text)) throw new Error('holds control characters');
  const letter = unprintable(text);
  if (letter !== undefined) throw new Error(`holds “${letter}”, which the contract cannot print`);
  return text;
}

function plain(text: string): string {
  if (/[\u0000-\u001f\u007f\s]/.test(text)) throw new Error('holds white space or control characters');
  return text;
}

function headerValue(text: string): string {
  if (!/^[\u0021-\u007e]+$/.test(text)) throw new Error('holds characters that cannot stand in a header');
  return text;
}

function foundZone(): string {
  const zone = systemZone();
  if (zone !== undefined) return zone;
  const { TZ } = process.env;
  const why = TZ ? `TZ=${TZ} is not an IANA name` : 'the time zone of the system has no IANA name';
  throw new Error(`is not set, and ${why}`);
}

function integer(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new Error(`is not a whole number from ${min} to ${max}`);
    }
    return value;
  };
}

function percent(text: string): number {
  const value = Number(text.replace(',', '.'));
  if (!/^\d{1,2}([.,]\d{1,2})?$/.test(text) || value === 0) throw new Error('is not a percentage below 100');
  return value;
}

const REMINDERS_MAX = 10;

function dayList(text: string): readonly number[] {
  if (text === '' || text === 'off') return [];
  const days = text.split(',').map((day) => integer(1, 365)(day.trim()));
  if (days.some((day, i) => day <= (days[i - 1] ?? 0))) throw new Error('is not ascending');
  if (days.length > REMINDERS_MAX) throw new Error(`has more than ${REMINDERS_MAX} days`);
  return days;
}

function oneOf<const Word extends string>(...words: Word[]) {
  return (text: string): Word => {
    const word = words.find((each) => each === text);
    if (word === undefined) throw new Error(`is none of ${words.join(', ')}`);
    return word;
  };
}

function httpUrl(text: string): string {
  const url = readWebAddress(text);
  if (url === 'no_address') throw new Error('is not an http or https address');
  if (url === 'credentials') throw new Error('holds a user name or password');
  if (url === 'fragment' || text.includes('?')) throw new Error('holds a query or fragment');
  return url.href.replace(/\/+$/, '');
}

/** All routes are at the root of the host, so the address has no path. */
function ownAddress(text: string): string {
  const url = httpUrl(text);
  if (new URL(url).pathname !== '/')
    throw new Error('holds a path, but the service answers only without one');
  return url;
}

function providerUrl(text: string): string {
  const url = httpUrl(text);
  if (!url.endsWith('/v3')) throw new Error('does not end in /v3');
  return url;
}

function mailUrl(text: string): string {
  if (text.startsWith('file:') && text.length > 'file:'.length) return text;
  if (!/^smtps?:/.test(text)) throw new Error('is neither smtp://, smtps:// nor file:');
  parseSmtpUrl(text);
  return text;
}

function atLeast(length: number) {
  return checked((text) => text.length >= length, `is shorter than ${length} characters`);
}

function secrets(length: number, max: number) {
  return (text: string): string[] => {
    const parts = text.split(',').map((part) => part.trim());
    if (parts.length > max) throw new Error(`holds more than ${max} secrets`);
    return parts.map(atLeast(length));
  };
}

function list(check: (text: string) => string) {
  return (text: string): string[] =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
      .map(check);
}

function cidr(text: string): string {
  if (!ipaddr.isValid(text) && !ipaddr.isValidCIDR(text))
    throw new Error(`holds ${text}, which is no address or range`);
  return text;
}

function hostOrRange(text: string): string {
  const isHost = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text);
  if (!ipaddr.isValid(text) && !ipaddr.isValidCIDR(text) && !isHost)
    throw new Error(`holds ${text}, which is no host, address or range`);
  return text;
}

function origin(text: string): string {
  if (!URL.canParse(text) || new URL(text).origin !== text)
    throw new Error(`holds ${text}, which is no origin`);
  return text;
}

function cron(text: string): string | undefined {
  if (text === 'off') return undefined;
  if (text.split(/\s+/).length !== 5 || !/^[\d*/,\-\sA-Za-z#?L]+$/.test(text))
    throw new Error('is not five cron fields');
  try {
    new Cron(text, { paused: true }).stop();
  } catch (error) {
    throw new Error('names a time that does not exist', { cause: error });
  }
  return text;
}
