// The learned critics of DigiRL and UI-TARS-2: one values an instance, the other a step. They learn from the reward of each rollout that
// returns, whatever trains. A restarted data module learns them again.

import type { LessonStep } from '../../core/lesson.ts';
import { sum } from '../../core/sum.ts';
import type { Instance } from '../../core/task.ts';
import { type CriticAdvantageKind, limitedAdvantage } from '../advantage.ts';
import type { TrainingRollout } from '../rollouts.ts';
import { Critic } from './critic.ts';
import { filteredAdvantages, generalisedAdvantages, lambdaOf } from './critic-advantages.ts';
import { type Features, instanceFeatures, stepFeatures } from './features.ts';

type ValuedRollout = Pick<TrainingRollout, 'reward' | 'steps'>;

export interface ValuedGroup {
  readonly instance: Instance;
  readonly rollouts: readonly ValuedRollout[];
}

export interface Selection<Rollout> {
  readonly trains: readonly Rollout[];
  /** For the user. */
  readonly why: string;
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
  /** R − V of the latest rollouts, before their rewards were learned. */
  #margins: readonly number[] = [];
  /** Reading an observation takes longer than valuing it. */
  readonly #features = new WeakMap<readonly LessonStep[], readonly Features[]>();

  constructor(kind: CriticAdvantageKind) {
    this.#kind = kind;
  }

  /** Learns from a rollout. */
  learn(instance: Instance, rollout: ValuedRollout): void {
    this.#margins = [...this.#margins, this.#marginOf(instance, rollout)].slice(-LATEST);
    const result = Math.max(0, Math.min(1, rollout.reward));
    this.#ofInstances.learn(instanceFeatures(instance), result);
    for (const features of this.#featuresOf(instance, rollout.steps)) this.#ofSteps.learn(features, result);
    this.#learned += 1;
  }

  /** The mean squared error of the critic of instances over the latest rollouts; undefined before the first. */
  error(): number | undefined {
    const squares = this.#margins.map(margin => margin ** 2);
    return squares.length === 0 ? undefined : sum(squares) / squares.length;
  }

  /** The rollouts of a group that train. */
  select<Rollout extends ValuedRollout>(
    instance: Instance,
    rollouts: readonly Rollout[],
  ): Selection<Rollout> {
    if (this.#learned < WARM_UP_ROLLOUTS)
      return { trains: [], why: `the critics learn from the first ${WARM_UP_ROLLOUTS} rollouts alone` };
    if (this.#kind === 'values') return { trains: rollouts, why: 'the critic values each step' };
    const threshold = this.#threshold();
    const trains = rollouts.filter(rollout => {
      const margin = this.#marginOf(instance, rollout);
      // A rollout that did worse than expected is never imitated.
      return margin > 0 && margin >= threshold;
    });
    return trains.length > 0
      ? { trains, why: 'better than nine in ten of the latest rollouts, compared with what was expected' }
      : { trains, why: 'no better than the latest rollouts, compared with what was expected' };
  }

  /** The advantages of the steps of each rollout, over a whole batch. */
  advantages(groups: readonly ValuedGroup[]): readonly (readonly (readonly number[])[])[] {
    const raw = groups.map(({ instance, rollouts }) =>
      rollouts.map(({ reward, steps }) => {
        const values = this.#valuesOf(instance, steps);
        return this.#kind === 'filtered'
          ? filteredAdvantages(values, reward)
          : generalisedAdvantages(values, reward, lambdaOf(steps.length));
      }),
    );
    if (this.#kind === 'filtered') return raw;
    const all = raw.flat(2);
    const whitened = limitedAdvantage(
      all,
      all.map(() => 1),
    );
    return raw.map(ofGroup => ofGroup.map(ofRollout => ofRollout.map(whitened)));
  }

  #valuesOf(instance: Instance, steps: readonly LessonStep[]): readonly number[] {
    return this.#featuresOf(instance, steps).map(features => this.#ofSteps.value(features));
  }

  #marginOf(instance: Instance, { reward }: ValuedRollout): number {
    return reward - this.#ofInstances.value(instanceFeatures(instance));
  }

  #threshold(): number {
    const sorted = this.#margins.toSorted((a, b) => b - a);
    return sorted[Math.max(0, Math.ceil(BEST_SHARE * sorted.length) - 1)] ?? 0;
  }

  #featuresOf(instance: Instance, steps: readonly LessonStep[]): readonly Features[] {
    const known = this.#features.get(steps);
    if (known !== undefined) return known;
    const features = steps.map(({ observation }, step) => stepFeatures(instance, step, observation));
    this.#features.set(steps, features);
    return features;
  }
}
