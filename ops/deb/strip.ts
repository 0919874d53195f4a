/** Strips symbols and debugging data from a program of any architecture; binutils only know the machine's own. */

const HEADER = { programHeaders: 0x20, sectionHeaders: 0x28, size: 0x36, count: 0x38, sections: 0x3a };
const SEGMENT = { offset: 0x08, fileSize: 0x20 };
const ELF64_LITTLE_ENDIAN = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]);

/** Keeps only what is loaded to run the program; the section table, which only tools read, goes too. */
export function strip(program: Buffer): Buffer {
  if (!program.subarray(0, 6).equals(ELF64_LITTLE_ENDIAN)) throw new Error('no 64-bit ELF file');
  const table = Number(program.readBigUInt64LE(HEADER.programHeaders));
  const size = program.readUInt16LE(HEADER.size);
  let end = table;
  for (let i = 0; i < program.readUInt16LE(HEADER.count); i += 1) {
    const segment = table + i * size;
    const offset = Number(program.readBigUInt64LE(segment + SEGMENT.offset));
    end = Math.max(end, segment + size, offset + Number(program.readBigUInt64LE(segment + SEGMENT.fileSize)));
  }
  const stripped = Buffer.from(program.subarray(0, end));
  stripped.writeBigUInt64LE(0n, HEADER.sectionHeaders);
  // Size, number and name index of sections.
  stripped.fill(0, HEADER.sections, HEADER.sections + 6);
  return stripped;
}
