// The one random number generator: a pure function of its seed, passed to every module as an argument, so that a run can be
// replayed from a seed.

export interface Random {
  /** Uniform in [0, 1), with 53 bits. */
  next(): number;
  /** A uniform integer in [0, n). */
  int(n: number): number;
  /**
   * An independent generator for a part of the work. It depends on this generator's seed and the label only, never on how
   * many numbers were drawn, so that parts cannot disturb one another.
   */
  fork(label: string): Random;
  save(): RandomState;
}

/** The four words of the seed and the four of the position. Plain numbers, fit for JSON. */
export interface RandomState {
  readonly origin: Words;
  readonly position: Words;
}

type Words = readonly [number, number, number, number];

export const seeded = (seed: number | string): Random => {
  const origin = absorb([0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a], String(seed));
  return new Xoshiro({ origin, position: origin });
};

export const resumed = (state: RandomState): Random => new Xoshiro(state);

/** xoshiro128**: small, fast and well tested, in 32-bit arithmetic that is exact in every engine. */
class Xoshiro implements Random {
  readonly #origin: Words;
  #position: Words;

  constructor({ origin, position }: RandomState) {
    this.#origin = origin;
    this.#position = position;
  }

  next(): number {
    const high = this.#word() >>> 5;
    const low = this.#word() >>> 6;
    return (high * 0x400_0000 + low) / 0x20_0000_0000_0000;
  }

  int(n: number): number {
    if (!Number.isInteger(n) || n < 1 || n > 0x1_0000_0000) {
      throw new RangeError(`Cannot draw an integer below ${n}. Pass an integer from 1 to 4294967296.`);
    }
    // Rejection sampling: words beyond the last multiple of n would favour small results.
    const bound = 0x1_0000_0000 - (0x1_0000_0000 % n);
    let word = this.#word();
    while (word >= bound) word = this.#word();
    return word % n;
  }

  fork(label: string): Random {
    const origin = absorb(this.#origin, label);
    return new Xoshiro({ origin, position: origin });
  }

  save(): RandomState {
    return { origin: this.#origin, position: this.#position };
  }

  #word(): number {
    const [a, b, c, d] = this.#position;
    const word = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    const mixed = c ^ a;
    const turned = d ^ b;
    this.#position = [
      (a ^ turned) >>> 0,
      (b ^ mixed) >>> 0,
      (mixed ^ (b << 9)) >>> 0,
      rotated(turned, 11) >>> 0,
    ];
    return word;
  }
}

/** Hashes the text and its length into the words. The result is never all zero. */
const absorb = (words: Words, text: string): Words => {
  let [a, b, c, d] = words;
  for (let index = 0; index <= text.length; index += 1) {
    // One extra round for the length, so that absorbing "a" then "b" differs from absorbing "ab".
    const value = index < text.length ? text.charCodeAt(index) : 0x1_0000 + text.length;
    a = scrambled((a ^ value) + d);
    b = scrambled(b + a);
    c = scrambled(c ^ b);
    d = scrambled(d + c);
  }
  return [a, b, c, (d | 1) >>> 0];
};

/** The finalizer of MurmurHash3: each output bit depends on every input bit. */
const scrambled = (word: number): number => {
  const once = Math.imul(word ^ (word >>> 16), 0x85eb_ca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2_ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
};

const rotated = (word: number, by: number): number => (word << by) | (word >>> (32 - by));
