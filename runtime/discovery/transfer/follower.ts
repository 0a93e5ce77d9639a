// What somebody knows who follows an episode: the instruction, what was written, the texts that were on the screens so far, and
// what was last pointed at.

import { wordsOf } from '../../agent/word-tokenizer.ts';
import type { Element } from '../../core/screen.ts';
import type { View } from './likeness.ts';

export class Follower {
  readonly #instruction: string;
  #written: readonly string[] = [];
  #read: readonly string[] = [];
  #last: Element | undefined;

  constructor(instruction: string) {
    this.#instruction = instruction;
  }

  view(elements: readonly Element[]): View {
    return {
      elements,
      instruction: this.#instruction,
      written: this.#written,
      read: this.#read,
      last: this.#last,
    };
  }

  /** After a step: what was shown has been read by then. */
  did({ elements }: View, meant: readonly Element[], text: string | undefined): void {
    const texts = elements.map(({ value }) => value).filter(isSaying);
    const fresh = texts.filter(each => !this.#read.includes(each));
    // What was read last is thought of first.
    if (fresh.length > 0) this.#read = [...fresh, ...this.#read];
    if (text !== undefined) this.#written = [text, ...this.#written];
    this.#last = meant.at(-1) ?? this.#last;
  }
}

const isSaying = (text: string): boolean => wordsOf(text).length > 3;
