// The state of a run, gathered from the events of its modules. Nothing depends on it.

import type { Event } from '../core/event.ts';
import type { Version } from '../core/ids.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { RolloutCounts } from '../data/rollout-ledger.ts';
import { type EvaluationPoint, isOver, type RunState } from '../protocol/daemon/state.ts';
import { MonotonicCounter } from './monotonic-counter.ts';
import { Rate } from './rate.ts';

export interface RunDescription {
  readonly run: string;
  readonly startedAt: number;
  readonly of: number;
  readonly about: RunState['about'];
  readonly tasks: readonly { readonly task: string; readonly tier: number }[];
  /** Measured in earlier lives of the run. */
  readonly curve: readonly EvaluationPoint[];
  /** In earlier lives of the run. */
  readonly played: Played;
  readonly desktops: number;
}

/** What training has played so far; episodes that measure are not among it. */
export interface Played {
  readonly episodes: number;
  readonly steps: number;
  /** How many rollouts of each task; absent where an earlier version wrote it. */
  readonly rollouts?: Readonly<Record<string, number>>;
}

/** More troubles than these are not shown: the oldest go. */
const MOST_TROUBLES = 50;

export class RunStateTracker {
  readonly #about: RunDescription;
  readonly #metrics = new Map<string, number>();
  readonly #waiting = new Map<string, { readonly reason: string; readonly since: number }>();
  readonly #rollouts: Map<string, number>;
  readonly #curve: EvaluationPoint[];
  readonly #episodes: MonotonicCounter;
  readonly #steps: MonotonicCounter;
  readonly #perSecond = { episodes: new Rate(), steps: new Rate(), updates: new Rate() };
  #troubles: RunState['troubles'] = [];

  constructor(about: RunDescription) {
    this.#about = about;
    this.#curve = [...about.curve];
    this.#rollouts = new Map(Object.entries(about.played.rollouts ?? {}));
    this.#episodes = new MonotonicCounter(about.played.episodes);
    this.#steps = new MonotonicCounter(about.played.steps);
  }

  hear(event: Event): void {
    const { module, at } = event;
    if (event.kind === 'health') {
      const { thing, healthy, message } = event;
      if (healthy) return;
      this.#note({ thing, message, at });
    } else if (event.kind === 'waiting') this.#waits(module, event.reason, event.since);
    else this.#metric(event.name, event.value, at);
  }

  /** Equal troubles are one, with a count: a full disk causes hundreds. */
  #note(trouble: RunState['troubles'][number]): void {
    const isSame = ({ thing, message }: typeof trouble) =>
      thing === trouble.thing && message === trouble.message;
    const before = this.#troubles.find(isSame);
    const counted = before === undefined ? trouble : { ...trouble, count: (before.count ?? 1) + 1 };
    this.#troubles = [...this.#troubles.filter(each => !isSame(each)), counted].slice(-MOST_TROUBLES);
  }

  /** A trajectory that is kept. */
  addTrajectory({ purpose, instance: { task } }: Pick<Trajectory, 'purpose' | 'instance'>): void {
    if (purpose === 'train') this.#rollouts.set(task, (this.#rollouts.get(task) ?? 0) + 1);
  }

  addEvaluation(point: EvaluationPoint): void {
    this.#curve.push(point);
  }

  get curve(): readonly EvaluationPoint[] {
    return this.#curve;
  }

  get played(): Played {
    return {
      episodes: this.#episodes.count,
      steps: this.#steps.count,
      rollouts: Object.fromEntries(this.#rollouts),
    };
  }

  /** By the names that the field uses, the last of each. */
  get metrics(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#metrics);
  }

  state(now: {
    readonly status: RunState['status'];
    readonly message: string | undefined;
    readonly seconds: number;
    readonly version: Version;
    readonly books: RolloutCounts;
  }): RunState {
    const { run, startedAt, of, about, tasks, desktops } = this.#about;
    const { status, message, seconds, version, books } = now;
    return {
      run,
      status,
      ...(message !== undefined && { message }),
      startedAt,
      seconds,
      of,
      about,
      curve: this.#curve,
      tasks: tasks.map(({ task, tier }) => {
        const rate = this.#metrics.get(`success/${task}`);
        return { task, tier, ...(rate !== undefined && { rate }), rollouts: this.#rollouts.get(task) ?? 0 };
      }),
      environments: {
        desktops,
        broken: Math.round(desktops * this.#share('env/broken')),
        occupancy: this.#share('env/occupancy'),
        stepping: this.#share('env/stepping'),
      },
      rollout: {
        workers: this.#count('rollout/workers'),
        utilisation: this.#share('rollout/utilisation'),
        episodes: this.#episodes.count,
        steps: this.#steps.count,
        episodesPerSecond: this.#perSecond.episodes.perSecond,
        stepsPerSecond: this.#perSecond.steps.perSecond,
      },
      data: {
        books,
        queues: {
          orders: this.#count('queue/depth/orders'),
          trajectories: this.#count('queue/depth/trajectories'),
          batches: this.#count('queue/depth/batches'),
          lessons: this.#count('queue/depth/lessons'),
        },
        trainableGroups: this.#count('data/trainable_groups'),
        filteredGroups: this.#count('data/filtered_groups'),
        injections: this.#count('data/pool_injections'),
        staleness: { mean: this.#number('off_policy/mean'), max: this.#number('off_policy/max') },
      },
      trainer: {
        version,
        updates: this.#count('trainer/updates'),
        updatesPerSecond: this.#perSecond.updates.perSecond,
        utilisation: this.#metrics.has('trainer/idle_ratio') ? 1 - this.#share('trainer/idle_ratio') : 0,
        ...(this.#metrics.has('data/kept_steps') && { keptSteps: this.#share('data/kept_steps') }),
        ...(this.#metrics.has('data/imitated_share') && {
          imitatedShare: this.#share('data/imitated_share'),
        }),
        metrics: this.metrics,
      },
      // When all is over nobody waits any more, whatever was said last.
      waiting: [...(isOver({ status }) ? [] : this.#waiting)].map(([module, { reason, since }]) => ({
        module,
        reason,
        since,
      })),
      troubles: this.#troubles,
    };
  }

  #metric(name: string, value: number, at: number): void {
    if (!Number.isFinite(value)) return;
    this.#metrics.set(name, value);
    if (name === 'rollout/episodes') {
      this.#episodes.record(value);
      this.#perSecond.episodes.record(value, at);
    } else if (name === 'rollout/all_steps') {
      this.#steps.record(value);
      this.#perSecond.steps.record(value, at);
    } else if (name === 'trainer/updates') this.#perSecond.updates.record(value, at);
  }

  #waits(module: string, reason: string | undefined, since: number): void {
    if (reason === undefined) this.#waiting.delete(module);
    else this.#waiting.set(module, { reason, since });
  }

  #number(name: string): number {
    return Math.max(0, this.#metrics.get(name) ?? 0);
  }

  #count(name: string): number {
    return Math.round(this.#number(name));
  }

  #share(name: string): number {
    return Math.min(1, this.#number(name));
  }
}
