/**
 * dist/THIRD-PARTY-LICENSES: name, version, licence and terms of each package whose code or files the programs hold or load:
 * what is bundled, what lies in dist/assets, and what npm installs for them.
 */
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { installedPackages } from '../deb/packages.js';

interface Manifest {
  name: string;
  version: string;
  license?: string;
  author?: string | { name: string };
}

const TERMS = /^(?:licen[cs]e|copying|notice)/i;
const LINE = `\n\n${'-'.repeat(80)}\n\n`;
const INTRODUCTION = `esign itself is under the terms of LICENSE. It holds or loads the works below, each under its own terms.
The Debian package also holds Node.js, whose terms are in LICENSE.node.
Within better-sqlite3 is SQLite, which is in the public domain; within unpdf is PDF.js, of the Mozilla Foundation and others,
under the Apache License 2.0, the text of which stands below @swc/helpers.`;

/** `bundled`: the files that the bundles are made from. */
export function writeLicences(root: string, bundled: Iterable<string>): void {
  const directories = new Set([
    ...[...bundled].flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
    ...globSync(['dist/assets/@*/*', 'dist/assets/[!@]*'], { cwd: root })
      .map((path) => join(root, 'node_modules', path.replace('dist/assets/', '')))
      .filter((path) => basename(path) !== 'esign'),
    ...installedPackages(root)
      .filter((path) => !path.includes('/node-linux-'))
      .map((path) => join(root, path)),
  ]);
  const entries = [...directories].map(entryOf).toSorted((one, other) => one.localeCompare(other, 'en'));
  const text = [INTRODUCTION, ...new Set(entries)].join(LINE);
  writeFileSync(join(root, 'dist/THIRD-PARTY-LICENSES'), `${text}\n`);
}

function entryOf(directory: string): string {
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;
  const { name, version, license } = manifest;
  const files = readdirSync(directory).filter((file) => TERMS.test(file));
  const terms = files.map((file) => readFileSync(join(directory, file), 'utf8').trim());
  if (terms.length === 0) terms.push(termsOfMit(directory, manifest));
  return [`${name} ${version}${license ? ` (${license})` : ''}`, ...terms].join('\n\n');
}

/** Of a package without a file of its terms. */
function termsOfMit(directory: string, { name, license, author }: Manifest): string {
  if (license !== 'MIT') throw new Error(`${name} has no file of its terms: ${license}`);
  // The binary of a package for one platform belongs to that package.
  const whole = directory.replace(/-(?:linux|darwin|win32|freebsd|android)-[\w-]+$/, '');
  if (whole !== directory && existsSync(join(whole, 'LICENSE')))
    return readFileSync(join(whole, 'LICENSE'), 'utf8').trim();
  const holder = typeof author === 'string' ? author : author?.name;
  if (holder === undefined) throw new Error(`${name} does not say whose it is`);
  return `Copyright (c) ${holder}\n\n${MIT}`;
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
