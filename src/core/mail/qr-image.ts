/** A web address as a QR code, for whoever reads a mail on paper or on another screen. */
import { encodeQR } from 'qr';
import type { InlineImage } from './letter.js';

/** Pixels a module: about a millimetre on paper. */
const SCALE = 3;
/** Modules of white around it, without which it may not be found. */
const BORDER = 4;

/** GIF, because mail programs show no SVG. */
export function qrImage(url: string): InlineImage {
  const content = Buffer.from(encodeQR(url, 'gif', { scale: SCALE, border: BORDER }));
  // The header of a GIF: width, then height.
  const size = content.readUInt16LE(6);
  return { cid: 'link@qr', filename: 'link.gif', contentType: 'image/gif', content, size };
}
