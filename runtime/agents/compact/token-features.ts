// The types of a row of tokens. tokens.ts fills it.

import type { Box } from '../../core/screen.ts';
import type { TextSpan } from './screen-text.ts';
import type { Word } from './word-tokenizer.ts';

/** The numeric part of a token row, used for training. */
export interface TokenFeatures {
  readonly count: number;
  /** Number of instruction words; they follow the first token. */
  readonly words: number;
  readonly sorts: Int32Array;
  readonly places: Int32Array;
  readonly features: Float32Array;
  /** Distinct words. `spelled` holds, for each token, lexicon index + 1 of its words. */
  readonly lexicon: readonly string[];
  readonly spelled: Int32Array;
  /** Lexicon indices of words that the instruction uses as names: quoted, capitalised or numeric. */
  readonly names: readonly number[];
  /** Lexicon indices of the other instruction words, without signs. */
  readonly speaking: readonly number[];
  /** Pairs of tokens that share words: from, to, weight. */
  readonly related: Float32Array;
  /** One square for each token from index `firstSquare`: elements and patches. */
  readonly firstSquare: number;
  readonly squares: Uint8Array;
  readonly pointable: Uint8Array;
  readonly copyable: Uint8Array;
  /** Flags of the words of each token that can be copied separately. */
  readonly sayable: Uint8Array;
}

/** A token row with the meanings that acting needs. */
export interface Tokens extends TokenFeatures {
  /** For each token, its screen place and the text that it copies. */
  readonly meanings: readonly Meaning[];
}

export interface Meaning {
  readonly at?: { readonly kind: 'element' | 'patch'; readonly index: number; readonly box: Box } | undefined;
  /** The text written when the whole token is copied. */
  readonly text?: string;
  /** Positions of the separately copyable words; `first` is the word slot of the first one. */
  readonly spans?: { readonly first: number; readonly each: readonly TextSpan[] };
  /** Position in the instruction, for tokens of its words. */
  readonly word?: Word | undefined;
}
