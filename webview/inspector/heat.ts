// Where else the agent would have pointed: the boxes of a step's pointing decisions, with how likely each was. Pure.

import type { StepDetail } from '../../runtime/protocol/daemon/trajectories.ts';
import type { Element } from '../../runtime/protocol/play.ts';

export interface Warm {
  readonly box: Element['box'];
  readonly probability: number;
  readonly isChosen: boolean;
}

/** Less likely ones would only be noise. */
const LEAST = 0.005;

/** The least likely first, so that the likeliest are drawn on top. A drag points twice: both are there. */
export const heatOf = (step: Partial<Pick<StepDetail, 'chosen'>> | undefined): readonly Warm[] =>
  (step?.chosen?.decisions ?? [])
    .flatMap(({ alternatives }) =>
      alternatives.flatMap(({ box, probability, isChosen }) =>
        box === undefined || (probability < LEAST && !isChosen) ? [] : [{ box, probability, isChosen }],
      ),
    )
    .sort((a, b) => a.probability - b.probability);
