// A trainer in a fabric of its own, for tests: with an engine that only notes what it is fed, or with a real one, and a clock on
// which every update takes the same time.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as others } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { KINDS, SLOTS } from '../../runtime/agents/compact/action-kinds.ts';
import { OBJECTIVE } from '../../runtime/agents/compact/objective.ts';
import { sampleOf } from '../../runtime/agents/compact/sample.ts';
import { tokensOf } from '../../runtime/agents/compact/tokens.ts';
import type { Batch, BatchGroup, BatchStep, EntropyMask } from '../../runtime/core/batch.ts';
import type { Clock } from '../../runtime/core/clock.ts';
import type { Event } from '../../runtime/core/event.ts';
import { batchId, groupId, runId, seed, taskId, trajectoryId, version } from '../../runtime/core/ids.ts';
import type { Lesson, LessonSort } from '../../runtime/core/lesson.ts';
import type { Weights } from '../../runtime/core/policy.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { DurableFolder } from '../../runtime/data/files/durable.ts';
import type { Register } from '../../runtime/fabric/channels.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import type { Fabric } from '../../runtime/fabric/fabric.ts';
import type { Session } from '../../runtime/graph/session.ts';
import { type Tensor, type Tensors, tensor } from '../../runtime/graph/tensor.ts';
import type { ProgramEngine } from '../../runtime/trainer/network-trainer.ts';
import type { TrainingRecipe } from '../../runtime/trainer/recipe.ts';
import { Trainer, type TrainerOptions } from '../../runtime/trainer/trainer.ts';
import { floats, numbers, SHAPE } from '../agents/compact/running-policy.ts';
import { element, seenOf } from '../agents/compact/screens.ts';
import { travelling } from '../agents/compact/steps.ts';

export const RECIPE: TrainingRecipe = {
  objective: OBJECTIVE,
  optimiser: { learningRate: { peak: 3e-3, fed: true }, clipNorm: 1 },
  warmupUpdates: 0,
  seconds: 100,
  cooling: 0.1,
  highEntropy: true,
  filtersSteps: false,
  batch: 8,
  replay: 4,
  policyRows: 6,
  ...{ aggregation: 'steps', budget: 0, pulse: { imitation: 0, policy: 0 } },
  policyWeight: 1,
  cloneWeight: 1,
  shares: { hindsight: 1, beside: 1, successes: 1, demonstrations: 1, grounding: 1 },
  passes: { hindsight: 1000, beside: 1000, successes: 1000, demonstrations: 1000, grounding: 1000 },
  renaming: 0,
  publishSeconds: 1,
  checkpointSeconds: 1000,
};

/** A clock on which time passes only when it is told to. Who sleeps on it sleeps until the end. */
export class StillClock implements Clock {
  time: number;

  constructor(time = 1000) {
    this.time = time;
  }

  now(): number {
    return this.time;
  }

