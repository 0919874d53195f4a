/** Takes the pictures of README and docs: `npm run pictures`. */
import { defineConfig } from 'vitest/config';
import { onNewNode } from '../../bin/launch.cjs';

await onNewNode(process.argv[1] ?? '');

export default defineConfig({
  test: { include: ['tests/pictures/take.test.ts'], testTimeout: 300_000, hookTimeout: 60_000 },
});
