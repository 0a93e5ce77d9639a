// The learned critics of DigiRL and UI-TARS-2: one values an instance, the other a step. They learn from the reward of each rollout that
// returns, whatever trains. A restarted data module learns them again.

import type { LessonStep } from '../../core/lesson.ts';
import { sum } from '../../core/sum.ts';
import type { Instance } from '../../core/task.ts';
import type { CriticAdvantageKind } from '../advantage.ts';
import { carriesGradient } from '../group-comparison.ts';
import type { TrainingRollout } from '../rollouts.ts';
import { Critic } from './critic.ts';
import { filteredAdvantages, generalisedAdvantages, lambdaOf } from './critic-advantages.ts';
import { instanceFeatures, stepFeatures } from './features.ts';

type ValuedRollout = Pick<TrainingRollout, 'reward' | 'steps'>;

export interface Selection<Rollout> {
  readonly trains: readonly Rollout[];
  /** Why they train, and why the others do not; for the user. */
  readonly why: string;
  readonly whyNot: string;
}

/** The expectations of a rollout before its reward was learned. */
interface Expected {
  /** V of the instance. */
  readonly reward: number;
  /** The best tenth of the latest rollouts did better than expected by this or more. */
  readonly threshold: number;
  /** V of each step. */
  readonly values: readonly number[];
}

/** The critics learn from the first rollouts alone, while the policy stays the same. */
export const WARM_UP_ROLLOUTS = 64;
/** Of the latest rollouts this share trains. */
const BEST_SHARE = 0.1;
const LATEST = 256;

export class Critics {
  readonly #kind: CriticAdvantageKind;
  readonly #ofInstances = new Critic();
  readonly #ofSteps = new Critic();
  #learned = 0;
  /** R − V of the instances of the latest rollouts. */
  #margins: readonly number[] = [];
  /** The squared errors of the critic that decides, for the same rollouts. */
  #errors: readonly number[] = [];
  /** By the steps of a rollout, which a manual verdict keeps. */
  readonly #expected = new WeakMap<readonly LessonStep[], Expected>();

  constructor(kind: CriticAdvantageKind) {
    this.#kind = kind;
  }

  /** Learns from a rollout that returned. Its expectations stay those from before: a reward must not be its own baseline. */
  learn(instance: Instance, { reward, steps }: ValuedRollout): void {
    const features = steps.map(({ observation }, step) => stepFeatures(instance, step, observation));
    const ofInstance = instanceFeatures(instance);
    const expected: Expected = {
      reward: this.#ofInstances.value(ofInstance),
      threshold: this.#threshold(),
      values: features.map(each => this.#ofSteps.value(each)),
    };
    this.#expected.set(steps, expected);
    this.#margins = [...this.#margins, reward - expected.reward].slice(-LATEST);
    this.#errors = [...this.#errors, this.#errorOf(expected, reward)].slice(-LATEST);
    const result = Math.max(0, Math.min(1, reward));
    this.#ofInstances.learn(ofInstance, result);
    // A rollout counts once, however long it is.
    for (const each of features) this.#ofSteps.learn(each, result, 1 / steps.length);
    this.#learned += 1;
  }

  /** The mean squared error, over the latest rollouts, of the critic that decides; undefined before the first. */
  error(): number | undefined {
    return this.#errors.length === 0 ? undefined : meanOf(this.#errors);
  }

  /** The rollouts of a group that train. All of them have been learned. The selection of a rollout never changes, unless its reward does. */
  select<Rollout extends ValuedRollout>(rollouts: readonly Rollout[]): Selection<Rollout> {
    const whyNot = `the critics learn from the first ${WARM_UP_ROLLOUTS} rollouts alone`;
    if (this.#learned < WARM_UP_ROLLOUTS) return { trains: [], why: '', whyNot };
    if (this.#kind === 'values') {
      // Adam makes large updates of the small advantages of failures that were expected: the policy would move away from all it does.
      const isSame = !carriesGradient(rollouts.map(({ reward }) => reward));
      const [why, same] = ['a critic values each step', 'all rollouts have the same reward'];
      return { trains: isSame ? [] : rollouts, why, whyNot: same };
    }
    return {
      trains: rollouts.filter(({ reward, steps }) => {
        const { reward: value, threshold } = this.#expectedOf(steps);
        const margin = reward - value;
        // A rollout that did worse than expected is never imitated.
        return margin > 0 && margin >= threshold;
      }),
      why: 'better, compared with what was expected, than nine in ten of the latest rollouts',
      whyNot: 'not in the best tenth of the latest rollouts, compared with what was expected',
    };
  }

  /** The advantages of the steps of each rollout. All of them have been learned. */
  advantages(rollouts: readonly ValuedRollout[]): readonly (readonly number[])[] {
    return rollouts.map(({ reward, steps }) => {
      const { values } = this.#expectedOf(steps);
      return this.#kind === 'filtered'
        ? filteredAdvantages(values, reward)
        : generalisedAdvantages(values, reward, lambdaOf(steps.length));
    });
  }

  #expectedOf(steps: readonly LessonStep[]): Expected {
    const expected = this.#expected.get(steps);
    if (expected === undefined) throw new RangeError('The critics have not learned from this rollout.');
    return expected;
  }

  #errorOf({ reward: ofInstance, values }: Expected, reward: number): number {
    const all = this.#kind === 'filtered' ? [ofInstance] : values;
    return meanOf(all.map(value => (reward - value) ** 2));
  }

  #threshold(): number {
    const sorted = this.#margins.toSorted((a, b) => b - a);
    return sorted[Math.max(0, Math.ceil(BEST_SHARE * sorted.length) - 1)] ?? 0;
  }
}

const meanOf = (numbers: readonly number[]): number => sum(numbers) / numbers.length;
