/** The manual page esignd(8): the daemon's options, and every setting from its table. */
import { SETTINGS, type Setting } from '../../src/core/settings/settings.js';
import { packageVersion } from '../../src/core/installation/version.js';
import { escaped, heading, paragraph, term, title } from './roff.js';

const OPTIONS: readonly [string, string][] = [
  ['--env-file FILE', 'Read settings from FILE; variables of the environment take precedence.'],
  ['--instance NAME', 'One of several installations on this machine: read /etc/esign/NAME.env.'],
  [
    '--no-create',
    'Refuse to start if there is no database. Without this option, the first start creates one.',
  ],
  ['--version', 'Print the versions of program, schema and Node.'],
  ['--help', 'Print a short help.'],
];

const EXIT_STATUS: readonly [string, string][] = [
  ['0', 'stopped by SIGTERM or SIGINT'],
  ['1', 'it could not start, or failed'],
  ['2', 'wrong usage or settings'],
];

export function esigndPage(): string {
  return [
    title('esignd', 8, `esign ${packageVersion()}`, 'System Administration'),
    heading('NAME'),
    'esignd \\- the contract signature service',
    heading('SYNOPSIS'),
    '.B esignd\n[\\-\\-env\\-file \\fIFILE\\fR | \\-\\-instance \\fINAME\\fR] [\\-\\-no\\-create]',
    heading('DESCRIPTION'),
    paragraph(
      'The daemon serves the API and the webhooks of the signature and payment providers, and runs the jobs that follow from them. It prints one line once it is listening, and logs JSON lines to stderr. At most one daemon runs on a data directory.',
    ),
    heading('OPTIONS'),
    ...OPTIONS.map(([flags, meaning]) => term(flags, meaning)),
    heading('SETTINGS'),
    paragraph(
      'Environment variables. X_FILE names a file that contains the value of X. An empty value counts as not set. All errors are reported together, before anything starts.',
    ),
    ...Object.entries<Setting>(SETTINGS).map(([name, setting]) => term(name, meaningOf(setting))),
    heading('SIGNALS'),
    term('SIGTERM, SIGINT', 'Accept no more work, finish what is running (within 30 seconds) and exit.'),
    heading('EXIT STATUS'),
    ...EXIT_STATUS.map(([code, meaning]) => term(code, meaning)),
    heading('FILES'),
    term('/etc/esign/esign.env', 'Settings, unless another file is named or this one cannot be read.'),
    term('/etc/esign/NAME.env', 'The same with --instance NAME.'),
    heading('SEE ALSO'),
    `.BR ${escaped('esignctl')} (1)`,
    '',
  ].join('\n');
}

function meaningOf({ about, byDefault, required }: Setting): string {
  const words = about.charAt(0).toUpperCase() + about.slice(1);
  if (required) return `${words}. Required.`;
  if (byDefault === undefined || (Array.isArray(byDefault) && byDefault.length === 0)) return `${words}.`;
  // A list as it is typed: `3,7`.
  const value = Array.isArray(byDefault)
    ? byDefault.map(Number).join(',')
    : typeof byDefault === 'string'
      ? byDefault
      : String(Number(byDefault));
  return `${words}. Default: ${value}`;
}
