// What the rollouts of a training are like as it goes on: how many a group has, how long they may be, how many succeed. Pure, of the
// states that a run tells.

import type { RunState } from '../protocol/daemon/state.ts';
import type { Series } from './results/outcome.ts';

export interface Lately {
  readonly seconds: number;
  /** Of the groups that were ordered last. */
  readonly rollouts: number;
  readonly cap: number;
  /** Of the tasks that were rolled out, each by its last rollouts. */
  readonly success: number;
}

/** Undefined before there is anything to tell. */
export function latelyOf({ seconds, tasks, trainer: { metrics } }: RunState): Lately | undefined {
  const { 'data/mean_rollouts': rollouts, 'data/mean_cap': cap } = metrics;
  const rates = tasks.flatMap(({ rate }) => rate ?? []);
  if (rollouts === undefined || cap === undefined || rates.length === 0) return undefined;
  return { seconds, rollouts, cap, success: rates.reduce((sum, rate) => sum + rate, 0) / rates.length };
}

/** Listens to the states of a training, and keeps one in so many seconds. */
export class LatelyWatch {
  readonly #every: number;
  readonly #kept: Lately[] = [];

  constructor(every: number) {
    this.#every = every;
  }

  readonly look = (state: RunState): void => {
    if (state.status !== 'running') return;
    if (state.seconds < (this.#kept.at(-1)?.seconds ?? Number.NEGATIVE_INFINITY) + this.#every) return;
    const lately = latelyOf(state);
    if (lately !== undefined) this.#kept.push(lately);
  };

  get kept(): readonly Lately[] {
    return this.#kept;
  }
}

/** Curves of one training, under its name. */
export const latelySeries = (name: string, kept: readonly Lately[]): Series => {
  const curve = (of: Exclude<keyof Lately, 'seconds'>) =>
    kept.map(each => ({ x: Math.round(each.seconds), y: Number(each[of].toPrecision(4)) }));
  return {
    [`training success/${name}`]: curve('success'),
    [`mean rollouts/${name}`]: curve('rollouts'),
    [`mean length/${name}`]: curve('cap'),
  };
};
