/** Contracts as the office draws them up: most are small, and each names its customer and its request. */

/** What names them in a document. */
export function markOf(customer: string, title: string): string {
  return `for ${customer}: ${title}.`;
}

/** `scanBytes`: of a scan that comes with it. */
export function contractPdf(mark: string, scanBytes = 0): Buffer {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>',
    `<</Length ${scanBytes}>>\nstream\n${'a'.repeat(scanBytes)}\nendstream`,
  ];
  let text = `%PDF-1.4\n% ${mark}\n`;
  const offsets: number[] = [];
  for (const [i, object] of objects.entries()) {
    offsets.push(text.length);
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const start = text.length;
  return Buffer.from(
    `${text}xref\n0 5\n0000000000 65535 f \n${table}trailer\n<</Size 5/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`,
  );
}
