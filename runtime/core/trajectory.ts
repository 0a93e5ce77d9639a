// A finished episode, as it travels to the data module and as files keep it. It is never changed: labels, relabelled
// copies and pool membership are records or trajectories of their own.

import type { GroupId, OrderId, RunId, TrajectoryId, Version } from './ids.ts';
import type { Purpose } from './order.ts';
import type { Mode } from './policy.ts';
import type { Step } from './step.ts';
import type { Instance } from './task.ts';
import type { Outcome } from './verdict.ts';

/** Who acted, or what the trajectory was made from. Which weights acted is written on each step. */
export type Provenance =
  | { readonly kind: 'rollout' }
  | { readonly kind: 'human'; readonly who: string }
  /** A script that knows the task's solution. */
  | { readonly kind: 'oracle' }
  | { readonly kind: 'imported'; readonly from: string }
  /** A copy under the instruction that names what was really done. Never counts in success rates. */
  | { readonly kind: 'hindsight'; readonly of: TrajectoryId };

/** N steps have N + 1 frames: `step_0` is the start. */
export type Frames =
  /** Drawn again from the instance and the actions when somebody looks; `renderer` tells whether it still draws alike. */
  | { readonly kind: 'redrawn'; readonly renderer: string }
  | { readonly kind: 'png'; readonly images: readonly Uint8Array[] };

export interface Trajectory {
  readonly id: TrajectoryId;
  /** The order that asked for it, its run and group: absent on what nobody ordered, imported or shown by hand. */
  readonly order?: OrderId;
  readonly run?: RunId;
  readonly group?: GroupId;
  readonly instance: Instance;
  /** What the agent was asked; the task's own instruction unless relabelled or edited. */
  readonly instruction: string;
  readonly purpose: Purpose;
  readonly mode: Mode;
  readonly maxSteps: number;
  readonly provenance: Provenance;
  readonly steps: readonly Step[];
  readonly frames: Frames;
  readonly outcome: Outcome;
  /** Milliseconds since 1970, by the clock that the run was given. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The oldest and newest weights that chose a step; undefined when none did. A trajectory may span versions. */
export const versionSpan = (
  steps: readonly Step[],
): { readonly oldest: Version; readonly newest: Version } | undefined => {
  const versions = steps.flatMap(({ chosen }) => (chosen === undefined ? [] : [chosen.version]));
  const [oldest, ...later] = versions.sort((a, b) => a - b);
  return oldest === undefined ? undefined : { oldest, newest: later.at(-1) ?? oldest };
};
