// Which of some names somebody is likely to have meant who wrote another. Pure.

/** The nearest, where it is near enough: a letter in three may differ, and capitals and signs do not count. */
export function likely(written: string, names: readonly string[]): string | undefined {
  const plain = bare(written);
  const near = names
    .map(name => ({ name, apart: distance(plain, bare(name)) }))
    .filter(({ name, apart }) => apart <= Math.max(1, Math.floor(Math.max(name.length, written.length) / 3)))
    .sort((a, b) => a.apart - b.apart);
  return near[0]?.name;
}

const bare = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Letters to put in, leave out or replace, or neighbours to swap, on the shortest way from one to the other. */
export function distance(from: string, to: string): number {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      next[column] = Math.min(
        (next[column - 1] ?? 0) + 1,
        (last[column] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, next];
  }
  return last[to.length] ?? 0;
}
