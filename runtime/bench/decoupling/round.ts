// One round of the scale benchmark: processor time per step with the scheduler, and of the models alone.

import { playModelsAlone } from './baseline.ts';
import type { Spent } from './measures.ts';
import { virtualTrial } from './simulation.ts';
import { DECOUPLED } from './trial.ts';
import { fleet } from './worlds.ts';

/** Rollouts per round; a large fleet plays at least MIN_UPDATES of its own updates. */
const WARM_UP_ROLLOUTS = 4_000;
const MEASURED_ROLLOUTS = 16_000;
const MIN_UPDATES = 2;
const STEPS_PER_ROLLOUT = 10;

/** `whole` and `models` are microseconds per step. */
export interface ScaleRound {
  readonly whole: number;
  readonly models: number;
  readonly spent: Spent;
}

export interface RoundOptions {
  readonly size: number;
  readonly seed: number;
  /** Share of the usual number of rollouts. */
  readonly share: number;
}

export async function playRound({ size, seed, share }: RoundOptions): Promise<ScaleRound> {
  const world = fleet(size);
  const perUpdate = world.groups * world.rollouts;
  const updates = (rollouts: number) => Math.max(MIN_UPDATES, Math.round((share * rollouts) / perUpdate));
  const span = { warmUp: updates(WARM_UP_ROLLOUTS), measured: updates(MEASURED_ROLLOUTS) };
  const meter = new ProcessorMeter();
  const spent = await virtualTrial(world, DECOUPLED, span, seed, { mark: meter.mark });
  const steps = (updates: number) => STEPS_PER_ROLLOUT * updates * perUpdate;
  const alone = new ProcessorMeter();
  const counted = { warmUp: steps(span.warmUp), measured: steps(span.measured) };
  await playModelsAlone(world, counted, seed, alone.mark);
  return {
    whole: meter.microseconds() / spent.generated,
    models: alone.microseconds() / counted.measured,
    spent,
  };
}

/** Processor time between the first and the last mark. */
class ProcessorMeter {
  readonly #marks: number[] = [];

  readonly mark = (): void => {
    const { user, system } = process.cpuUsage();
    this.#marks.push(user + system);
  };

  microseconds(): number {
    const [first = Number.NaN] = this.#marks;
    return (this.#marks.at(-1) ?? Number.NaN) - first;
  }
}
