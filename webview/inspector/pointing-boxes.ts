// The boxes that the agent could have pointed at in a step, with their probabilities. Pure.

import type { Element } from '../../runtime/protocol/daemon/screen.ts';
import type { StepDetail } from '../../runtime/protocol/daemon/trajectories.ts';

export interface PointingBox {
  readonly box: Element['box'];
  readonly probability: number;
  readonly isChosen: boolean;
}

/** Boxes with a lower probability are omitted. */
const MIN_PROBABILITY = 0.005;

/** Ascending by probability, so that the most probable box is drawn on top. A drag has the boxes of both ends. */
export const pointingBoxes = (
  step: Partial<Pick<StepDetail, 'chosen'>> | undefined,
): readonly PointingBox[] =>
  (step?.chosen?.decisions ?? [])
    .flatMap(({ alternatives }) =>
      alternatives.flatMap(({ box, probability, isChosen }) =>
        box === undefined || (probability < MIN_PROBABILITY && !isChosen)
          ? []
          : [{ box, probability, isChosen }],
      ),
    )
    .sort((a, b) => a.probability - b.probability);
