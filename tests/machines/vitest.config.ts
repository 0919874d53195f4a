/** What takes whole machines: packages, copies, loads and losses. `npm run test:machines`; `npm test` leaves it out because it takes long. */
import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.js';

export default defineConfig({
  test: { ...base.test, include: ['tests/machines/**/*.test.ts'], exclude: [] },
});
