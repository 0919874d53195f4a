/** Makes a value when it is first asked for, and gives the same ever after. What throws is tried again the next time. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
