// A choice in a question before a training, and the answers so far.

import type { KindOffer } from '../../runtime/protocol/daemon/desktops.ts';

export interface StartAnswers {
  /** `compact`, or the name of an agent in dartboard.json. */
  readonly agent?: string;
  readonly kind?: KindOffer['kind'];
  readonly tiers?: readonly number[];
  readonly preset?: string;
  /** A run whose weights the training starts from, or `base`. Undefined in an answer: other weights were chosen. */
  readonly from?: string | undefined;
}

export interface StartChoice {
  readonly label: string;
  readonly detail: string;
  readonly answer: StartAnswers;
  /** The image of the desktops is missing: this choice builds it instead of starting a training. */
  readonly buildsImage?: true;
  /** The browser of the desktops is missing, or the guests: the choice shows this text instead of starting a training. */
  readonly explains?: string;
  /** This agent cannot be trained yet: the choice opens its entry in dartboard.json instead of starting a training. */
  readonly opensAgent?: string;
}
