// The knowledge of an observer of an episode: the instruction, typed texts, texts seen so far, and the last element under the pointer.

import { wordsOf } from '../../agents/compact/word-tokenizer.ts';
import type { Element } from '../../core/screen.ts';
import type { DemoView } from './likeness.ts';

export class Follower {
  readonly #instruction: string;
  #written: readonly string[] = [];
  #read: readonly string[] = [];
  #last: Element | undefined;

  constructor(instruction: string) {
    this.#instruction = instruction;
  }

  view(elements: readonly Element[]): DemoView {
    return {
      elements,
      instruction: this.#instruction,
      written: this.#written,
      read: this.#read,
      last: this.#last,
    };
  }

  /** Call after each step. */
  record({ elements }: DemoView, meant: readonly Element[], text: string | undefined): void {
    const texts = elements.map(({ value }) => value).filter(isSentence);
    const fresh = texts.filter(each => !this.#read.includes(each));
    // The latest text comes first.
    if (fresh.length > 0) this.#read = [...fresh, ...this.#read];
    if (text !== undefined) this.#written = [text, ...this.#written];
    this.#last = meant.at(-1) ?? this.#last;
  }
}

const isSentence = (text: string): boolean => wordsOf(text).length > 3;
