// The entry of a child process that plays rounds of the scale benchmark: processor time per step with the scheduler, and of the
// models alone.

import { serveChild } from '../../rpc/child-server.ts';
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

export type RoundCalls = { readonly play: { readonly takes: RoundOptions; readonly gives: ScaleRound } };

await serveChild<RoundCalls, undefined>(async () => ({ about: undefined, handlers: { play: playRound } }));

async function playRound({ size, seed, share }: RoundOptions): Promise<ScaleRound> {
  const world = fleet(size);
  const perUpdate = world.groups * world.rollouts;
  const updates = (rollouts: number) => Math.max(MIN_UPDATES, Math.round((share * rollouts) / perUpdate));
  const span = { warmUp: updates(WARM_UP_ROLLOUTS), measured: updates(MEASURED_ROLLOUTS) };
  const steps = (updates: number) => STEPS_PER_ROLLOUT * updates * perUpdate;
  const counted = { warmUp: steps(span.warmUp), measured: steps(span.measured) };
  const [spent, whole] = await processorTime(mark => virtualTrial(world, DECOUPLED, span, seed, { mark }));
  const [, models] = await processorTime(mark => playModelsAlone(world, counted, seed, mark));
  return { whole: whole / spent.generated, models: models / counted.measured, spent };
}

/** The microseconds of processor time between the first and the last mark. */
async function processorTime<T>(
  work: (mark: () => void) => Promise<T>,
): Promise<readonly [result: T, microseconds: number]> {
  const marks: number[] = [];
  const result = await work(() => {
    const { user, system } = process.cpuUsage();
    marks.push(user + system);
  });
  return [result, Math.max(...marks) - Math.min(...marks)];
}
