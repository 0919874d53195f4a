/** `npm run bench -- [NAME…]`: measures, each figure beside a baseline of the same run. Without a name: all, which takes half an hour. */
import { heading } from './support.js';

const MEASURES = ['start', 'lists', 'queue', 'webhook', 'idle', 'memory'] as const;

const asked = process.argv.slice(2);
if (asked.every((name) => MEASURES.some((known) => known === name))) {
  heading();
  for (const name of asked.length > 0 ? asked : MEASURES)
    await ((await import(`./${name}.js`)) as { run: () => Promise<void> }).run();
} else {
  console.error(`usage: npm run bench -- [${MEASURES.join(' | ')}]`);
  process.exitCode = 2;
}
