// The little that all pictures share: text that is only text, numbers that are not longer than an eye is sharp, labels that do not
// lie on one another.

/** A tenth of a pixel is seen by nobody. */
export const fixed = (number: number): number => Math.round(number * 10) / 10;

export const text = (x: number, y: number, content: string, more = ''): string =>
  `<text x="${fixed(x)}" y="${fixed(y)}"${more && ` ${more}`}>${escaped(content)}</text>`;

export const escaped = (content: string): string =>
  content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Places as near to the wanted ones as it goes with so much between them, in the same order, and within the bounds where they fit. */
export function keptApart(
  wanted: readonly number[],
  apart: number,
  least: number,
  most: number,
): readonly number[] {
  const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0) || a - b);
  // Those that are too near are one block, around the middle of where they would be.
  let blocks: { readonly members: readonly number[]; readonly first: number }[] = [];
  const blockOf = (members: readonly number[]) => {
    const sum = members.reduce((all, index, at) => all + (wanted[index] ?? 0) - at * apart, 0);
    const latest = most - (members.length - 1) * apart;
    return { members, first: Math.max(least, Math.min(latest, sum / members.length)) };
  };
  for (const index of order) {
    let block = blockOf([index]);
    for (let last = blocks.at(-1); last !== undefined; last = blocks.at(-1)) {
      if (last.first + last.members.length * apart <= block.first) break;
      block = blockOf([...last.members, ...block.members]);
      blocks = blocks.slice(0, -1);
    }
    blocks = [...blocks, block];
  }
  const places: number[] = [];
  for (const { members, first } of blocks)
    for (const [at, index] of members.entries()) places[index] = first + at * apart;
  return places;
}
