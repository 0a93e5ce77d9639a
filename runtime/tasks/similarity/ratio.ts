// Similarity of two texts from 0 to 1: the share of characters in their longest common subsequence, as `fuzz.ratio` of RapidFuzz.

/** 1 for equal texts, also for two empty ones. Characters are code points. */
export function ratio(first: string, second: string): number {
  const [a, b] = [codePoints(first), codePoints(second)];
  const total = a.length + b.length;
  return total === 0 ? 1 : (2 * commonLength(a, b)) / total;
}

const codePoints = (text: string): Uint32Array =>
  Uint32Array.from(text, character => character.codePointAt(0) ?? 0);

const WORD = 32;

/** The length of the longest common subsequence, 32 cells at a time (Hyyrö's bit-parallel algorithm). */
function commonLength(a: Uint32Array, b: Uint32Array): number {
  const words = Math.ceil(a.length / WORD);
  const masks = new Map<number, Uint32Array>();
  a.forEach((code, index) => {
    const mask = masks.get(code) ?? new Uint32Array(words);
    mask[index >>> 5] = (mask[index >>> 5] ?? 0) | (1 << (index & 31));
    masks.set(code, mask);
  });
  const state = new Uint32Array(words).fill(0xffffffff);
  for (const code of b) {
    const mask = masks.get(code);
    if (mask === undefined) continue;
    let carry = 0;
    for (let word = 0; word < words; word++) {
      const before = state[word] ?? 0;
      const hits = (before & (mask[word] ?? 0)) >>> 0;
      const sum = before + hits + carry;
      carry = sum > 0xffffffff ? 1 : 0;
      state[word] = (sum | (before - hits)) >>> 0;
    }
  }
  let zeros = 0;
  for (let index = 0; index < a.length; index++)
    if (((state[index >>> 5] ?? 0) & (1 << (index & 31))) === 0) zeros += 1;
  return zeros;
}
