// Reads an index that an invariant guarantees. A broken invariant is an error here, instead of a default that looks like a value.

/** The value at `index`, which must exist. */
export function at<T>(values: ArrayLike<T>, index: number): T {
  const value = values[index];
  if (value === undefined)
    throw new RangeError(
      `No value at index ${index} of a list of ${values.length}. This is a bug in Dartboard: report it with this stack trace.`,
    );
  return value;
}
