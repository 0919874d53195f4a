/** The manual pages hold every command, option, exit code and setting. */
import { expect, test } from 'vitest';
import { esignctlPage } from '../../ops/man/esignctl.js';
import { esigndPage } from '../../ops/man/esignd.js';
import { SETTINGS } from '../../src/core/settings/settings.js';
import { commandOf, LEAVES, PROGRAM } from '../support/command-line.js';

/** The words without groff's escapes. */
function shown(page: string): string {
  return page
    .replaceAll(/\\\[u([0-9A-F]+)\]/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll('\\&', '')
    .replaceAll('\\(aq', "'")
    .replaceAll('\\-', '-')
    .replaceAll('\\e', '\\');
}

test('esignctl(1): every command with its description, options and examples; every exit code', () => {
  const page = shown(esignctlPage(PROGRAM));
  for (const words of LEAVES) {
    const command = commandOf(words) as typeof PROGRAM;
    expect(page).toContain(`esignctl ${words.join(' ')}`);
    expect(page).toContain(command.description().slice(1));
    for (const { flags } of command.options.filter(({ hidden }) => !hidden)) expect(page).toContain(flags);
  }
  for (const words of ['$ esignctl failed replay 12', 'EXIT STATUS', '130', 'esignd(8)']) {
    expect(page).toContain(words);
  }
});

test('esignd(8): every setting with its default', () => {
  const page = shown(esigndPage());
  for (const [name, { about }] of Object.entries(SETTINGS)) {
    expect(page).toContain(name);
    expect(page).toContain(about.slice(1));
  }
  expect(page).toContain('Default: 8080');
});
