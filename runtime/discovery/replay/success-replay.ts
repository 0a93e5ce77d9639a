// Replays successes of earlier runs as steps of this run: performs the actions on a desktop and records the observations and choices. A
// success whose outcome differs now is dropped and reported.

import type { Clock } from '../../core/clock.ts';
import type { Desktop } from '../../core/desktop.ts';
import { messageOf } from '../../core/errors.ts';
import type { LessonStep } from '../../core/lesson.ts';
import type { Mode } from '../../core/policy.ts';
import type { Step } from '../../core/step.ts';
import type { StoredStep, StoredSuccess } from '../../core/stored-success.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { isSuccess, type Outcome, rewardOf } from '../../core/verdict.ts';
import { asDemonstration, rolloutOf } from '../../data/rollouts.ts';
import type { Suite } from '../../environments/suite.ts';
import type { Fabric } from '../../fabric/fabric.ts';
import { lessonStepOf, restoredChoice } from '../lesson-steps.ts';
import { replayAsSamples } from './replay-as-samples.ts';

interface SuccessReplayOptions {
  readonly suite: Suite;
  /** Absent for desktops whose frames cannot be redrawn: their files contain the observations. */
  readonly desktop?: Desktop;
  readonly mode: Mode;
  readonly fabric: Pick<Fabric, 'recollections' | 'recalled' | 'events'>;
  readonly clock: Clock;
  /** Gets each whole demonstration by a person whose replay solved its task. */
  readonly demonstrated?: (trajectory: Trajectory) => void;
}

/** The subject of health events. */
const THING = 'successes of earlier runs';

export class SuccessReplay {
  readonly #options: SuccessReplayOptions;

  constructor(options: SuccessReplayOptions) {
    this.#options = options;
  }

  /** Replays until the signal is aborted, for at most half of the time. */
  async run(signal: AbortSignal): Promise<void> {
    const { fabric, clock } = this.#options;
    const taker = fabric.recollections.taker();
    try {
      for (;;) {
        const taken = await taker.take(signal);
        const began = clock.now();
        const recalled = await this.#recallOrWhy(taken.item, signal);
        if (typeof recalled === 'string') this.#report(recalled);
        else await fabric.recalled.put(recalled);
        await taken.acknowledge();
        await clock.sleep(1 + clock.now() - began, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await taker.close();
    }
  }

  /** Undefined if this run cannot learn from it. */
  async replay(success: StoredSuccess): Promise<StoredStep | undefined> {
    const recalled = await this.#recall(success);
    return typeof recalled === 'string' ? undefined : recalled;
  }

  /** A success whose task was changed since may be impossible to play or to judge. */
  async #recallOrWhy(success: StoredSuccess, signal: AbortSignal): Promise<StoredStep | string> {
    try {
      return await this.#recall(success);
    } catch (error) {
      signal.throwIfAborted();
      return `${nameOf(success.trajectory)} cannot be replayed: ${messageOf(error)}`;
    }
  }

  /** The reason if this run cannot learn from it. */
  async #recall(success: StoredSuccess): Promise<StoredStep | string> {
    const { trajectory, part = EVERYTHING, instruction, isMember, since } = success;
    const { frames, provenance } = trajectory;
    // An imported trajectory has no observations, but its actions can be played where the desktop has its task.
    const isPlayed = frames.kind === 'redrawn' || provenance.kind === 'imported';
    const all = isPlayed ? await this.#replayed(success) : this.#stored(success);
    if (typeof all === 'string') return all;
    const steps = all
      .filter(({ actionIndex }) => actionIndex >= part.from && actionIndex < part.to)
      .map(({ step }) => step);
    const { id, instance } = trajectory;
    if (steps.length === 0) return `${nameOf(trajectory)} has no steps to learn from.`;
    const canReplaceFailure = instruction === trajectory.instruction;
    const isPart = steps.length < all.length;
    return { id, instance, isMember, since, canReplaceFailure, isPart, steps };
  }

  /** For a desktop that draws the same screens again. */
  async #replayed(success: StoredSuccess): Promise<readonly IndexedStep[] | string> {
    const { suite, mode, desktop } = this.#options;
    const { trajectory, instruction } = success;
    const { instance, steps, outcome } = trajectory;
    const name = nameOf(trajectory);
    if (desktop === undefined)
      return trajectory.provenance.kind === 'imported'
        ? `${name} was imported, and these desktops cannot play an episode again.`
        : `${name} has no stored screens, and these desktops cannot draw them again.`;
    if (!suite.templates.some(({ id }) => id === instance.task))
      return `The task of trajectory ${trajectory.id}, ${instance.task}, does not exist any more.`;
    const task = suite.task(instance.task, instance.seed);
    const actions = steps.map(({ action }) => action);
    const replayed = await replayAsSamples(
      desktop,
      { task, seed: instance.seed, mode, instruction },
      actions,
    );
    if (replayed === undefined) return `${name} has an action that the built-in policy cannot express.`;
    // An episode that was cut at its step limit has no final action.
    const end = replayed.episode.end ?? { ending: 'capped', verdict: await desktop.judge('capped') };
    const again: Outcome = { kind: 'judged', ...end };
    if (isSuccess(again) && isDemonstration(success)) this.#options.demonstrated?.(trajectory);
    // A verdict by a person may replace the evaluator's; then the evaluator must agree with itself.
    if (!isSuccess(again) && rewardOf(again) !== rewardOf(outcome))
      return `Replaying trajectory ${trajectory.id} of ${instance.task} gave a different result.`;
    return replayed.steps.map(step => ({ actionIndex: step.actionIndex, step: lessonStepOf(step) }));
  }

  /** For any other desktop: the stored observations, if mode and instruction are the same. */
  #stored({ trajectory, instruction }: StoredSuccess): readonly IndexedStep[] | string {
    const { agent } = trajectory;
    const { mode } = this.#options;
    const name = nameOf(trajectory);
    // Another agent observed something else.
    if (agent !== undefined)
      return `The agent '${agent}' played trajectory ${trajectory.id} of ${trajectory.instance.task}, and its screens cannot be drawn again.`;
    if (trajectory.mode !== mode)
      return `${name} was recorded in the mode '${trajectory.mode}', and this run observes in '${mode}'.`;
    if (instruction !== trajectory.instruction)
      return `${name} has a corrected instruction, and its screens cannot be drawn again.`;
    const isInexpressible = (step: Step): boolean =>
      step.chosen === undefined && step.observation !== undefined && restoredChoice(step) === undefined;
    if (trajectory.steps.some(isInexpressible))
      return `${name} has an action that the built-in policy cannot express.`;
    const steps = asDemonstration(rolloutOf(trajectory, restoredChoice)?.steps ?? []);
    return steps.map((step, actionIndex) => ({ actionIndex, step }));
  }

  #report(why: string): void {
    const at = this.#options.clock.now();
    const message = `${why} It is not used for training.`;
    const { events } = this.#options.fabric;
    events.publish({ module: 'data', at, kind: 'health', thing: THING, healthy: false, message });
  }
}

const nameOf = ({ id, instance }: Trajectory): string => `Trajectory ${id} of ${instance.task}`;

/** A step with the index of its action. */
interface IndexedStep {
  readonly actionIndex: number;
  readonly step: LessonStep;
}

/** By a person, of the instruction of its instance, without a trim. */
const isDemonstration = ({ trajectory, part, instruction, isMember }: StoredSuccess): boolean =>
  isMember &&
  trajectory.provenance.kind === 'human' &&
  part === undefined &&
  instruction === trajectory.instruction;

const EVERYTHING = { from: 0, to: Number.POSITIVE_INFINITY };
