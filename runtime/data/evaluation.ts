// How well one version of the weights does, measured beside training: its orders go into the same channel and their trajectories come
// back out of the same one, but nothing of them is ever trained on. It waits for no training, and has few orders out at a time.

import type { Clock } from '../core/clock.ts';
import { type GroupId, groupId, type OrderId, orderId, type RunId, type Version } from '../core/ids.ts';
import type { Mode } from '../core/policy.ts';
import type { Instance } from '../core/task.ts';
import type { Trajectory } from '../core/trajectory.ts';
import { isSuccess, rewardOf } from '../core/verdict.ts';
import type { Fabric } from '../fabric/fabric.ts';
import { clustered, type Interval } from './interval.ts';

export interface EvaluationsOptions {
  readonly run: RunId;
  readonly fabric: Pick<Fabric, 'orders' | 'events'>;
  readonly mode: Mode;
  /** Never capped: the task's own limit. */
  readonly maxStepsOf: (instance: Instance) => number;
  /** So many orders are out at a time: as many as there are desktops that evaluate. */
  readonly atOnce: number;
  readonly clock: Clock;
}

export interface Wanted {
  readonly version: Version;
  /** Each is played once; who wants more names it more than once. */
  readonly instances: readonly Instance[];
}

export interface Measured {
  readonly version: Version;
  /** With the interval, clustered by task. Broken ones are no trials. */
  readonly success: Interval;
  readonly meanScore: number;
  /** Broke twice, and so say nothing about the policy. */
  readonly broken: number;
  readonly tasks: readonly TaskMeasured[];
}

export interface TaskMeasured {
  readonly task: string;
  readonly successes: number;
  readonly trials: number;
  readonly broken: number;
}

/** How often an instance is played, if its desktop breaks. */
const ATTEMPTS = 2;

interface Attempt {
  readonly instance: Instance;
  readonly number: number;
}

interface UnderWay {
  readonly wanted: Wanted;
  readonly group: GroupId;
  readonly since: number;
  /** Not ordered yet. */
  readonly left: Attempt[];
  readonly out: Map<OrderId, Attempt>;
  readonly came: Came[];
  readonly done: (measured: Measured) => void;
  readonly failed: (reason: unknown) => void;
  ordered: number;
}

/** `score` is undefined where it broke for good. */
interface Came {
  readonly task: string;
  readonly success: boolean;
  readonly score: number | undefined;
}

export class Evaluations {
  readonly #options: EvaluationsOptions;
  #underWay: UnderWay | undefined;
  #count = 0;

  constructor(options: EvaluationsOptions) {
    this.#options = options;
  }

  /** Orders that are out. */
  get out(): number {
    return this.#underWay?.out.size ?? 0;
  }

  /** Resolves when all are in; rejects with the signal's reason when it is aborted first. One at a time. */
  async measure(wanted: Wanted, signal?: AbortSignal): Promise<Measured> {
    signal?.throwIfAborted();
    const { run, clock } = this.#options;
    if (this.#underWay !== undefined) {
      const { version } = this.#underWay.wanted;
      throw new RangeError(
        `Version ${version} is being evaluated; wait for it, or stop it, before the next.`,
      );
    }
    if (wanted.instances.length === 0)
      throw new RangeError('An evaluation of no instances cannot be; name some.');
    const since = clock.now();
    const group = groupId(`${run}.${Math.trunc(since).toString(36)}.e${this.#count++}`);
    const left = wanted.instances.map(instance => ({ instance, number: 1 }));
    let abort = () => {};
    try {
      return await new Promise<Measured>((done, failed) => {
        abort = () => failed(signal?.reason);
        signal?.addEventListener('abort', abort, { once: true });
        const out = new Map<OrderId, Attempt>();
        this.#underWay = { wanted, group, since, left, out, came: [], done, failed, ordered: 0 };
        void this.#order();
      });
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#underWay = undefined;
      this.#tell(undefined);
    }
  }

  /** A trajectory with the purpose `evaluate`, once it is durable. What comes again, or of an older evaluation, counts no more. */
  async back(trajectory: Trajectory): Promise<void> {
    const now = this.#underWay;
    const { order, outcome } = trajectory;
    const attempt = order && now?.out.get(order);
    if (now === undefined || order === undefined || attempt === undefined) return;
    now.out.delete(order);
    const { instance, number } = attempt;
    const score = rewardOf(outcome);
    if (score === undefined && number < ATTEMPTS) now.left.push({ instance, number: number + 1 });
    else now.came.push({ task: instance.task, success: isSuccess(outcome), score });
    if (now.came.length === now.wanted.instances.length) now.done(measured(now));
    else await this.#order();
  }

  async #order(): Promise<void> {
    const now = this.#underWay;
    if (now === undefined) return;
    const { fabric, run, mode, maxStepsOf, atOnce } = this.#options;
    const { wanted, group } = now;
    this.#tell(now);
    try {
      while (now.out.size < atOnce && now === this.#underWay) {
        const attempt = now.left.shift();
        if (attempt === undefined) return;
        const { instance } = attempt;
        const id = orderId(`${group}.${now.ordered++}`);
        now.out.set(id, attempt);
        const common = { id, run, group, instance, mode, maxSteps: maxStepsOf(instance) };
        await fabric.orders.put({ ...common, purpose: 'evaluate', version: wanted.version });
      }
    } catch (error) {
      now.failed(error);
    }
  }

  #tell(now: UnderWay | undefined): void {
    const { fabric, clock } = this.#options;
    const reason =
      now &&
      `${now.wanted.instances.length - now.came.length} of ${now.wanted.instances.length} episodes of version ${
        now.wanted.version
      }`;
    const at = clock.now();
    fabric.events.publish({ module: 'evaluation', at, kind: 'waiting', reason, since: now?.since ?? at });
  }
}

function measured({ wanted, came }: UnderWay): Measured {
  const tasks = [...new Set(came.map(({ task }) => task))].map(task => {
    const all = came.filter(each => each.task === task);
    const judged = all.filter(({ score }) => score !== undefined);
    const successes = judged.filter(({ success }) => success).length;
    return { task, successes, trials: judged.length, broken: all.length - judged.length };
  });
  const scores = came.flatMap(({ score }) => (score === undefined ? [] : [score]));
  return {
    version: wanted.version,
    success: clustered(tasks),
    meanScore: scores.reduce((sum, score) => sum + score, 0) / scores.length,
    broken: came.length - scores.length,
    tasks,
  };
}
