// A border of Dartboard: what enters from outside, a generator of hostile inputs for it, and the product's code that takes them.

import { messageOf } from '../../../core/errors.ts';
import type { Random } from '../../../core/rng.ts';

export interface Border {
  readonly name: string;
  /** The number of inputs of a benchmark of the default length: costly borders get fewer. */
  readonly inputs: number;
  /** One input. Equal generators of random numbers give equal inputs. */
  readonly make: (random: Random) => Uint8Array;
  readonly open: () => Promise<OpenBorder>;
}

/** The product's code behind a border. It may keep state from one input to the next. */
export interface OpenBorder {
  /** The messages of its rejections; none if it accepts the input. Anything but a rejection that the border knows passes as an error. */
  take(input: Uint8Array): Promise<readonly string[]>;
  close(): Promise<void>;
}

type ErrorClass = abstract new (...given: never[]) => Error;

/** The message of an expected error; any other error passes. */
export function rejection(error: unknown, ...expected: readonly ErrorClass[]): readonly string[] {
  if (expected.some(each => error instanceof each)) return [messageOf(error)];
  throw error;
}

/** A border without state. */
export const reading = (read: (input: Uint8Array) => unknown, ...expected: readonly ErrorClass[]) => ({
  open: async (): Promise<OpenBorder> => ({
    take: async input => {
      try {
        await read(input);
        return [];
      } catch (error) {
        return rejection(error, ...expected);
      }
    },
    close: async () => undefined,
  }),
});

export const textOf = (input: Uint8Array): string => new TextDecoder().decode(input);
export const bytesOfText = (text: string): Uint8Array => new TextEncoder().encode(text);
