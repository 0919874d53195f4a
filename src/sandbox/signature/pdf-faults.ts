/** Downloads that go wrong although the answer is a friendly 200. */
import type { Context } from 'hono';
import type { Fault } from '../faults.js';
import { pause, type World } from '../world.js';

const MEGABYTE = 1024 * 1024;

export async function spoiledPdf(world: World, c: Context, fault: Fault, pdf: Buffer): Promise<Response> {
  await pause(fault.delayMs ?? 0, world.closing);
  c.header('Content-Type', 'application/pdf');
  if (fault.kind === 'empty') return c.body('');
  if (fault.kind === 'too_large') return c.body(hugePdf(51));
  if (fault.kind === 'truncated') return c.body(new Uint8Array(pdf.subarray(0, Math.floor(pdf.length / 2))));
  c.header('Content-Type', 'text/html; charset=utf-8');
  return c.body('<!doctype html><title>Maintenance</title><h1>We are back soon</h1>');
}

/** One block sent over and over: the size is real, the memory is not. */
function hugePdf(megabytes: number): ReadableStream<Uint8Array> {
  const first = Buffer.from('%PDF-1.7\n');
  const block = new Uint8Array(MEGABYTE).fill(0x20);
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(sent === 0 ? first : block);
      sent += 1;
      if (sent > megabytes) controller.close();
    },
  });
}
