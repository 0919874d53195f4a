/**
 * Which deliveries wait for each other. A target has four lanes, and a subscription always the same one of them: its
 * deliveries keep their order, and a target that hangs holds up four tries at most, all of them its own.
 */
const LANES_PER_TARGET = 4;

/** Nobody who asks whether a receiver is there waits behind what it is owed. */
export function pingLaneOf({ url }: { url: string }): string {
  return `${new URL(url).origin}/ping`;
}

export function laneOf({ id, url }: { id: number; url: string }): string {
  return `${new URL(url).origin}/${id % LANES_PER_TARGET}`;
}
