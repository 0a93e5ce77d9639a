// Collects the state of a run from the events of its modules, for display only.

import { COMPACT_AGENT } from '../core/agent.ts';
import type { Event } from '../core/event.ts';
import type { Version } from '../core/ids.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { RolloutCounts } from '../data/rollout-ledger.ts';
import type { Suite } from '../environments/suite.ts';
import { type EvaluationPoint, isOver, type RunState } from '../protocol/daemon/state.ts';
import { ModelRunTracker } from './model-run-tracker.ts';
import type { ModulesOptions } from './modules.ts';
import { MonotonicCounter } from './monotonic-counter.ts';
import { Rate } from './rate.ts';
import type { Spending } from './spending.ts';

/** The constant part of a run's state, and what it resumes from. */
interface RunDescription extends Pick<RunState, 'run' | 'startedAt' | 'of' | 'about'> {
  readonly tasks: readonly { readonly task: string; readonly tier: number }[];
  /** Evaluations before the run was resumed. */
  readonly curve: readonly EvaluationPoint[];
  /** Before the run was resumed. */
  readonly played: Played;
  /** Before the run was resumed; absent for the built-in policy. */
  readonly spent?: Spending;
  readonly desktops: number;
}

/** The training rollouts so far, without evaluations. */
export interface Played {
  readonly episodes: number;
  readonly steps: number;
  /** Rollouts per task; absent in files of earlier versions. */
  readonly rollouts?: Readonly<Record<string, number>>;
}

/** The oldest problems beyond this are dropped. */
const MAX_PROBLEMS = 50;

export function describeRun(
  { run, config, suite, tasks }: Pick<ModulesOptions, 'run' | 'config' | 'tasks'> & { readonly suite: Suite },
  startedAt: number,
  { curve, played, spent }: Pick<RunDescription, 'curve' | 'played' | 'spent'>,
): RunDescription {
  const { kind, desktops } = config.environments;
  const tiers = [...new Set(tasks.map(task => suite.template(task).tier))].sort();
  return {
    ...{ run, startedAt, of: 60 * config.minutes, curve, played, desktops },
    ...(spent !== undefined && { spent }),
    about: {
      ...{ preset: config.preset, mode: config.mode, seed: config.seed, tiers, tasks: tasks.length },
      ...(kind !== 'pocket' && { desktops: kind }),
      ...(config.agent !== COMPACT_AGENT && { agent: config.agent }),
    },
    tasks: tasks.map(task => ({ task, tier: suite.template(task).tier })),
  };
}

export class RunStateTracker {
  readonly #about: RunDescription;
  readonly #metrics = new Map<string, number>();
  readonly #waiting = new Map<string, { readonly reason: string; readonly since: number }>();
  readonly #rollouts: Map<string, number>;
  readonly #curve: EvaluationPoint[];
  readonly #episodes: MonotonicCounter;
  readonly #steps: MonotonicCounter;
  readonly #perSecond = { episodes: new Rate(), steps: new Rate(), updates: new Rate() };
  readonly #modelRun: ModelRunTracker;
  #problems: RunState['problems'] = [];

  constructor(about: RunDescription) {
    this.#about = about;
    this.#curve = [...about.curve];
    this.#rollouts = new Map(Object.entries(about.played.rollouts ?? {}));
    this.#episodes = new MonotonicCounter(about.played.episodes);
    this.#steps = new MonotonicCounter(about.played.steps);
    this.#modelRun = new ModelRunTracker(about.spent);
  }

  hear(event: Event): void {
    const { module, at } = event;
    this.#modelRun.hear(event);
    if (event.kind === 'health') {
      const { thing, healthy, message } = event;
      if (healthy) return;
      this.#note({ thing, message, at });
    } else if (event.kind === 'waiting') this.#waits(module, event.reason, event.since);
    else if (event.kind === 'metric') this.#metric(event.name, event.value, at);
  }

  /** Equal problems are one, with a count: a full disk causes hundreds. */
  #note(problem: RunState['problems'][number]): void {
    const isSame = ({ thing, message }: typeof problem) =>
      thing === problem.thing && message === problem.message;
    const before = this.#problems.find(isSame);
    const counted = before === undefined ? problem : { ...problem, count: (before.count ?? 1) + 1 };
    this.#problems = [...this.#problems.filter(each => !isSame(each)), counted].slice(-MAX_PROBLEMS);
  }

  /** Counts a stored trajectory. */
  addTrajectory(trajectory: Pick<Trajectory, 'purpose' | 'instance' | 'outcome'>): void {
    const { task } = trajectory.instance;
    if (trajectory.purpose === 'train') this.#rollouts.set(task, (this.#rollouts.get(task) ?? 0) + 1);
    this.#modelRun.addTrajectory(trajectory);
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

  /** Undefined for the built-in policy. */
  get spent(): Spending | undefined {
    return this.#modelRun.spending;
  }

  /** The last value of each metric, by name. */
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
      ...this.#modelRun.state({
        curve: this.#curve,
        batches: this.#count('queue/depth/batches'),
        isOver: isOver({ status }),
      }),
      // Modules of a run that is over wait for nothing.
      waiting: [...(isOver({ status }) ? [] : this.#waiting)].map(([module, { reason, since }]) => ({
        module,
        reason,
        since,
      })),
      problems: this.#problems,
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
