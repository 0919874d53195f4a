/** Reads `smtp://user:password@host:port?option=…`. No error message repeats any part of the address. */
export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte (smtps), not by STARTTLS. */
  secure: boolean;
  requireTLS: boolean;
  ignoreTLS: boolean;
  verifyCertificate: boolean;
  auth: { user: string; pass: string } | null;
}

const OPTIONS = ['requireTLS', 'ignoreTLS', 'tls.rejectUnauthorized'];

export function parseSmtpUrl(smtpUrl: string): SmtpServer {
  const url = URL.canParse(smtpUrl) ? new URL(smtpUrl) : null;
  if (!url?.hostname || !/^smtps?:$/.test(url.protocol)) {
    throw new Error('expected a mail server such as smtp://user:password@mail.example.com:587');
  }
  const secure = url.protocol === 'smtps:';
  const auth = credentials(url);
  const ignoreTLS = option(url, 'ignoreTLS', false);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    // A password never leaves the machine in clear text unless the operator sets ignoreTLS.
    requireTLS: option(url, 'requireTLS', auth !== null && !ignoreTLS && !isLoopback(url.hostname)),
    ignoreTLS,
    verifyCertificate: option(url, 'tls.rejectUnauthorized', true),
    auth,
  };
}

function credentials({ username, password }: URL): SmtpServer['auth'] {
  if (!username) return null;
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch {
    throw new Error('a % in the user or the password of the mail server must be written %25');
  }
}

function option({ searchParams }: URL, name: string, byDefault: boolean): boolean {
  if ([...searchParams.keys()].some((key) => !OPTIONS.includes(key))) {
    throw new Error(`the mail server knows only the options ${OPTIONS.join(', ')}`);
  }
  const value = searchParams.get(name);
  if (value === null) return byDefault;
  if (value !== 'true' && value !== 'false') throw new Error(`the option ${name} is true or false`);
  return value === 'true';
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
