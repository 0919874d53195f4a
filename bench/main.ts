/** `npm run bench -- NAME`: runs one benchmark. Every figure comes with a baseline from the same run. */
const BENCHMARKS = ['queue', 'webhook', 'expiry', 'list', 'cli', 'pages', 'idle', 'burst', 'memory'] as const;

const [name] = process.argv.slice(2);
if (!BENCHMARKS.some((known) => known === name)) {
  console.error(`usage: npm run bench -- ${BENCHMARKS.join(' | ')}`);
  process.exitCode = 2;
} else {
  const { run } = (await import(`./${name}.js`)) as { run: () => Promise<void> };
  await run();
}
