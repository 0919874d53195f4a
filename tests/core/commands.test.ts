/** Advised commands are safe to paste into a shell, whatever others have chosen as their names. */
import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { command, commandLine } from '../../src/core/commands.js';

/** The words that a shell makes of lines that begin with `esignctl`. */
const wordsOf = (lines: string[]) =>
  execFileSync('sh', ['-c', `esignctl() { printf '%s\\0' "$@" END; }\n${lines.join('\n')}`], {
    encoding: 'utf8',
  })
    .split('END\0')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1));

const WORDS = fc.array(
  fc.oneof(
    fc.constantFrom(
      'a`touch x`@example.org',
      '$(reboot)',
      "o'brien@example.org",
      'a b',
      '',
      '~',
      '*',
      '!x',
      'é',
    ),
    fc.string({ unit: fc.constantFrom(...'`$\\\'"!*?~#&|;<>(){}[]\n\t =a1…é') }),
  ),
  { minLength: 1, maxLength: 4 },
);

test('a shell reads each name and option of an advised command as one word', () => {
  const all = fc.sample(fc.tuple(WORDS, WORDS), 500);
  const lines = all.map(([about, options]) =>
    commandLine({ ...command('users enable', ...about), options, reason: 'in our words' }),
  );
  const read = all.map(([about, options]) =>
    ['users', 'enable'].concat(about, options, '--reason', 'in our words'),
  );
  expect(wordsOf(lines)).toEqual(read);
});

test('usual names and placeholders stand as they are', () => {
  const plain = command('users set-email', 'camille.o+x@exämple.org', 12, '…');
  expect(commandLine(plain)).toBe('esignctl users set-email camille.o+x@exämple.org 12 …');
});
