/** A table of docs/rules.md. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** `a`, `b` */
export function words(all: Iterable<string>): string {
  return [...new Set(all)].map((word) => `\`${word}\``).join(', ');
}

/** One of several answers: it is given where its condition is the first that applies. */
export interface Conditional<Answer extends string, Facts> {
  is: Answer;
  when: string;
  applies: (facts: Facts) => boolean;
  follows: string;
}

export function firstOf<Answer extends string, Facts>(
  all: readonly Conditional<Answer, Facts>[],
  facts: Facts,
): Answer | undefined {
  return all.find(({ applies }) => applies(facts))?.is;
}

export function conditionalTable<Answer extends string, Facts>(
  head: readonly string[],
  all: readonly Conditional<Answer, Facts>[],
): string {
  return table(
    head,
    all.map(({ is, when, follows }) => [`\`${is}\``, when, follows]),
  );
}
