// Successes from before, seen again: what was done is done once more on a desktop, and what a policy of this run is shown and would
// have to choose is noted. What does not come to the same any more is left out, and told.

import { HEAD_OF, SLOTS } from '../../agent/action-kinds.ts';
import { encode } from '../../agent/observation.ts';
import type { Clock } from '../../core/clock.ts';
import type { Desktop } from '../../core/desktop.ts';
import type { LessonStep } from '../../core/lesson.ts';
import type { Mode } from '../../core/policy.ts';
import type { StoredStep, StoredSuccess } from '../../core/stored-success.ts';
import { isSuccess, type Outcome, rewardOf } from '../../core/verdict.ts';
import { rolloutOf, withoutProbabilities } from '../../data/rollouts.ts';
import type { Suite } from '../../environments/suite.ts';
import type { Fabric } from '../../fabric/fabric.ts';
import { replayAsSamples } from './replay-as-samples.ts';
import { restoredChoices } from './restore-choices.ts';

interface RecallingOptions {
  readonly suite: Suite;
  /** Absent where desktops cannot be drawn again: then files have what was seen. */
  readonly desktop?: Desktop;
  readonly mode: Mode;
  readonly fabric: Pick<Fabric, 'recollections' | 'recalled' | 'events'>;
  readonly clock: Clock;
}

/** What health events call it. */
const THING = 'the successes from before';

export class SuccessReplay {
  readonly #options: RecallingOptions;

  constructor(options: RecallingOptions) {
    this.#options = options;
  }

  /** Until the signal, for half of the time at the most: others want to play. */
  async run(signal: AbortSignal): Promise<void> {
    const { fabric, clock } = this.#options;
    const taker = fabric.recollections.taker();
    try {
      for (;;) {
        const taken = await taker.take(signal);
        const began = clock.now();
        const recalled = await this.replay(taken.item);
        if (recalled === undefined) this.#isGone(taken.item);
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

  /** Undefined where nothing can be learned from it in this run. */
  async replay(recollection: StoredSuccess): Promise<StoredStep | undefined> {
    const { trajectory, part = EVERYTHING, instruction } = recollection;
    const all =
      trajectory.frames.kind === 'redrawn' ? await this.#again(recollection) : this.#kept(recollection);
    const steps = all.filter(({ of }) => of >= part.from && of < part.to).map(({ step }) => step);
    if (steps.length === 0) return undefined;
    const { id, instance } = trajectory;
    const { isMember, since } = recollection;
    const standsIn = instruction === trajectory.instruction;
    return { id, instance, isMember, since, standsIn, steps };
  }

  /** Of a desktop that gives the same screens again. */
  async #again({ trajectory, instruction }: StoredSuccess): Promise<readonly Numbered[]> {
    const { suite, mode, desktop } = this.#options;
    const { instance, steps, outcome } = trajectory;
    if (desktop === undefined || !suite.templates.some(({ id }) => id === instance.task)) return [];
    const task = suite.task(instance.task, instance.seed);
    const actions = steps.map(({ action }) => action);
    const retold = await replayAsSamples(desktop, { task, seed: instance.seed, mode, instruction }, actions);
    if (retold === undefined) return [];
    // Who had run out of steps had no last word.
    const ended = retold.episode.end ?? { ending: 'capped', verdict: await desktop.judge('capped') };
    const again: Outcome = { kind: 'judged', ...ended };
    // A verdict by hand counts in place of the evaluator's, which must be what it was.
    if (!isSuccess(again) && rewardOf(again) !== rewardOf(outcome)) return [];
    return retold.samples.flatMap(({ chosen, used }, index) => {
      const seen = retold.views[index]?.seen;
      if (seen === undefined) return [];
      const decisions = SLOTS.flatMap((slot, at) =>
        used[at] === 1 ? [{ head: HEAD_OF[slot], choice: chosen[at] ?? 0 }] : [],
      );
      return [{ of: retold.actionIndices[index] ?? index, step: { observation: encode(seen), decisions } }];
    });
  }

  /** Of any other desktop: as it was written down, in the mode of then and under the instruction of then. */
  #kept({ trajectory, instruction }: StoredSuccess): readonly Numbered[] {
    if (trajectory.mode !== this.#options.mode || instruction !== trajectory.instruction) return [];
    const steps = withoutProbabilities(rolloutOf(trajectory, restoredChoices)?.steps ?? []);
    return steps.map((step, of) => ({ of, step }));
  }

  #isGone({ trajectory: { id, instance } }: StoredSuccess): void {
    const at = this.#options.clock.now();
    const message = `The trajectory ${id} of ${instance.task} does not come to the same in this run: nothing is learned from it.`;
    const { events } = this.#options.fabric;
    events.publish({ module: 'data', at, kind: 'health', thing: THING, healthy: false, message });
  }
}

/** A step, and the number of the action that it is of. */
interface Numbered {
  readonly of: number;
  readonly step: LessonStep;
}

const EVERYTHING = { from: 0, to: Number.POSITIVE_INFINITY };
