/** The package, installed in a container beside stand-ins of the providers. */
import { basename } from 'node:path';
import { inject } from 'vitest';
import { bootContainer, type Container } from './container.js';

/** What the sandbox of the providers expects unless told otherwise. */
export const SETTINGS: Readonly<Record<string, string>> = {
  ESIGN_BASE_URL: 'http://127.0.0.1:8080',
  ESIGN_API_URL: 'http://127.0.0.1:8090/v3',
  ESIGN_API_KEY: 'sandbox-api-key',
  ESIGN_WEBHOOK_SECRET: 'sandbox-webhook-secret',
  ESIGN_PAYMENT_API_URL: 'http://127.0.0.1:8090',
  ESIGN_PAYMENT_API_KEY: 'sandbox-payment-key',
  ESIGN_PAYMENT_WEBHOOK_SECRET: 'sandbox-payment-secret',
  ESIGN_SMTP_URL: 'smtp://127.0.0.1:8025',
  ESIGN_MAIL_FROM: '"Acme Maintenance <contracts@acme.test>"',
  ESIGN_ADMIN_EMAIL: 'office@acme.test',
};

/** Fills in the template, as somebody with an editor does. */
export const FILL_IN = Object.entries(SETTINGS)
  .map(([name, value]) => `sed -i 's#^\\#*${name}=.*#${name}=${value}#' /etc/esign/esign.env`)
  .join('\n');

export interface Installation extends Container {
  /** The package, in /root. */
  deb: string;
  /** Puts the line into the settings, in the place of what is said there about that variable. */
  set(name: string, value: string): void;
}

/** A container that knows the package, and nothing is installed yet. */
export async function bootWithPackage(): Promise<Installation> {
  const deb = inject('deb');
  const container = await bootContainer();
  container.bring(deb);
  return {
    ...container,
    deb: basename(deb),
    set: (name, value) =>
      void container.run(`
        sed -i 's/^${name}=/#&/' /etc/esign/esign.env
        echo '${name}=${value}' >>/etc/esign/esign.env`),
  };
}

/** They are not in the package. */
export async function startProviders(container: Container): Promise<void> {
  const secrets = Object.entries(SETTINGS).filter(([name]) => /_(KEY|SECRET)$/.test(name));
  const environment = secrets.map(([name, value]) => `--setenv=${name}=${value}`).join(' ');
  const program = '/usr/lib/esign/bin/node /checkout/dist/bin/esign-sandbox.js';
  container.run(`systemd-run --quiet --unit=providers ${environment} ${program}`);
  await container.until('curl --silent --fail http://127.0.0.1:8090/_sandbox/state');
}

/** Installs, fills in, starts. */
export async function install(container: Installation): Promise<void> {
  container.run(`apt-get install --quiet --yes ./${container.deb}`);
  container.run(FILL_IN);
  await startProviders(container);
  container.run('systemctl enable --quiet --now esignd');
}
