// Replays the steps of a demonstration on a fresh instance. Only a replay shows that its steps are enough, and gives the observations from
// which the built-in policy learns.

import { at } from '../core/at.ts';
import type { Desktop } from '../core/desktop.ts';
import type { Seed } from '../core/ids.ts';
import type { Mode } from '../core/policy.ts';
import type { Screen } from '../core/screen.ts';
import type { Step } from '../core/step.ts';
import type { Task } from '../core/task.ts';
import type { Frames } from '../core/trajectory.ts';
import { isSuccess } from '../core/verdict.ts';
import { demonstrationOf, isSolved } from '../discovery/demonstration.ts';
import { replayBy } from '../discovery/replay/replay-as-samples.ts';
import { Episode, type EpisodeEnd } from '../rollout/episode.ts';
import { differsClearly } from './changed-share.ts';
import type { PersonStep } from './steps.ts';

export interface DemonstrationReplay {
  readonly steps: readonly Step[];
  readonly frames: Frames;
  readonly end: EpisodeEnd;
  /** The given step that each of the steps performs: a step may take several. */
  readonly sources: readonly ReplayedAction[];
  /** The built-in policy can express every step, and succeeds with its own way to express it. */
  readonly isLearnable: boolean;
  /** Of the last screen; a copy. */
  readonly pixels: Uint8Array;
}

export interface ReplayedInstance {
  readonly task: Task;
  readonly seed: Seed;
  readonly mode: Mode;
}

type ReplayedAction = Pick<PersonStep, 'action' | 'awaitsChange' | 'by'>;

/**
 * The last action is `finished` or `fail`, unless the task ends by itself. Undefined if the task is not solved, or if a change for which the
 * person waited does not come.
 */
export async function replayDemonstration(
  desktop: Desktop,
  instance: ReplayedInstance,
  steps: readonly ReplayedAction[],
): Promise<DemonstrationReplay | undefined> {
  const next = patiently(steps);
  const learnable = await replayLearnable(desktop, instance, next);
  // The same actions would wait in vain once more.
  if (next.ranOut) return undefined;
  // The frames of this desktop are redrawn from the actions, and its observations are made again, so it stores the person's own actions.
  if (learnable !== undefined && desktop.renderer === undefined) return learnable;
  const replayed = await replayActions(desktop, instance, steps);
  if (replayed === undefined || !isSuccess({ kind: 'judged', ...replayed.end })) return undefined;
  return { ...replayed, isLearnable: learnable !== undefined };
}

/** The same for any outcome. Undefined if the actions do not end the episode. */
export async function replayActions(
  desktop: Desktop,
  { task, seed }: Pick<ReplayedInstance, 'task' | 'seed'>,
  steps: readonly ReplayedAction[],
): Promise<DemonstrationReplay | undefined> {
  const episode = await Episode.start(desktop, { task, seed, maxSteps: Number.POSITIVE_INFINITY });
  const next = patiently(steps);
  const sources: ReplayedAction[] = [];
  while (episode.end === undefined) {
    const step = next.step(episode.screen);
    if (step === undefined) return undefined;
    sources.push(step);
    await episode.act(step.action);
  }
  return {
    steps: episode.actions.map(action => ({ action, meant: [] })),
    frames: await episode.frames(),
    end: episode.end,
    sources,
    isLearnable: false,
    pixels: Uint8Array.from(episode.screen.pixels.data),
  };
}

async function replayLearnable(
  desktop: Desktop,
  { task, seed, mode }: ReplayedInstance,
  next: PatientSteps,
): Promise<DemonstrationReplay | undefined> {
  const options = { task, seed, mode, maxSteps: Number.POSITIVE_INFINITY };
  const performed: ReplayedAction[] = [];
  const replayed = await replayBy(desktop, options, ({ screen }) => {
    const step = next.step(screen);
    if (step !== undefined) performed.push(step);
    return step?.action;
  });
  if (replayed === undefined || !isSolved(replayed)) return undefined;
  const instance = { task: task.id, seed };
  const made = await demonstrationOf(replayed, { instance, mode, startedAt: 0, endedAt: 0 });
  const { end, screen } = replayed.episode;
  if (made === undefined || end === undefined) return undefined;
  return {
    ...{ steps: made.steps, frames: made.frames, end },
    sources: replayed.steps.map(({ actionIndex }) => at(performed, actionIndex)),
    isLearnable: true,
    pixels: Uint8Array.from(screen.pixels.data),
  };
}

/** A program that has not reacted after so many waits will not. */
const MAX_WAITS = 60;

interface PatientSteps {
  /** A change did not come, and the steps ended there: the screen may have changed before the first wait. */
  readonly ranOut: boolean;
  step(screen: Screen): ReplayedAction | undefined;
}

/**
 * The actions in order, for one screen after another. Where the person waited for a change, it waits for one again: a machine is not always
 * equally fast.
 */
function patiently(steps: readonly ReplayedAction[]): PatientSteps {
  let number = 0;
  let ranOut = false;
  let waiting: { readonly pixels: Uint8Array; readonly waits: number } | undefined;
  return {
    get ranOut() {
      return ranOut;
    },
    step({ pixels }) {
      if (waiting !== undefined && differsClearly(waiting.pixels, pixels)) {
        waiting = undefined;
        number += 1;
      }
      ranOut ||= waiting !== undefined && waiting.waits >= MAX_WAITS;
      if (ranOut) return undefined;
      const step = steps[number];
      if (step?.awaitsChange === true)
        waiting = {
          pixels: waiting?.pixels ?? Uint8Array.from(pixels.data),
          waits: (waiting?.waits ?? 0) + 1,
        };
      else number += 1;
      return step;
    },
  };
}
