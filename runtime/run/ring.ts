// A run on one page: the four modules and discovery, in the order in which data flows. They communicate through the channels of the fabric
// only (../fabric/fabric.ts), which is why each part below gets the fabric and none gets another part.
//
//    ┌──────────────── weights ─────────────────┐
//    ▼                                          │
//   [1 environments, 2 rollout] ─ trajectories ─▶ [3 data] ─ batches ─▶ [4 trainer]
//    ▲   └─ [discovery] ─ lessons ─────────────────│────────────────────▶ ▲
//    └──────────────────── orders ─────────────────┘
//
// run-lifecycle.ts starts and ends the parts.

import { COMPACT_AGENT } from '../core/agent.ts';
import type { Version } from '../core/ids.ts';
import { seeded } from '../core/rng.ts';
import type { DartState } from '../data/curation/dart.ts';
import { Curator, type CuratorState } from '../data/curator.ts';
import { Evaluations } from '../data/evaluation.ts';
import type { GroupDecision } from '../data/files/decision-lines.ts';
import type { TrajectorySink } from '../data/trajectory-consumer.ts';
import { restoredChoice } from '../discovery/lesson-steps.ts';
import { needsOf } from '../discovery/lesson-weights.ts';
import { SuccessLoader, type SuccessStore, withoutReplays } from '../discovery/replay/success-loader.ts';
import type { Suite } from '../environments/suite.ts';
import { embeddedFabric } from '../fabric/embedded-fabric.ts';
import type { Fabric } from '../fabric/fabric.ts';
import { curationOf, limitsOf } from './curation.ts';
import { DesktopViewers } from './desktop-viewers.ts';
import { type EvaluatedRun, RunEvaluator } from './evaluator.ts';
import { type HostProgress, type ModulesOptions, startHost, startTrainer } from './modules.ts';

export interface RingOptions extends ModulesOptions {
  readonly suite: Suite;
  /** The channels of a run over several machines (shared-run.ts); by default those of one machine. */
  readonly fabric?: Fabric;
  /** The successes of earlier runs. */
  readonly memory: SuccessStore;
  /** Stores evaluated weights, as float32 bytes. */
  readonly keepWeights: (mean: Uint8Array, version: Version) => Promise<void>;
  /** Receives each decision of the data module. */
  readonly decided: (decided: GroupDecision) => void;
}

/** The run, as its parts see it. */
export interface RunProgress extends TrajectorySink, EvaluatedRun {
  hostStart(): HostProgress;
}

export type Ring = ReturnType<typeof wireRing>;

export function wireRing(
  options: RingOptions,
  progress: RunProgress,
  saved: { readonly curator?: CuratorState<DartState> | undefined; readonly evaluations: number },
) {
  const { run, config, suite, tasks, clock } = options;
  const { data, mode, trainer: learning } = config;
  const isModel = config.agent !== COMPACT_AGENT;
  const { fabric = embeddedFabric() } = options;

  // 1 and 2. Environments and rollout share a process (host.ts): the desktop pool (environments/pool.ts), the runner that plays orders on
  //          its desktops (rollout/runner.ts), and what decides: policy workers (rollout/policy-pool.ts) or the servers of a model (endpoints).
  //          Takes `orders`, puts `trajectories`.
  //          A restarted one does not know the demonstrations by people, so they are loaded again.
  const host = () =>
    startHost(
      ...([options, fabric, () => progress.hostStart()] as const),
      unlessFirst(() => successes.demonstrations()),
    );

  // 3. Data: stores each trajectory, filters groups of rollouts, computes advantages, and orders the next rollouts (DART curation).
  //    Takes `trajectories`, puts `orders` and `batches`.
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
      onEvaluation: trajectory => {
        evaluator.episodeEnded();
        return evaluations.receive(trajectory);
      },
      maxStaleness: data.stalenessUpdates,
      trajectoriesPerBatch: data.trajectoriesPerBatch,
      trajectoriesAhead: data.trajectoriesAhead,
      stepsPerBatch: data.stepsPerBatch,
      successPool: config.curation.successPool,
      ...{ advantages: learning.advantages, shaping: learning.shaping, positives: learning.positives },
      maxWaitingBatches: data.batchesAhead,
      ahead: data.ahead,
      // Lessons and stored successes have decisions of the built-in policy.
      imitates: !isModel,
      ...(!isModel && { restored: restoredChoice }),
      onDecision: options.decided,
      random: seeded(config.seed).fork('curator'),
    },
    saved.curator,
  );

  // 4. Trainer: a process (trainer-child.ts) that updates the policy, or has a learner update the model. A restarted one has no lessons, so
  //    successes are sent again, and the host repeats what it found once. Takes `batches` and `lessons`, sets `weights`.
  const teachAgain = unlessFirst(() => fabric.commands.append({ kind: 'teach', run }));
  const trainer = () =>
    startTrainer(options, fabric, async () => {
      await curator.resendLessons();
      await teachAgain();
    });

  // Discovery: the host explores, relabels failures in hindsight and transfers demonstrations (discovery/discovery.ts). Successes of earlier
  // runs are loaded here and replayed in the host (discovery/replay). Puts `lessons`.
  const memory = isModel ? withoutReplays(options.memory) : options.memory;
  const successes = new SuccessLoader({ run, memory, fabric, clock });

  // Evaluation: beside training, on its own desktops, with the mean of the newest weights.
  const evaluator = new RunEvaluator({
    ...{ config, suite, tasks, clock, evaluations, fabric, keepWeights: options.keepWeights },
    ...{ progress, before: saved.evaluations },
  });

  // The pages that show desktops.
  const viewers = new DesktopViewers({ watched: fabric.watched, views: fabric.views, clock });

  return { fabric, host, curator, trainer, successes, evaluator, viewers };
}

/** For what only the replacement of a process needs. */
function unlessFirst(act: () => Promise<unknown>): () => Promise<void> {
  let isFirst = true;
  return async () => {
    if (!isFirst) await act();
    isFirst = false;
  };
}
