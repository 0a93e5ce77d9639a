// Whether the runs of a workspace can learn from an imported trajectory: once it is in the success pool, or on offline desktops. Pure.

import { COMPACT_AGENT } from '../core/agent.ts';
import type { Size } from '../core/screen.ts';
import type { Instance } from '../core/task.ts';
import type { Trajectory } from '../core/trajectory.ts';
import { isSuccess } from '../core/verdict.ts';
import { type Suite, taskIfPossible } from '../environments/suite.ts';
import type { DesktopKind } from '../protocol/desktop-kinds.ts';
import { whyNotPlayed } from '../run/expert-files.ts';

export interface TrainingPlace {
  readonly kind: DesktopKind;
  readonly suite: Suite;
  /** The agent that the runs train. */
  readonly agent: string;
  /** Of desktops that play an episode again; undefined where episodes cannot be repeated. */
  readonly screen: Size | undefined;
}

/** The reason why not, and what to do next; undefined if they can. `screen` is that of its pictures, if it has any. */
export function whyUntrained(
  { instance, instruction, outcome, purpose, steps, frames }: Trajectory,
  screen: Size | undefined,
  place: TrainingPlace,
): string | undefined {
  const { kind, suite, agent } = place;
  const { task, seed } = instance;
  if (isReserved(suite, instance))
    return `Its instance (task '${task}', seed ${seed}) ${taskIfPossible(suite, task, seed) === undefined ? 'cannot be made' : 'is reserved for tests'}. Import episodes of training instances.`;
  if (purpose === 'evaluate')
    return 'It is an episode of an evaluation, which must not be used for training.';
  if (outcome.kind === 'broken') return 'It has no score. If it is correct, set a verdict by hand.';
  if (!isSuccess(outcome))
    return `Its score is ${outcome.verdict.score}, and only successes teach. If it is correct, set a verdict by hand.`;
  if (kind === 'offline')
    return whyNotPlayed({
      instruction,
      kinds: steps.map(({ action }) => action.kind),
      hasPicture: step => frames.kind === 'png' && (frames.images[step]?.length ?? 0) > 0,
    });
  if (agent !== COMPACT_AGENT)
    return `The agent '${agent}' does not learn from the success pool. Let it play stored trajectories ('environments.kind': 'offline'), or fine-tune its model on an export ('dartboard export llama-factory').`;
  if (!isTask(suite, task))
    return `The desktops of kind '${kind}' have no task of this name. Set 'environments.kind' or 'suite.files' in dartboard.json to desktops and tasks that have it.`;
  if (place.screen === undefined)
    return `Desktops of kind '${kind}' cannot play an episode again, and the file has no observations. Train on the stored pictures ('environments.kind': 'offline'), or fine-tune a model on an export ('dartboard export llama-factory').`;
  if (screen !== undefined && (screen.width !== place.screen.width || screen.height !== place.screen.height))
    return `Its screen has ${screen.width} × ${screen.height} pixels, and desktops of kind '${kind}' have ${place.screen.width} × ${place.screen.height}. Record it on a screen of that size.`;
  return undefined;
}

const isTask = ({ templates }: Suite, task: string): boolean => templates.some(({ id }) => id === task);

/** Whether the workspace keeps an instance for tests, or cannot make it. An episode of it must never enter the success pool. */
export const isReserved = (suite: Suite, { task, seed }: Instance): boolean =>
  isTask(suite, task) && taskIfPossible(suite, task, seed)?.dartboard?.split !== 'train';
