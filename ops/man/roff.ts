/** The roff macros that a manual page needs; every text is escaped. */

export function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll(/^\./gm, '\\&.')
    .replaceAll(/[^\u0000-\u007e]/gu, (letter) => `\\[u${codeOf(letter)}]`);
}

/** groff reads other letters only by code. */
function codeOf(letter: string): string {
  return (letter.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
}

export function title(name: string, section: number, source: string, manual: string): string {
  // Without a date, so that the same sources give the same page.
  return `.TH ${name.toUpperCase()} ${section} "" "${source}" "${manual}"`;
}

export function heading(text: string): string {
  return `.SH ${text}`;
}

export function subheading(text: string): string {
  return `.SS ${escaped(text)}`;
}

export function paragraph(text: string): string {
  return `.PP\n${escaped(text)}`;
}

/** A term with its meaning below. */
export function term(name: string, meaning: string): string {
  return `.TP\n.B ${escaped(name)}\n${escaped(meaning)}`;
}

/** Indented, unfilled lines. */
export function verbatim(lines: readonly string[]): string {
  return ['.PP', '.RS 4', '.nf', ...lines.map(escaped), '.fi', '.RE'].join('\n');
}

/** Text with paragraphs; indented lines are kept as they are. */
export function prose(text: string): string {
  return text
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== '')
    .map(proseBlock)
    .join('\n');
}

function proseBlock(block: string): string {
  const lines = block.split('\n').filter((line) => line.trim() !== '');
  const plain = lines.filter((line) => !line.startsWith(' '));
  const kept = lines.filter((line) => line.startsWith(' ')).map((line) => line.trim());
  return [
    ...(plain.length > 0 ? [paragraph(plain.join('\n'))] : []),
    ...(kept.length > 0 ? [verbatim(kept)] : []),
  ].join('\n');
}
