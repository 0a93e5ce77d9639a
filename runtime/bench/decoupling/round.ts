// One round of the scale benchmark: what a step costs with a fleet of some size, of everything and of the models alone.

import { alone } from './alone.ts';
import type { Spent } from './measures.ts';
import { fleet } from './settings.ts';
import { virtualTrial } from './virtual.ts';

/** Rollouts in which it settles, and that are measured, of each round; a fleet plays at least so many updates of its own. */
const WARM_UP = 4_000;
const MEASURED = 16_000;
const LEAST_UPDATES = 2;
const STEPS_OF_A_ROLLOUT = 10;
export const DECOUPLED = { scheduling: 'rollout-wise', sync: 'per-worker', versions: 4 } as const;

/** Microseconds a step, of everything and of the models alone. */
export interface Round {
  readonly whole: number;
  readonly models: number;
  readonly spent: Spent;
}

export interface RoundOptions {
  readonly size: number;
  /** Of the seed. */
  readonly chance: number;
  /** Of the usual number of rollouts. */
  readonly share: number;
}

export async function played({ size, chance, share }: RoundOptions): Promise<Round> {
  const setting = fleet(size);
  const perUpdate = setting.groups * setting.rollouts;
  const updates = (rollouts: number) => Math.max(LEAST_UPDATES, Math.round((share * rollouts) / perUpdate));
  const span = { warmUp: updates(WARM_UP), measured: updates(MEASURED) };
  const meter = new Meter();
  const spent = await virtualTrial(setting, DECOUPLED, span, chance, { mark: meter.mark });
  const whole = meter.microseconds() / spent.generated;
  const steps = (rollouts: number) => STEPS_OF_A_ROLLOUT * rollouts * perUpdate;
  const still = new Meter();
  const counted = await alone(
    setting,
    { warmUp: steps(span.warmUp), measured: steps(span.measured) },
    chance,
    still.mark,
  );
  return { whole, models: still.microseconds() / counted, spent };
}

/** Processor time between the first and the last mark. */
class Meter {
  readonly #marks: number[] = [];

  readonly mark = (): void => {
    const { user, system } = process.cpuUsage();
    this.#marks.push(user + system);
  };

  microseconds(): number {
    return (this.#marks.at(-1) ?? Number.NaN) - (this.#marks[0] ?? Number.NaN);
  }
}
