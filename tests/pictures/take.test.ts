/** `npm run pictures`: takes the pictures of README and docs, from pages in a real Chromium and a real terminal. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../cli/support.js';
import { testSettings } from '../support/app.js';
import { openBrowser, openPage, signIn } from '../machines/chromium.js';
import { aFirm, type Firm } from './firm.js';
import { fileOf, PICTURES, THEMES, WIDTH, type Picture, type Theme } from './pictures.js';

const COLUMNS = 80;
/** In kilobytes: README is read on phones. */
const LIMIT_KB = 100;

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test('every picture', async () => {
  const firm = await aFirm();
  for (const picture of PICTURES) {
    for (const theme of THEMES) {
      const bytes = await asWebp(await taken(firm, picture, theme));
      const file = fileOf(picture, theme);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
      expect.soft(bytes.length / 1_000, file).toBeLessThan(LIMIT_KB);
    }
  }
});

async function taken(firm: Firm, picture: Picture, theme: Theme): Promise<Buffer> {
  const { of, height = 600 } = picture;
  const page = await openPage(browser, firm.url, {
    viewport: { width: WIDTH, height },
    deviceScaleFactor: 1.5,
    colorScheme: theme,
  });
  if ('command' in of) return ofTerminal(page, await output(firm, of.command(firm)), theme);
  if (of.needsLogIn) await signIn(page, firm.office, firm.url);
  await page.goto(of.page(firm));
  return picture.isSlow ? still(page) : page.screenshot();
}

/** The viewer of a PDF says nothing when it has drawn its page: it has once nothing has changed for ten seconds. */
async function still(page: Page): Promise<Buffer> {
  let shot = await page.screenshot();
  for (let same = 0; same < 10;) {
    await page.waitForTimeout(1_000);
    const next = await page.screenshot();
    same = next.equals(shot) ? same + 1 : 0;
    shot = next;
  }
  return shot;
}

/** What the command prints on a terminal, colours and all, below the line that calls it. */
async function output({ office }: Firm, command: string[]): Promise<string> {
  const env = { ...testSettings(office.dataDir, office.sandbox), ESIGN_TIMEZONE: 'UTC', FORCE_COLOR: '1' };
  const { stdout } = await run(command, { env, terminal: { stdout: COLUMNS } });
  return `\x1B[1m$ esignctl ${command.join(' ')}\x1B[0m\n${stdout}`;
}

const COLOURS = {
  light: { background: '#ffffff', foreground: '#1f2328', cursor: '#ffffff' },
  dark: { background: '#0d1117', foreground: '#e6edf3', cursor: '#0d1117' },
};

/** Rendered by xterm.js, as tall as the text. */
async function ofTerminal(page: Page, text: string, theme: Theme): Promise<Buffer> {
  const script = createRequire(import.meta.url).resolve('@xterm/xterm');
  const style = readFileSync(script.replace(/lib\/xterm\.js$/, 'css/xterm.css'), 'utf8');
  await page.setContent(`<style>${style}</style><body style="margin:0"><div id="t"></div></body>`);
  await page.addScriptTag({ content: readFileSync(script, 'utf8') });
  const options = {
    cols: COLUMNS,
    rows: rowsOf(text),
    fontSize: 15,
    convertEol: true,
    theme: COLOURS[theme],
  };
  await page.evaluate(
    ({ options, text }) =>
      new Promise<void>((done) => {
        const { Terminal } = globalThis as unknown as {
          Terminal: new (options: object) => {
            open(at: unknown): void;
            write(text: string, done: () => void): void;
          };
        };
        const terminal = new Terminal(options);
        terminal.open((globalThis as unknown as { t: unknown }).t);
        terminal.write(text, done);
      }),
    { options, text: text.trimEnd() },
  );
  return page.locator('.xterm-screen').screenshot();
}

/** How many the terminal needs, which breaks what is too long. */
function rowsOf(text: string): number {
  const lines = stripVTControlCharacters(text).trimEnd().split('\n');
  return lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / COLUMNS)), 0);
}

/** Chromium writes WebP as well as it reads it. */
async function asWebp(png: Buffer): Promise<Buffer> {
  const page = await openPage(browser, 'http://127.0.0.1');
  const url = await page.evaluate(async (base64) => {
    const image = await (globalThis as unknown as Canvas).createImageBitmap(
      await (await fetch(`data:image/png;base64,${base64}`)).blob(),
    );
    const canvas = new (globalThis as unknown as Canvas).OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d').drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.85 });
    const bytes = new Uint8Array(await blob.arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  }, png.toString('base64'));
  return Buffer.from(url, 'base64');
}

/** The part of the browser's interface that is used in it. */
interface Canvas {
  createImageBitmap(blob: Blob): Promise<{ width: number; height: number }>;
  OffscreenCanvas: new (
    width: number,
    height: number,
  ) => {
    getContext(kind: '2d'): { drawImage(image: unknown, x: number, y: number): void };
    convertToBlob(options: { type: string; quality: number }): Promise<Blob>;
  };
}
