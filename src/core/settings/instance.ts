/**
 * Several installations on one machine, each with a name (rules 10): settings in /etc/esign/NAME.env, data in
 * /var/lib/esign-NAME, the user esign-NAME.
 */
import { accessSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../db/caught.js';
import type { Environment } from './config.js';

/** The installation without a name. */
const UNNAMED = 'esign';
const ENDING = '.env';
/** Files of that name are others' settings: of the installation without a name, of the copies off this machine. */
const TAKEN: readonly string[] = [UNNAMED, 'restic'];

/** With `esign-` before it, it is the name of a user: 32 characters at most. */
export function instanceName(text: string): string {
  if (isName(text)) return text;
  throw new Error('is not the name of an instance');
}

function isName(text: string): boolean {
  return /^[a-z][a-z0-9-]{0,23}$/.test(text) && !TAKEN.includes(text);
}

/** Where the settings are, `ESIGN_SETTINGS_DIR`. */
function settingsDirectory(environment: Environment): string {
  return environment['ESIGN_SETTINGS_DIR'] || '/etc/esign';
}

/** That of the instance that the environment names, else of the installation without a name. */
export function usualFile(environment: Environment, instance = instanceOf(environment)): string {
  return join(settingsDirectory(environment), `${instance ?? UNNAMED}${ENDING}`);
}

/** The instance that the environment names. A wrong name counts as none here: it is told with the settings. */
export function instanceOf(environment: Environment): string | undefined {
  const name = environment['ESIGN_INSTANCE']?.trim() ?? '';
  return isName(name) ? name : undefined;
}

/** What an instance has although its settings do not say so. */
export function ofInstance(instance: string | undefined): Environment {
  return instance === undefined ? {} : { ESIGN_DATA_DIR: `/var/lib/${userOf(instance)}` };
}

export function userOf(instance: string | undefined): string {
  return instance === undefined ? UNNAMED : `${UNNAMED}-${instance}`;
}

/** The environment in which the settings of this instance are read. Throws an Error in words when there is none of that name. */
export function inInstance(environment: Environment, instance: string): Environment {
  const { ESIGN_ENV_FILE: _, ...others } = environment;
  try {
    accessSync(usualFile(environment, instanceName(instance)));
  } catch (error) {
    // One that is there and may not be read is told with the settings.
    if (codeOf(error) === 'EACCES') return { ...others, ESIGN_INSTANCE: instance };
    const names = listInstances(environment);
    const there = names.length > 0 ? ` There are: ${names.join(', ')}.` : '';
    const where = settingsDirectory(environment);
    throw new Error(`there is no instance “${instance}” in ${where}.${there}`, { cause: error });
  }
  return { ...others, ESIGN_INSTANCE: instance };
}

/** By name; none where the directory may not be listed, which only root may. */
export function listInstances(environment: Environment): string[] {
  try {
    const files = readdirSync(settingsDirectory(environment)).filter((name) => name.endsWith(ENDING));
    const names = files.map((name) => name.slice(0, -ENDING.length));
    return names.filter(isName).toSorted();
  } catch {
    return [];
  }
}

// Reads a settings file as systemd and shells do: one NAME=value per line; `#` begins a comment at the start of a
// line and after white space; quotes keep a value as it is. Nothing is expanded in a value.

/** `export ESIGN_PORT=8080`, `ESIGN_PORT = 8080`. */
const LINE = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=(.*)$/;
const SINGLE_QUOTED = /^\s*'([^']*)'(?:\s+#.*|\s*)$/;
const DOUBLE_QUOTED = /^\s*"((?:[^"\\]|\\.)*)"(?:\s+#.*|\s*)$/;
const COMMENT = /\s#.*$/;

/** The last of several lines with the same name counts; other lines are skipped. */
export function parseEnvFile(text: string): Environment {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/);
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value] = LINE.exec(line) ?? [];
      return name === undefined ? [] : [[name, valueOf(value as string)]];
    }),
  );
}

function valueOf(text: string): string {
  const single = SINGLE_QUOTED.exec(text)?.[1];
  if (single !== undefined) return single;
  const double = DOUBLE_QUOTED.exec(text)?.[1];
  if (double !== undefined) return double.replaceAll(/\\(["\\$`])/g, '$1');
  // Quotes inside belong to the value, as in "Acme, Ltd." <contracts@acme.example>.
  return text.replace(COMMENT, '').trim();
}
