// A stored trajectory of an expert, as offline desktops play it, and the source of such trajectories.

import type { Action } from '../../core/action.ts';
import type { TrajectoryId } from '../../core/ids.ts';

/** The properties of a stored trajectory that its task has. */
export interface ExpertAbout {
  readonly id: TrajectoryId;
  /** The name of its task. */
  readonly task: string;
  readonly instruction: string;
  readonly steps: number;
  /** The path of its file. */
  readonly file: string;
}

export interface ExpertTrajectory {
  /** Never empty, and none is of the kind `none`. */
  readonly actions: readonly Action[];
  /** The PNGs of the screens before each action, and the one after the last action if there is one. */
  readonly screens: readonly Uint8Array[];
}

export interface ExpertSource {
  /** In a stable order. */
  readonly experts: readonly ExpertAbout[];
  /** Trajectories that cannot be played, with the reason and the remedy. */
  readonly left: readonly { readonly file: string; readonly why: string }[];
  /** Rejects if the file cannot be read. */
  read(expert: ExpertAbout): Promise<ExpertTrajectory>;
}
