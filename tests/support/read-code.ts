/** Reads a QR code as a telephone does: from its pixels. */
import { decodeQR } from 'qr/decode.js';

const COLORS = 128;
/** Header and screen, the table of colours, the image's own header, the size of its codes. */
const PIXELS_AT = 13 + COLORS * 3 + 10 + 1;

/** The words of a code in an uncompressed GIF of two colours, the first of which is white. */
export function readCode(gif: Buffer): string {
  const [width, height] = [gif.readUInt16LE(6), gif.readUInt16LE(8)];
  const pixels = blocksOf(gif).flatMap((block) => [...block.subarray(1)]);
  const data = Uint8Array.from(pixels.slice(0, width * height).flatMap((it) => rgba(it === 0 ? 255 : 0)));
  return decodeQR({ width, height, data });
}

function* blocks(gif: Buffer): Generator<Buffer> {
  for (let at = PIXELS_AT; gif[at]; at += 1 + (gif[at] ?? 0)) {
    yield gif.subarray(at + 1, at + 1 + (gif[at] ?? 0));
  }
}

const blocksOf = (gif: Buffer) => [...blocks(gif)];
const rgba = (shade: number) => [shade, shade, shade, 255];
