// A trainer of a language model in a fabric of its own, with a small learner, for tests.

import { onTestFinished } from 'vitest';
import { encodeChat } from '../../../runtime/agents/model/chat-observation.ts';
import type { Batch, EntropyMask } from '../../../runtime/core/batch.ts';
import type { Clock } from '../../../runtime/core/clock.ts';
import type { Event } from '../../../runtime/core/event.ts';
import { batchId, groupId, runId, seed, taskId, trajectoryId, version } from '../../../runtime/core/ids.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { embeddedFabric } from '../../../runtime/fabric/embedded-fabric.ts';
import type { Fabric } from '../../../runtime/fabric/fabric.ts';
import type { Learner, TokenUpdate, UpdateReport } from '../../../runtime/learner/learner.ts';
import { DART_OBJECTIVE } from '../../../runtime/learner/token-objective.ts';
import { ModelTrainer, type ModelTrainerOptions } from '../../../runtime/trainer/tokens/model-trainer.ts';
import { type LearnerProgress, NO_PROGRESS, readProgress } from '../../../runtime/trainer/tokens/progress.ts';
import type { TokenRecipe } from '../../../runtime/trainer/tokens/token-recipe.ts';
import { SoftmaxLearner, type SoftmaxOptions, type SoftmaxState } from '../../learner/softmax-learner.ts';

export const TOKEN_RECIPE: TokenRecipe = {
  objective: { ...DART_OBJECTIVE, divergence: 0 },
  optimiser: { beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, clipNorm: 0 },
  learningRate: 1e-2,
  warmupUpdates: 0,
  highEntropy: false,
  policyRows: 2,
  ...{ aggregation: 'steps', budget: 0 },
  maxMismatch: 100,
  checkpointSeconds: 1e6,
};

export const RUN = runId('r');

/** A batch of one group. The replies of its steps are [index % 5, 1]; every second one has a negative advantage. */
export function tokenBatch(name: string, steps: number, logProbability = -2): Batch {
  return {
    id: batchId(name),
    run: RUN,
    oldest: [version(0)],
    groups: [
      {
        group: groupId(`${name}-g`),
        instance: { task: taskId('task'), seed: seed(1) },
        injected: false,
        steps: Array.from({ length: steps }, (_, index) => ({
          trajectory: trajectoryId(`${name}-t${index}`),
          index: 0,
          observation: encodeChat([{ role: 'user', parts: [{ type: 'text', text: 'Go.' }] }]),
          choice: {
            ...{ kind: 'tokens', prompt: [2, 3], ids: [index % 5, 1], estimator: 'surprisal' },
            logProbabilities: [logProbability, logProbability],
          },
          advantage: index % 2 === 0 ? 1 : -1,
          isSuccess: index % 2 === 0,
        })),
      },
    ],
  };
}

/** The states that survive a process. */
export class Disk {
  readonly states = new Map<string, SoftmaxState>();
  readonly files = new Map<string, Uint8Array>();
  writes = 0;

  progress(): LearnerProgress {
    const bytes = this.files.get('progress.json');
    return readProgress(bytes && new TextDecoder().decode(bytes), 'progress.json');
  }
}

/** Notes each optimiser step that is made. A call with a known id makes none. */
export class NotingLearner extends SoftmaxLearner {
  readonly applied: TokenUpdate[] = [];
  readonly forgotten: string[] = [];
  /** Calls of `assess`. */
  assessed = 0;
  during: (count: number) => Promise<void> | void = () => undefined;

  override async assess(...call: Parameters<Learner['assess']>) {
    this.assessed += 1;
    return await super.assess(...call);
  }

  async forget(saved: string): Promise<void> {
    this.forgotten.push(saved);
  }

  override async update(update: TokenUpdate, signal: AbortSignal): Promise<UpdateReport> {
    const before = this.step;
    const report = await super.update(update, signal);
    if (this.step > before) this.applied.push(update);
    await this.during(this.applied.length);
    return report;
  }
}

export const newLearner = (disk: Disk, options: Pick<SoftmaxOptions, 'clips'> = {}): NotingLearner =>
  new NotingLearner({ images: async () => Uint8Array.of(1), disk: disk.states, ...options });

export const idsOf = (applied: readonly { readonly id: string }[]) => applied.map(({ id }) => id);

export interface TokenRing {
  readonly fabric: Fabric;
  readonly trainer: ModelTrainer;
  readonly events: Event[];
  readonly masks: EntropyMask[];
  readonly stop: AbortController;
  readonly running: Promise<void>;
  /** Resolves when the batch queue is empty and nothing is in work. */
  idle(): Promise<void>;
}

export interface TokenRingOptions {
  readonly disk?: Disk;
  readonly learner: Learner;
  readonly recipe?: Partial<TokenRecipe>;
  readonly fabric?: Fabric;
  readonly useImages?: ModelTrainerOptions['useImages'];
  readonly clock?: Clock;
}

/** Opens a trainer and runs it until `stop`. */
export async function tokenRing({
  disk = new Disk(),
  learner,
  recipe = {},
  fabric = embeddedFabric(),
  useImages = async () => new Map(),
  clock = systemClock,
}: TokenRingOptions): Promise<TokenRing> {
  const [events, masks]: [Event[], EntropyMask[]] = [[], []];
  const stop = new AbortController();
  const trainer = await ModelTrainer.open(
    {
      ...{ run: RUN, learner, recipe: { ...TOKEN_RECIPE, ...recipe }, imageTokens: [9] },
      before: disk.files.size === 0 ? NO_PROGRESS : disk.progress(),
      useImages,
      files: {
        write: async (name, bytes) => {
          disk.writes += 1;
          disk.files.set(name, bytes);
        },
      },
      channels: {
        ...{ batches: fabric.batches.taker(), weights: fabric.weights, averaged: fabric.averaged },
        commands: fabric.commands,
        events: {
          publish: (event: Event) => void events.push(event),
          listen: () => fabric.events.listen(),
        },
      },
      keep: async mask => {
        masks.push(mask);
      },
      clock,
    },
    stop.signal,
  );
  const running = trainer.run(stop.signal);
  running.catch(() => undefined);
  onTestFinished(() => stop.abort());
  const idle = async () => {
    for (;;) {
      const { waiting, taken } = await fabric.batches.depth();
      const isWaiting = events.findLast(({ kind }) => kind === 'waiting');
      if (waiting + taken === 0 && isWaiting !== undefined) return;
      await new Promise(resolve => setTimeout(resolve, 1));
    }
  };
  return { fabric, trainer, events, masks, stop, running, idle };
}
