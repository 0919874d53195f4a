/** Icons of bootstrap-icons, inlined as SVG: no font to load, hidden from screen readers. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { raw } from 'hono/html';

/** `npm run build` copies these. */
export const ICONS = [
  'arrow-down',
  'arrow-down-up',
  'arrow-repeat',
  'arrow-up',
  'arrow-counterclockwise',
  'box-arrow-right',
  'check2-circle',
  'clipboard',
  'credit-card',
  'download',
  'file-earmark-pdf',
  'file-earmark-zip',
  'inbox',
  'list-check',
  'patch-check',
  'pen',
  'people',
  'person-circle',
  'search',
  'send',
  'speedometer2',
  'tools',
  'trash3',
  'x-circle',
] as const;

export type IconName = (typeof ICONS)[number];

const drawn = new Map<IconName, ReturnType<typeof raw>>();

export function icon(name: IconName) {
  let svg = drawn.get(name);
  if (!svg) {
    const file = createRequire(import.meta.url).resolve(`#assets/bootstrap-icons/icons/${name}.svg`);
    const text = readFileSync(file, 'utf8').replaceAll(/\s*\n\s*/g, '');
    svg = raw(
      text.replace(
        /<svg [^>]*>/,
        '<svg class="bi" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">',
      ),
    );
    drawn.set(name, svg);
  }
  return svg;
}
