/**
 * Part of `npm run build`: copies into dist/assets the files that pages load, and what pages and PDFs need of packages that the
 * programs do not load, with the licences. `#assets/…` in package.json finds the files from wherever a program runs.
 */
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ICONS } from '../../src/server/admin/assets/icons.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TARGET = `${ROOT}dist/assets`;

/** Both weights of a contract. */
const FACES = ['400Regular/*.ttf', '700Bold/*.ttf', 'LICENSE_FONT'];
const SLICES = ['files/*-wght-normal.woff2', 'unicode.json', 'LICENSE'];

/** Patterns of paths by package. */
const ASSETS: Readonly<Record<string, readonly string[]>> = {
  bootstrap: ['dist/css/bootstrap.min.css', 'LICENSE'],
  'bootstrap-icons': [...ICONS.map((name) => `icons/${name}.svg`), 'LICENSE'],
  'swagger-ui-dist': [
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'favicon-32x32.png',
    'LICENSE',
    'NOTICE',
  ],
  '@expo-google-fonts/noto-sans': FACES,
  '@expo-google-fonts/noto-sans-arabic': FACES,
  '@expo-google-fonts/noto-sans-hebrew': FACES,
  '@expo-google-fonts/noto-sans-thai': FACES,
  '@fontsource-variable/noto-sans-jp': SLICES,
  '@fontsource-variable/noto-sans-kr': SLICES,
  '@fontsource-variable/noto-sans-sc': SLICES,
};

rmSync(TARGET, { recursive: true, force: true });
for (const [name, patterns] of Object.entries(ASSETS)) {
  const cwd = `${ROOT}node_modules/${name}`;
  for (const pattern of patterns) {
    const paths = globSync(pattern, { cwd });
    if (paths.length === 0) throw new Error(`${name} has no ${pattern}.`);
    for (const path of paths) cpSync(`${cwd}/${path}`, `${TARGET}/${name}/${path}`);
  }
}
for (const path of globSync('src/server/**/assets/*.{css,js,svg}', { cwd: ROOT })) {
  cpSync(`${ROOT}${path}`, `${TARGET}/esign/${basename(path)}`);
}

/** Its dark colours follow the system, as if it had been compiled with `$color-mode-type: media-query`. */
const sheet = `${TARGET}/bootstrap/dist/css/bootstrap.min.css`;
const followed = readFileSync(sheet, 'utf8')
  .replace(/\/\*# sourceMappingURL=.*?\*\//, '')
  .replaceAll(/\[data-bs-theme=dark\]([^{}]*\{[^}]*\})/g, '@media (prefers-color-scheme:dark){:root$1}');
if (!followed.includes('prefers-color-scheme:dark')) throw new Error('bootstrap has no dark colours.');
writeFileSync(sheet, followed);
