/** The firm as contracts and mails show it. Everything but its name may be missing. */
import type { Config } from './settings.js';

export interface CompanyDetails {
  address?: string;
  registration?: string;
  email?: string;
  phone?: string;
}

/** The firm's name: that of the setting, else the sender's of the mails. */
export function companyName({ companyName: name, mailFrom }: Config): string {
  return name ?? mailFrom.name;
}

/** Name and details in one line, for the foot of a mail; undefined when there are no details. */
export function companyLine(config: Config): string | undefined {
  const details = companyDetails(config);
  return details && [companyName(config), ...Object.values(details)].join(' · ');
}

/** Undefined when the settings say nothing. */
export function companyDetails(config: Config): CompanyDetails | undefined {
  const { companyAddress, companyRegistration, companyEmail, companyPhone } = config;
  const details = {
    ...(companyAddress !== undefined && { address: companyAddress }),
    ...(companyRegistration !== undefined && { registration: companyRegistration }),
    ...(companyEmail !== undefined && { email: companyEmail }),
    ...(companyPhone !== undefined && { phone: companyPhone }),
  };
  return Object.keys(details).length > 0 ? details : undefined;
}
