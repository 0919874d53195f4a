/** A form with one file, read while it is sent. */
import { randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';

interface FormFile {
  file: FileHandle;
  size: number;
  /** ASCII without quotes. */
  filename: string;
  contentType: string;
}

/** The file is the last field, `file`. The caller closes it after the call. */
export function multipart(fields: Record<string, string>, { file, size, filename, contentType }: FormFile) {
  const boundary = `esign-${randomUUID()}`;
  const part = (name: string, more = '') =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n`;
  const words = Object.entries(fields).map(([name, value]) => `${part(name)}\r\n${value}\r\n`);
  const about = part('file', `; filename="${filename}"\r\nContent-Type: ${contentType}`);
  const head = Buffer.from(`${words.join('')}${about}\r\n`);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* bytes() {
    yield head;
    yield* file.createReadStream({ start: 0, autoClose: false });
    yield tail;
  }
  return {
    body: Readable.from(bytes()),
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + size + tail.length),
    },
  };
}
