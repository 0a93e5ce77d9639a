// A run on one page: the four modules and discovery, in the order in which data flows. Modules meet only in the channels of the fabric.
//
//    ┌──────────────── weights ─────────────────┐
//    ▼                                          │
//   [1 environments, 2 rollout] ─ trajectories ─▶ [3 data] ─ batches ─▶ [4 trainer]
//    ▲   └─ [discovery] ─ lessons ─────────────────│────────────────────▶ ▲
//    └──────────────────── orders ─────────────────┘
//
// run-lifecycle.ts starts and ends the parts.

import type { RunId, Version } from '../core/ids.ts';
import { seeded } from '../core/rng.ts';
import type { DartState } from '../data/curation/dart.ts';
import { Curator, type CuratorState } from '../data/curator.ts';
import { Evaluations } from '../data/evaluation.ts';
import type { GroupDecision } from '../data/files/decision-lines.ts';
import type { TrajectorySink } from '../data/trajectory-consumer.ts';
import { needsOf } from '../discovery/lesson-weights.ts';
import { restoredChoices } from '../discovery/replay/restore-choices.ts';
import { SuccessLoader, type SuccessStore } from '../discovery/replay/success-loader.ts';
import type { Suite } from '../environments/suite.ts';
import { embeddedFabric } from '../fabric/embedded.ts';
import type { EvaluationPoint } from '../protocol/daemon/state.ts';
import { curationOf, limitsOf } from './curation.ts';
import { DesktopViewers } from './desktop-viewers.ts';
import { RunEvaluator } from './evaluator.ts';
import type { HostStart } from './host.ts';
import { type ModulesOptions, startHost, startTrainer } from './modules.ts';

export interface RingOptions extends ModulesOptions {
  readonly run: RunId;
  readonly suite: Suite;
  /** The successes of earlier runs. */
  readonly memory: SuccessStore;
  /** Stores evaluated weights, as float32 bytes. */
  readonly keepWeights: (mean: Uint8Array, version: Version) => Promise<void>;
  /** Receives each decision of the data module. */
  readonly decided: (decided: GroupDecision) => void;
}

/** What the parts need to know of the run that they belong to. */
export interface RunProgress extends TrajectorySink {
  trainedSeconds(): number;
  trainedSteps(): number;
  isRunning(): boolean;
  hostStart(): Pick<HostStart, 'isFirst' | 'isTrained'>;
  evaluated(point: EvaluationPoint): Promise<void>;
}

export type Ring = ReturnType<typeof wireRing>;

export function wireRing(
  options: RingOptions,
  progress: RunProgress,
  saved: { readonly curator?: CuratorState<DartState> | undefined; readonly evaluations: number },
) {
  const { run, config, suite, tasks, clock } = options;
  const { data, mode } = config;
  const fabric = embeddedFabric();

  // 1 and 2. Environments and rollout share a process (host.ts): desktops, the runner that plays orders on them, the pool of policy
  //          workers that decide. It takes orders and puts trajectories.
  const host = () => startHost(options, fabric, () => progress.hostStart());

  // 3. Data: keeps each trajectory, groups rollouts, chooses what to roll out next (DART curation), and puts batches of steps.
  const evaluations = new Evaluations({
    ...{ run, mode, clock },
    fabric: { orders: fabric.evaluations, events: fabric.events },
    maxStepsOf: limitsOf(suite),
    maxOpenOrders: config.evaluation.desktops,
  });
  const curator = new Curator(
    {
      ...{ run, fabric, mode, clock, needsOf },
      keeps: progress,
      curation: curationOf(config, suite, tasks),
      // Evaluation orders have a channel of their own, so none are outstanding here.
      evaluations: { openOrders: 0, receive: trajectory => evaluations.receive(trajectory) },
      maxStaleness: data.stalenessUpdates,
      trajectoriesPerBatch: data.trajectoriesPerBatch,
      trajectoriesAhead: data.trajectoriesAhead,
      stepsPerBatch: data.stepsPerBatch,
      successPool: config.curation.successPool,
      maxWaitingBatches: data.batchesAhead,
      ahead: data.ahead,
      restored: restoredChoices,
      onDecision: options.decided,
      random: seeded(config.seed).fork('curator'),
    },
    saved.curator,
  );

  // 4. Trainer: a process that takes batches and lessons, and sets new weights. A new process knows no lesson of an earlier one.
  const trainer = () => startTrainer(options, fabric, () => curator.resendLessons());

  // Discovery: the host explores, relabels in hindsight and transfers demonstrations. Beside that, successes of earlier runs are loaded
  // here, replayed in the host, and return as lessons.
  const successes = new SuccessLoader({ run, memory: options.memory, fabric, clock });

  // Evaluation: the mean of the newest weights, beside training, on desktops of its own.
  const evaluator = new RunEvaluator({
    ...{ config, suite, tasks, clock, evaluations, fabric, keepWeights: options.keepWeights },
    trained: () => progress.trainedSeconds(),
    played: () => progress.trainedSteps(),
    isRunning: () => progress.isRunning(),
    found: point => progress.evaluated(point),
    before: saved.evaluations,
  });

  // People who watch the desktops.
  const viewers = new DesktopViewers({ watched: fabric.watched, views: fabric.views, clock });

  return { fabric, host, curator, trainer, successes, evaluator, viewers };
}
