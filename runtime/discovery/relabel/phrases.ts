// The words of a task's instructions that differ between its instances. Pure.

/** A part of an instruction that differs between the instances. */
export interface Slot {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Phrase {
  /** The words that the instances share; equal for instructions that differ in their slots alone. */
  readonly pattern: string;
  readonly slots: readonly Slot[];
}

/** A word in fewer of the instructions belongs to a slot. Pages with several phrasings have up to three. */
const SHARED_SHARE = 0.25;
/** Instructions that are counted. */
const COUNTED = 256;
/** With fewer, words of a slot could look shared. */
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
    const slots: Slot[] = [];
    let isOpen = false;
    for (const { text, start, end } of wordsOf(instruction)) {
      const last = slots.at(-1);
      const isShared = !/\w/.test(text) || this.#isShared(text);
      if (isShared) pattern.push(lowered(text));
      else if (isOpen && last !== undefined)
        slots[slots.length - 1] = { text: instruction.slice(last.start, end), start: last.start, end };
      else {
        pattern.push(SLOT);
        slots.push({ text, start, end });
      }
      isOpen = !isShared;
    }
    return { pattern: pattern.join(' '), slots };
  }

  #isShared(word: string): boolean {
    return (this.#counts.get(lowered(word)) ?? 0) >= SHARED_SHARE * this.#seen.size;
  }
}

/** No word is equal to it. */
const SLOT = '\0';

/** The instruction with other texts in its slots. */
export function filled(instruction: string, slots: readonly Slot[], texts: readonly string[]): string {
  let [result, from] = ['', 0];
  for (const [index, { text, start, end }] of slots.entries()) {
    result += instruction.slice(from, start) + (texts[index] ?? text);
    from = end;
  }
  return result + instruction.slice(from);
}

/** Words and marks. Marks inside of a word belong to it, as in '10/05/2016' and "it's". */
function wordsOf(instruction: string): readonly Slot[] {
  return [...instruction.matchAll(/[\p{L}\p{N}_@#$%+-](?:[^\s"“”,;()]*[\p{L}\p{N}_%+-])?|[^\s]/gu)].map(
    ({ 0: text, index }) => ({ text, start: index, end: index + text.length }),
  );
}

const lowered = (text: string): string => text.toLowerCase();
