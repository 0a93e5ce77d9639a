// The words of a task's instructions that differ between its instances. Pure.

/** A part of an instruction that differs between the instances. */
export interface Blank {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Phrase {
  /** The words that the instances share; equal for instructions that differ in their blanks alone. */
  readonly pattern: string;
  readonly blanks: readonly Blank[];
}

/** A word in fewer of the instructions belongs to a blank. Pages with several phrasings have up to three. */
const SHARED_SHARE = 0.25;
/** Instructions that are counted. */
const COUNTED = 256;
/** With fewer, words of a blank could look shared. */
const ENOUGH = 12;

export class Phrases {
  readonly #seen = new Set<string>();
  readonly #counts = new Map<string, number>();

  add(instruction: string): void {
    if (this.#seen.has(instruction) || this.#seen.size >= COUNTED) return;
    this.#seen.add(instruction);
    for (const word of new Set(wordsOf(instruction).map(({ text }) => lowered(text))))
      this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
  }

  /** Undefined while too few instructions are known. */
  phraseOf(instruction: string): Phrase | undefined {
    if (this.#seen.size < ENOUGH) return undefined;
    const pattern: string[] = [];
    const blanks: Blank[] = [];
    let isOpen = false;
    for (const { text, start, end } of wordsOf(instruction)) {
      const last = blanks.at(-1);
      const isShared = !/[\p{L}\p{N}_]/u.test(text) || this.#isShared(text);
      if (isShared) pattern.push(lowered(text));
      else if (isOpen && last !== undefined)
        blanks[blanks.length - 1] = { text: instruction.slice(last.start, end), start: last.start, end };
      else {
        pattern.push(BLANK);
        blanks.push({ text, start, end });
      }
      isOpen = !isShared;
    }
    return { pattern: pattern.join(' '), blanks };
  }

  #isShared(word: string): boolean {
    return (this.#counts.get(lowered(word)) ?? 0) >= SHARED_SHARE * this.#seen.size;
  }
}

/** No word is equal to it. */
const BLANK = '\0';

/** The instruction with other texts in its blanks. */
export function filled(instruction: string, blanks: readonly Blank[], texts: readonly string[]): string {
  let [result, from] = ['', 0];
  for (const [index, { text, start, end }] of blanks.entries()) {
    result += instruction.slice(from, start) + (texts[index] ?? text);
    from = end;
  }
  return result + instruction.slice(from);
}

/** Words and marks. Marks inside of a word belong to it, as in '10/05/2016' and "it's". */
function wordsOf(instruction: string): readonly Blank[] {
  return [...instruction.matchAll(/[\p{L}\p{N}_@#$%+-](?:[^\s"“”,;()]*[\p{L}\p{N}_%+-])?|[^\s]/gu)].map(
    ({ 0: text, index }) => ({ text, start: index, end: index + text.length }),
  );
}

const lowered = (text: string): string => text.toLowerCase();
