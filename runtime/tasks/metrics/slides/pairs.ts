/** The predicate holds for the values at each index that both lists have. */
export const everyPair = <T>(
  first: readonly T[],
  second: readonly T[],
  holds: (one: T, other: T, index: number) => boolean,
): boolean =>
  first.every((one, index) => {
    const other = second[index];
    return other === undefined || holds(one, other, index);
  });