  sleep(_milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((_, reject) => {
      if (signal?.aborted) reject(signal.reason);
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  }
}

/** Milliseconds that each update takes on a still clock. */
export const UPDATE = 100;

/**
 * Says the same of every choice, and notes what it is told to learn; `during` runs within each update. Each update makes each
 * weight larger by 1.
 */
function notingEngine(
  updates: Tensors[],
  during: (count: number) => unknown,
  instead: (count: number) => Tensors,
): ProgramEngine {
  const all = (rows: number, value: number): Tensor =>
    floats(Array<number>(rows * SLOTS.length).fill(value), rows, SLOTS.length);
  const opened = (): Session => {
    let state: Tensors = {
      'adam.mean': floats([0, 0]),
      'adam.variance': floats([0, 0]),
      'adam.step': tensor('int64', [], BigInt64Array.of(0n)),
    };
    return {
      run: async feeds => {
        const rows = feeds['words']?.dims[0] ?? 0;
        if (feeds['advantage'] === undefined) {
          // A step is the more uncertain the higher its number, wherever it stands.
          const uncertainty = floats(
            numbersOf(feeds).flatMap(number => SLOTS.map(() => number / 100)),
            rows,
            SLOTS.length,
          );
          return { logProbability: all(rows, -1), uncertainty, open: all(rows, 1) };
        }
        updates.push(feeds);
        state = { ...state, weights: floats(numbers(state, 'weights').map(each => each + 1)) };
        await during(updates.length);
        const share = rows / 100;
        const figures = { loss: 0, cloneLoss: 0, grad_norm: 2, clipped: share, kl: share, applied: 1 };
        const named = Object.entries(figures).map(([name, value]) => [name, floats([value])] as const);
        return { ...Object.fromEntries(named), logProbability: all(rows, -1), ...instead(updates.length) };
      },
      read: async () => state,
      write: async written => {
        state = { ...state, ...written };
      },
      close: async () => undefined,
    };
  };
  return { open: async () => opened() };
}

export interface Ring {
  readonly fabric: Fabric;
  readonly trainer: Trainer;
  readonly clock: Clock;
  readonly updates: Tensors[];
  readonly masks: EntropyMask[];
  readonly events: Event[];
  readonly versions: Weights[];
  readonly means: Weights[];
  readonly stop: AbortController;
  readonly checkpoints: string;
}

export type Asked = Partial<Omit<TrainerOptions, 'recipe' | 'channels'>> & {
  readonly recipe?: Partial<TrainingRecipe>;
  readonly during?: (count: number, ring: Ring) => unknown;
  /** What an update gives in place of what it would. */
  readonly instead?: (count: number) => Tensors;
  readonly fabric?: Fabric;
};

export async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'dartboard-trainer-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return join(path, 'checkpoints');
}

export async function ring({
  recipe,
  during,
  instead = () => ({}),
  fabric = embeddedFabric(),
  ...asked
}: Asked = {}): Promise<Ring> {
  const [updates, masks, events]: [Tensors[], EntropyMask[], Event[]] = [[], [], []];
  const [versions, means]: [Weights[], Weights[]] = [[], []];
  const clock = asked.clock ?? new StillClock();
  const tick = (count: number) => {
    if (clock instanceof StillClock) clock.time += UPDATE;
    return during?.(count, made);
  };
  const checkpoints = asked.checkpoints ?? (await folder());
  // What is published is noted as it is, since a watcher may miss some of it.
  const noting = (register: Register<Weights>, seen: Weights[]): Register<Weights> => ({
    set: value => {
      seen.push(value);
      return register.set(value);
    },
    get: () => register.get(),
    watch: signal => register.watch(signal),
  });
  const { needs } = fabric;
  const noted = { publish: (event: Event) => void events.push(event), listen: () => fabric.events.listen() };
  const trainer = await Trainer.open({
    engine: notingEngine(updates, tick, instead),
    shape: SHAPE,
    weights: Float32Array.of(0, 0),
    random: seeded('trainer'),
    keep: async mask => {
      masks.push(mask);
    },
    ...asked,
    clock,
    checkpoints,
    files: asked.files ?? new DurableFolder(checkpoints),
    recipe: { ...RECIPE, ...recipe },
    run: runId('r'),
    channels: {
      commands: fabric.commands,
      batches: fabric.batches.taker(),
      lessons: fabric.lessons.taker(),
      needs,
      weights: noting(fabric.weights, versions),
      averaged: noting(fabric.averaged, means),
      events: noted,
    },
  });
  const stop = new AbortController();
  const made: Ring = { fabric, trainer, clock, updates, masks, events, versions, means, stop, checkpoints };
  onTestFinished(() => {
    stop.abort();
    return trainer.close();
  });
  return made;
}

/** Ends the training in its update of this number. */
export const until =
  (last: number) =>
  (count: number, { stop }: Ring): void => {
    if (count === last) stop.abort();
  };

/** Lets all act that can, often enough for whatever is under way to come to rest. */
export const rest = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await others();
};

const THINGS = Array.from({ length: 40 }, (_, at) =>
  element({ name: `Thing ${at}`, box: [0, 5 * at, 20, 5] }),
);
const SEEN = seenOf('Press the thing.', THINGS);
const TOKENS = tokensOf(SEEN);
const FIRST = TOKENS.pointable.indexOf(1);

/** A click on the thing of a number: a step that is known again. */
export const step = (number: number, logProbability?: number) => {
  const sample = sampleOf(TOKENS, { kind: KINDS.indexOf('click'), pointer: FIRST + number });
  const recorded = logProbability === undefined ? {} : { logProbabilities: SLOTS.map(() => logProbability) };
  return travelling(SEEN, { ...sample, ...recorded });
};

/** The numbers of the steps of an update. */
export const numbersOf = ({ chosen }: Tensors): readonly number[] =>
  Array.from(chosen?.data ?? [], Number)
    .filter((_, at) => at % SLOTS.length === SLOTS.indexOf('pointer'))
    .map(token => token - FIRST);

export const drawn = (updates: readonly Tensors[]) => updates.flatMap(numbersOf);

export const lesson = (number: number, kind = `kind ${number}`, sort: LessonSort = 'hindsight'): Lesson => ({
  sort,
  kind,
  steps: [step(number)],
});

export const groupOf = (name: string, steps: readonly BatchStep[]): BatchGroup => ({
  group: groupId(name),
  instance: { task: taskId('mail-star'), seed: seed(1) },
  injected: false,
  steps,
});

export const batchOf = (
  name: string,
  groups: readonly BatchGroup[],
  oldest: readonly number[] = [],
): Batch => ({
  id: batchId(name),
  run: runId('run'),
  groups,
  oldest: oldest.map(version),
});

/** A batch of one group: steps with these numbers, of which every other one was better than the rest. */
export function batch(name: string, from: number, count: number, logProbability?: number): Batch {
  const steps = Array.from(
    { length: count },
    (_, index): BatchStep => ({
      trajectory: trajectoryId(`${name}-${index}`),
      index: 0,
      ...step(from + index, logProbability),
      advantage: index % 2 === 0 ? 1 : -1,
      isSuccess: index % 2 === 0,
    }),
  );
  return batchOf(name, [groupOf(`${name}-group`, steps)]);
}
