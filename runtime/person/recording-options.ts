// The parts of a recording that its opener provides: the instance, the desktop, and the agent that acts on it.

import type { PlayingAgent } from '../collect/playing-agent.ts';
import type { Action } from '../core/action.ts';
import type { Clock } from '../core/clock.ts';
import type { Desktop } from '../core/desktop.ts';
import type { Mode } from '../core/policy.ts';
import type { Instance, Task } from '../core/task.ts';
import type { PilotMode, RecordingState, RecordSplit } from '../protocol/daemon/record.ts';
import type { DesktopKind } from '../protocol/desktop-kinds.ts';
import type { BegunEpisode } from './begun-episode.ts';
import type { PersonDemonstration } from './demonstration.ts';
import type { AskedAgent } from './recording-agents.ts';

/** An opened desktop, and what it offers. */
export interface RecordingDesktop {
  readonly desktop: Desktop;
  /** Absent: the session starts with a reset of the instance. */
  readonly begun?: BegunEpisode;
  /** The actions of the scripted solution, without waits between them; undefined if there is none. Absent: no solution can be shown. */
  solution?(instance: Instance, signal: AbortSignal): Promise<readonly Action[] | undefined>;
  /** Resolves with the reason if the desktop is gone, also while nobody uses it. */
  readonly lost?: Promise<Error>;
  /** Returns the desktop. */
  close(): Promise<void>;
}

/** The agent of a recording. */
export interface RecordingAgent extends AskedAgent {
  readonly mode: PilotMode;
  /** Rejects with the reason if it cannot play. */
  readonly open: (signal: AbortSignal) => Promise<PlayingAgent>;
}

export interface RecordingOptions {
  readonly name: string;
  readonly kind: DesktopKind;
  readonly task: Task;
  readonly instance: Instance;
  readonly split: RecordSplit;
  readonly tier: RecordingState['tier'];
  readonly maxSteps: number;
  readonly mode: Mode;
  /** The person's own instruction. */
  readonly instruction?: string;
  readonly who: string;
  /** The desktop of the run that trains, if the person took one over. */
  readonly desktop?: string;
  /** Acts while the person watches. */
  readonly pilot?: RecordingAgent;
  readonly open: (signal: AbortSignal) => Promise<RecordingDesktop>;
  /** Stores a demonstration and adds it to the success pool. */
  readonly keep: (demonstration: PersonDemonstration) => Promise<void>;
  readonly clock: Clock;
}
