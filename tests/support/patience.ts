/** How long a test waits for what must come: no machine is so slow, so only a test that fails waits to the end. */
export const PATIENCE = { timeout: 60_000, interval: 50 };
