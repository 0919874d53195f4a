/** The settings of a demo: everything on this machine, secrets made for this one run. */
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';

export type Settings = Record<`ESIGN_${string}`, string>;

export interface Ports {
  api: number;
  sandbox: number;
  smtp: number;
}

export interface Login {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
}

export const ADMINISTRATOR = { email: 'office@demo.test', firstName: 'Anna', lastName: 'Martin' };
export const CUSTOMER = { email: 'camille@demo.test', firstName: 'Camille', lastName: 'Durand' };

export function demoSettings(dir: string, { api, sandbox, smtp }: Ports) {
  return {
    // Absolute, so that esignctl finds it from every directory.
    ESIGN_DATA_DIR: resolve(dir),
    ESIGN_PORT: String(api),
    ESIGN_BASE_URL: `http://127.0.0.1:${api}`,
    ESIGN_API_URL: `http://127.0.0.1:${sandbox}/v3`,
    ESIGN_API_KEY: secret(),
    ESIGN_WEBHOOK_SECRET: secret(),
    ESIGN_PAYMENT_API_URL: `http://127.0.0.1:${sandbox}`,
    ESIGN_PAYMENT_API_KEY: secret(),
    ESIGN_PAYMENT_WEBHOOK_SECRET: secret(),
    ESIGN_SMTP_URL: `smtp://127.0.0.1:${smtp}`,
    ESIGN_OFFSITE_MAX_AGE: 'off',
    ESIGN_MAIL_FROM: 'Demo Maintenance <contracts@demo.test>',
    ESIGN_ADMIN_EMAIL: ADMINISTRATOR.email,
    // On a busy machine the sandbox may repeat a webhook whose answer came too late for it.
    ESIGN_WEBHOOK_REPEAT_STATUS: '200',
    // Lets a receiver on this machine be tried (docs/webhook-receivers.md).
    ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1',
    // A webhook that was lost on purpose in the console is made up for within a minute.
    ESIGN_RECONCILE_CRON: '* * * * *',
  } satisfies Settings;
}

export function secret(): string {
  return randomBytes(18).toString('base64url');
}
