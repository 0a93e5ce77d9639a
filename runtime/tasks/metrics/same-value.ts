// Deep equality of JSON values.

/** Deep equality. It runs for every part of a pocket world after nearly every step, so it allocates little. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) if (!sameValue(a[index], b[index])) return false;
    return true;
  }
  const [left, right] = [a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>];
  let unmatched = 0;
  for (const name in right) if (Object.hasOwn(right, name)) unmatched += 1;
  for (const name in left) {
    if (!Object.hasOwn(left, name)) continue;
    if (!Object.hasOwn(right, name) || !sameValue(left[name], right[name])) return false;
    unmatched -= 1;
  }
  return unmatched === 0;
}
