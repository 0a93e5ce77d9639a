// Evaluates one version of the weights during training. Evaluation orders and trajectories use channels like training ones, but no
// evaluation trajectory is ever used for training. The number of open orders is bounded, so that evaluation does not flood the desktops.

import type { Clock } from '../core/clock.ts';
import { type GroupId, groupId, type OrderId, orderId, type RunId, type Version } from '../core/ids.ts';
import type { Mode } from '../core/policy.ts';
import { sum } from '../core/sum.ts';
import type { Instance } from '../core/task.ts';
import { type Trajectory, versionSpan } from '../core/trajectory.ts';
import { isSuccess, rewardOf } from '../core/verdict.ts';
import type { Fabric } from '../fabric/fabric.ts';
import { clustered, type Interval } from './interval.ts';

export interface EvaluationsOptions {
  readonly run: RunId;
  readonly fabric: Pick<Fabric, 'orders' | 'events'>;
  readonly mode: Mode;
  /** The task's own limit; the length cap of the curation does not apply. */
  readonly maxStepsOf: (instance: Instance) => number;
  /** Upper bound on open orders: the number of desktops that evaluate. */
  readonly maxOpenOrders: number;
  readonly clock: Clock;
}

export interface EvaluationRequest {
  readonly version: Version;
  /** Each entry is one episode; repeat an instance to run it several times. */
  readonly instances: readonly Instance[];
}

export interface EvaluationResult {
  /** The oldest that chose a step: servers of a model may not have loaded the one that was asked for. */
  readonly version: Version;
  /** With a confidence interval clustered by task. Broken episodes do not count as trials. */
  readonly success: Interval;
  readonly meanScore: number;
  /** Episodes that broke on every attempt; they carry no information about the policy. */
  readonly broken: number;
  readonly tasks: readonly TaskEvaluation[];
}

export interface TaskEvaluation {
  readonly task: string;
  readonly successes: number;
  readonly trials: number;
  readonly broken: number;
}

interface ActiveEvaluation {
  readonly request: EvaluationRequest;
  readonly group: GroupId;
  readonly since: number;
  /** Instances that are not ordered yet. */
  readonly pending: Instance[];
  readonly out: Map<OrderId, Instance>;
  readonly results: EpisodeResult[];
  readonly resolve: (measured: EvaluationResult) => void;
  readonly reject: (reason: unknown) => void;
  ordered: number;
}

/** `score` is undefined if the episode broke on every attempt. */
interface EpisodeResult {
  readonly task: string;
  readonly success: boolean;
  readonly score: number | undefined;
  /** Undefined if no policy chose a step. */
  readonly oldest: Version | undefined;
}

export class Evaluations {
  readonly #options: EvaluationsOptions;
  #active: ActiveEvaluation | undefined;
  #count = 0;

  constructor(options: EvaluationsOptions) {
    this.#options = options;
  }

  /** Resolves with all episodes finished; rejects with the signal's reason on abort. Only one evaluation runs at a time. */
  async measure(request: EvaluationRequest, signal?: AbortSignal): Promise<EvaluationResult> {
    signal?.throwIfAborted();
    const { run, clock } = this.#options;
    if (this.#active !== undefined) {
      const { version } = this.#active.request;
      throw new RangeError(
        `Cannot start an evaluation: version ${version} is being evaluated. Wait until it ends, or stop it.`,
      );
    }
    if (request.instances.length === 0)
      throw new RangeError('Cannot start an evaluation without instances. Select at least one task.');
    const since = clock.now();
    const group = groupId(`${run}.${Math.trunc(since).toString(36)}.e${this.#count++}`);
    const pending = [...request.instances];
    let abort = () => {};
    try {
      return await new Promise<EvaluationResult>((resolve, reject) => {
        abort = () => reject(signal?.reason);
        signal?.addEventListener('abort', abort, { once: true });
        const out = new Map<OrderId, Instance>();
        this.#active = { request, group, since, pending, out, results: [], resolve, reject, ordered: 0 };
        void this.#order();
      });
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#active = undefined;
      this.#publishWaiting(undefined);
    }
  }

  /** Counts a durable trajectory with the purpose `evaluate`. Repeated deliveries and trajectories of earlier evaluations are ignored. */
  async receive(trajectory: Trajectory): Promise<void> {
    const active = this.#active;
    const { order, outcome, steps } = trajectory;
    const instance = order && active?.out.get(order);
    if (active === undefined || order === undefined || instance === undefined) return;
    active.out.delete(order);
    // The runner has retried an episode that broke.
    const score = rewardOf(outcome);
    const oldest = versionSpan(steps)?.oldest;
    active.results.push({ task: instance.task, success: isSuccess(outcome), score, oldest });
    if (active.results.length === active.request.instances.length) active.resolve(summarize(active));
    else await this.#order();
  }

  async #order(): Promise<void> {
    const active = this.#active;
    if (active === undefined) return;
    const { fabric, run, mode, maxStepsOf, maxOpenOrders } = this.#options;
    const { request, group } = active;
    this.#publishWaiting(active);
    try {
      while (active.out.size < maxOpenOrders && active === this.#active) {
        const instance = active.pending.shift();
        if (instance === undefined) return;
        const id = orderId(`${group}.${active.ordered++}`);
        active.out.set(id, instance);
        const common = { id, run, group, instance, mode, maxSteps: maxStepsOf(instance) };
        await fabric.orders.put({ ...common, purpose: 'evaluate', version: request.version });
      }
    } catch (error) {
      active.reject(error);
    }
  }

  #publishWaiting(active: ActiveEvaluation | undefined): void {
    const { fabric, clock } = this.#options;
    const reason =
      active &&
      `${active.request.instances.length - active.results.length} of ${active.request.instances.length} episodes of version ${
        active.request.version
      }`;
    const at = clock.now();
    fabric.events.publish({ module: 'evaluation', at, kind: 'waiting', reason, since: active?.since ?? at });
  }
}

function summarize({ request, results }: ActiveEvaluation): EvaluationResult {
  const tasks = [...new Set(results.map(({ task }) => task))].map(task => {
    const all = results.filter(each => each.task === task);
    const judged = all.filter(({ score }) => score !== undefined);
    const successes = judged.filter(({ success }) => success).length;
    return { task, successes, trials: judged.length, broken: all.length - judged.length };
  });
  const scores = results.flatMap(({ score }) => (score === undefined ? [] : [score]));
  const [version = request.version] = results
    .flatMap(({ score, oldest }) => (score === undefined || oldest === undefined ? [] : [oldest]))
    .sort((a, b) => a - b);
  return {
    version,
    success: clustered(tasks),
    meanScore: sum(scores) / scores.length,
    broken: results.length - scores.length,
    tasks,
  };
}
