/** The manual page esignctl(1), from the same definitions as --help. */
import type { Option } from 'commander';
import { packageVersion } from '../../src/core/installation/version.js';
import { EXIT_CODES } from '../../src/cli/exit-codes.js';
import { BuiltCommand } from '../../src/cli/verb/build.js';
import { heading, paragraph, prose, subheading, term, title } from './roff.js';

const ENVIRONMENT: readonly [string, string][] = [
  ['ESIGN_…', 'The settings; esignd(8) lists them.'],
  ['ESIGN_ENV_FILE', 'A file of settings, as --env-file names one.'],
  ['ESIGN_INSTANCE', 'One of several installations on this machine, as --instance names one.'],
  ['ESIGN_SETTINGS_DIR', 'Where the settings are read instead of /etc/esign.'],
  ['NO_COLOR, FORCE_COLOR', 'No colour on a terminal; colour also elsewhere. FORCE_COLOR goes first.'],
  [
    'PAGER',
    'The pager for output that is longer than the terminal, by default less -FRX. Empty, or cat: none, as with --no-pager. Behind sudo it is always less.',
  ],
  [
    'TZ',
    'The time zone of times on a terminal, unless ESIGN_TIMEZONE names one. Elsewhere times are in UTC.',
  ],
];

export function esignctlPage(program: BuiltCommand): string {
  return [
    title('esignctl', 1, `esign ${packageVersion()}`, 'User Commands'),
    heading('NAME'),
    'esignctl \\- the operator\\(aqs commands of the contract signature service',
    heading('SYNOPSIS'),
    '.B esignctl\n[\\fIoptions\\fR] \\fIcommand\\fR [\\fIarguments\\fR]',
    heading('DESCRIPTION'),
    paragraph(program.description()),
    prose(program.text),
    heading('OPTIONS'),
    ...options(program),
    heading('COMMANDS'),
    ...leaves(program).flatMap(({ command, name }) => section(command, name)),
    heading('EXIT STATUS'),
    ...EXIT_CODES.map(([code, meaning]) => term(String(code), meaning)),
    heading('ENVIRONMENT'),
    ...ENVIRONMENT.map(([name, meaning]) => term(name, meaning)),
    heading('FILES'),
    term('/etc/esign/esign.env', 'Settings, read when no other file is named and this one can be read.'),
    term('/etc/esign/NAME.env', 'The same with --instance NAME.'),
    heading('SEE ALSO'),
    '.BR esignd (8)',
    '',
  ].join('\n');
}

interface Leaf {
  command: BuiltCommand;
  name: string;
}

/** Executable commands by full name. */
export function leaves(command: BuiltCommand, name = command.name()): Leaf[] {
  if (command.commands.length === 0) return [{ command, name }];
  const below = command.createHelp().visibleCommands(command);
  return below.flatMap((each) =>
    each instanceof BuiltCommand && each.name() !== 'help' ? leaves(each, `${name} ${each.name()}`) : [],
  );
}

function section(command: BuiltCommand, name: string): string[] {
  const ownArguments = command.registeredArguments
    .filter(({ description }) => description !== '')
    .map((argument) => term(argument.name(), argument.description));
  return [
    subheading(`${name} ${command.usage()}`.replace(' [options]', '')),
    paragraph(`${sentence(command.description())}.`),
    ...ownArguments,
    ...options(command),
    prose(`${command.text}\n${command.exampleText}`),
  ];
}

function options(command: BuiltCommand): string[] {
  return command.options
    .filter(({ hidden }) => !hidden)
    .map((option) => term(option.flags, meaning(command, option)));
}

function meaning(command: BuiltCommand, option: Option): string {
  return command.createHelp().optionDescription(option);
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
