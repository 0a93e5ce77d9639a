// A profile: how one family of models is prompted, what its coordinates mean, and how its replies are read. A profile is data plus one
// parser. Model code is parsed, never executed.

import type { Action } from '../../core/action.ts';
import type { ChatMessage, ChatPart, Sampling } from '../../core/chat.ts';
import type { Mode } from '../../core/policy.ts';
import type { Element, Point, Size } from '../../core/screen.ts';

export const PROFILE_IDS = [
  'ui-tars-1.5',
  'ui-tars-1.0',
  'qwen2.5-vl',
  'qwen3-vl',
  'gui-owl-1.5',
  'opencua',
  'evocua',
  'generic',
  'micro',
] as const;
export type ProfileId = (typeof PROFILE_IDS)[number];

export interface Profile {
  readonly id: ProfileId;
  /** The modes that it supports; the first is the default. */
  readonly modes: readonly [Mode, ...Mode[]];
  readonly resize: ResizeRule;
  readonly coordinates: CoordinateRule;
  readonly history: HistoryWindow;
  /**
   * The ids of the tokens that may fill the places of an image in the prompt, as servers report it: one for each family that the profile
   * serves. Training needs them. Absent for models without images and where they are unknown.
   */
  readonly imageTokens?: readonly number[];
  /**
   * The defaults of rollouts, which dartboard.json overrides; evaluations are greedy. Gradients need samples of the policy itself:
   * temperature 1, and all of the distribution.
   */
  readonly sampling: Pick<Sampling, 'temperature' | 'topP' | 'topK' | 'maxTokens'>;
  /** The messages of a turn. Pure. */
  messages(prompt: PromptInput): readonly ChatMessage[];
  /** Never throws: an unreadable reply is a `malformed` reading. */
  read(raw: string, frame: Frame): Reading;
  /**
   * A reply that performs the action, for a turn that the model did not take. `read` reads it as this action. An action that the grammar
   * lacks is written in words, which `read` cannot read.
   */
  write(action: Action, frame: Frame): string;
}

/** The size that an image is sent in. Both sides become multiples of `factor`, rounded half to even as Python rounds. */
export interface ResizeRule {
  readonly factor: number;
  readonly minPixels: number;
  readonly maxPixels: number;
  readonly maxRatio: number;
}

/** The meaning of a coordinate in a reply. */
export type CoordinateRule =
  /** Pixels of the image that was sent. */
  | { readonly kind: 'sent-pixels' }
  /** From 0 to `max` across each side, whatever its size. */
  | { readonly kind: 'relative'; readonly max: number };

export interface HistoryWindow {
  /** The number of latest screens in the messages, the current one included. */
  readonly images: number;
  /** The number of latest turns whose replies are repeated. */
  readonly turns: number;
}

export interface PromptInput {
  readonly instruction: string;
  readonly mode: Mode;
  /** Earlier turns within the window, oldest first. */
  readonly turns: readonly PastTurn[];
  readonly current: ObservedScreen;
  /** Turns since the start of the episode, with those outside the window. */
  readonly turnCount: number;
}

export interface ObservedScreen {
  /** The image as sent; absent in the mode `a11y_tree` and outside the window of images. */
  readonly image?: Extract<ChatPart, { type: 'image' }>;
  readonly frame: Frame;
}

export interface PastTurn extends ObservedScreen {
  readonly raw: string;
  readonly actions: readonly Action[];
  readonly malformed?: string;
}

/** What a reply refers to: the sizes of the screen, the pointer, and the numbered elements of the prompt. */
export interface Frame {
  readonly screen: Size;
  readonly sent: Size;
  /** The position of the pointer before the reply, if an earlier action of the episode moved it: some replies omit a position. */
  readonly pointer?: Point;
  /** The result of `listElements`. Element 1 of the prompt is `elements[0]`; empty without an element list. */
  readonly elements: readonly Element[];
}

export type Reading =
  | {
      readonly kind: 'actions';
      readonly thought?: string;
      readonly actions: readonly [ReadAction, ...ReadAction[]];
    }
  | { readonly kind: 'malformed'; readonly why: string; readonly thought?: string };

export interface ReadAction {
  readonly action: Action;
  /** The elements that the reply names, by their numbers in the prompt, from 1. */
  readonly elements: readonly number[];
}
