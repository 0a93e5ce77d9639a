// A finished episode, in the channel and in files. It is immutable: labels and pool membership are separate records, and relabelled copies
// are separate trajectories.

import type { SentImage } from './agent.ts';
import type { GroupId, OrderId, RunId, TrajectoryId, Version } from './ids.ts';
import type { Purpose } from './order.ts';
import type { Mode } from './policy.ts';
import type { Step } from './step.ts';
import type { Instance } from './task.ts';
import type { Outcome } from './verdict.ts';

/** The actor, or the source of the trajectory. Each step has the version of the weights that chose it. */
export type Provenance =
  | { readonly kind: 'rollout' }
  | { readonly kind: 'human'; readonly who: string }
  /** A scripted solution. */
  | { readonly kind: 'oracle' }
  /** From a file of another program; `at` is the time of the import. */
  | { readonly kind: 'imported'; readonly from: string; readonly format?: string; readonly at?: number }
  /** A copy with an instruction that fits the outcome. Never counts in success rates. */
  | { readonly kind: 'hindsight'; readonly of: TrajectoryId };

/** N steps have N + 1 frames: `step_0` is the start. */
export type Frames =
  /** Redrawn on demand from the instance and the actions; frames are exact if the desktop still has this `renderer`. */
  | { readonly kind: 'redrawn'; readonly renderer: string }
  /** An empty image is missing: files of other programs do not have all. */
  | { readonly kind: 'png'; readonly images: readonly Uint8Array[] };

export interface Trajectory {
  readonly id: TrajectoryId;
  /** Its order, run and group; absent if it was imported or demonstrated. */
  readonly order?: OrderId;
  readonly run?: RunId;
  readonly group?: GroupId;
  readonly instance: Instance;
  /** The instruction of the task, unless relabelled or edited. */
  readonly instruction: string;
  readonly purpose: Purpose;
  readonly mode: Mode;
  readonly maxSteps: number;
  readonly provenance: Provenance;
  /** The agent that played, by its name in dartboard.json; absent for the built-in one, and where no agent played. */
  readonly agent?: string;
  readonly steps: readonly Step[];
  readonly frames: Frames;
  /** The images that observations refer to, each once, exactly as they were sent. */
  readonly images?: readonly SentImage[];
  readonly outcome: Outcome;
  /** Milliseconds since 1970, by the clock of the host that played. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The oldest and newest version that chose a step; undefined if no policy chose a step. */
export const versionSpan = (
  steps: readonly Step[],
): { readonly oldest: Version; readonly newest: Version } | undefined => {
  const versions = steps.flatMap(({ chosen }) => (chosen === undefined ? [] : [chosen.version]));
  const [oldest, ...later] = versions.sort((a, b) => a - b);
  return oldest === undefined ? undefined : { oldest, newest: later.at(-1) ?? oldest };
};
