// Collects the state of a run from the events of its modules, for display only.

import { COMPACT_AGENT } from '../core/agent.ts';
import type { Event, Module } from '../core/event.ts';
import type { Version } from '../core/ids.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { RolloutCounts } from '../data/rollout-ledger.ts';
import type { Suite } from '../environments/suite.ts';
import type { HostState } from '../protocol/daemon/hosts.ts';
import { type EvaluationPoint, isOver, type RunState } from '../protocol/daemon/state.ts';
import { thinnedCurve } from './curves/thinned-curve.ts';
import { HostRoster } from './joined/host-roster.ts';
import { ModelRunTracker } from './model-run-tracker.ts';
import type { ModulesOptions } from './modules.ts';
import { Rate } from './rate.ts';
import type { Spending } from './spending.ts';

/** The constant part of a run's state, and what it resumes from. */
interface RunDescription extends Pick<RunState, 'run' | 'startedAt' | 'of' | 'about'> {
  readonly tasks: readonly { readonly task: string; readonly tier: number }[];
  /** The points of the curve before the run was resumed; thinned if there were many. */
  readonly curve: readonly EvaluationPoint[];
  /** Their number before they were thinned, if they were. */
  readonly evaluations?: number;
  /** Before the run was resumed. */
  readonly played: Played;
  /** Before the run was resumed; absent for the built-in policy. */
  readonly spent?: Spending;
  readonly desktops: number;
  /** Other machines may join. */
  readonly isShared: boolean;
}

/** The training rollouts so far, without evaluations. */
export interface Played {
  readonly episodes: number;
  readonly steps: number;
  /** Rollouts per task; absent in files of earlier versions. */
  readonly rollouts?: Readonly<Record<string, number>>;
}

/** The points of the curve that this process knows. */
export interface MeasuredPoints {
  /** Points before them, of which it has only a part. */
  readonly before: number;
  readonly points: readonly EvaluationPoint[];
}

/** The oldest problems beyond this are dropped. */
const MAX_PROBLEMS = 50;

export function describeRun(
  { run, config, suite, tasks }: Pick<ModulesOptions, 'run' | 'config' | 'tasks'> & { readonly suite: Suite },
  startedAt: number,
  {
    curve,
    evaluations = curve.length,
    played,
    spent,
  }: Pick<RunDescription, 'curve' | 'evaluations' | 'played' | 'spent'>,
): RunDescription {
  const { kind, desktops } = config.environments;
  const tiers = [...new Set(tasks.map(task => suite.template(task).tier))].sort();
  return {
    ...{ run, startedAt, of: 60 * config.minutes, curve, evaluations, played, desktops },
    isShared: config.fabric.kind !== 'embedded',
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
  readonly #waiting = new Map<Module, { readonly reason: string; readonly since: number }>();
  readonly #rollouts: Map<string, number>;
  /** Since the start of this process. */
  readonly #points: EvaluationPoint[] = [];
  /** Undefined after a new point, until somebody asks. */
  #shown: readonly EvaluationPoint[] | undefined;
  readonly #hosts = new HostRoster();
  readonly #updates = new Rate();
  readonly #modelRun: ModelRunTracker;
  #problems: RunState['problems'] = [];

  constructor(about: RunDescription) {
    this.#about = about;
    this.#shown = [...about.curve];
    this.#rollouts = new Map(Object.entries(about.played.rollouts ?? {}));
    this.#modelRun = new ModelRunTracker(about.spent);
  }

  /** `heardAt`: by the clock of the daemon, which differs from that of a joined host. */
  hear(event: Event, heardAt = event.at): void {
    const { module, host } = event;
    this.#modelRun.hear(event);
    if (event.kind === 'host' || (event.kind === 'metric' && isOfHost(module)))
      this.#hosts.hear(event, heardAt);
    else if (event.kind === 'health') {
      if (!event.healthy)
        this.#note({ thing: thingOn(host, event.thing), message: event.message, at: heardAt });
    } else if (event.kind === 'waiting') {
      // A joined host that waits for an order is no reason for the run to wait.
      if (host === undefined) this.#waits(module, event.reason, event.since);
    } else if (event.kind === 'metric') this.#metric(event.name, event.value, event.at);
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
    this.#points.push(point);
    this.#shown = undefined;
  }

  /** Thinned if it is long. */
  get curve(): readonly EvaluationPoint[] {
    this.#shown ??= thinnedCurve([...this.#about.curve, ...this.#points]);
    return this.#shown;
  }

  get measured(): MeasuredPoints {
    const { curve, evaluations = curve.length } = this.#about;
    return curve.length === evaluations
      ? { before: 0, points: [...curve, ...this.#points] }
      : { before: evaluations, points: this.#points };
  }

  get played(): Played {
    return {
      episodes: this.#about.played.episodes + this.#hosts.episodes,
      steps: this.#about.played.steps + this.#hosts.steps,
      rollouts: Object.fromEntries(this.#rollouts),
    };
  }

  /** Undefined for the built-in policy. */
  get spent(): Spending | undefined {
    return this.#modelRun.spending;
  }

  /** The last value of each metric, by name; of the metrics of hosts, the combined one. */
  metrics(at: number): Readonly<Record<string, number>> {
    return { ...Object.fromEntries(this.#metrics), ...this.#hosts.metrics(at) };
  }

  /** The machines that play for it; empty for a run on one machine. */
  hosts(at: number): readonly HostState[] {
    return this.#hosts.states(at);
  }

  state(now: {
    readonly status: RunState['status'];
    readonly message: string | undefined;
    readonly seconds: number;
    readonly version: Version;
    readonly books: RolloutCounts;
    /** By the clock of the daemon. */
    readonly at: number;
  }): RunState {
    const { run, startedAt, of, about, tasks, isShared } = this.#about;
    const { status, message, seconds, version, books, at } = now;
    const metrics = this.metrics(at);
    const number = (name: string): number => Math.max(0, metrics[name] ?? 0);
    const count = (name: string): number => Math.round(number(name));
    const share = (name: string): number => Math.min(1, number(name));
    const hosts = this.hosts(at);
    const desktops = this.#about.desktops + this.#hosts.joinedDesktops(at);
    const hasJoined = hosts.some(({ isLocal, status }) => !isLocal && status !== 'lost');
    return {
      run,
      status,
      ...(message !== undefined && { message }),
      startedAt,
      seconds,
      of,
      about,
      curve: [...this.curve],
      tasks: tasks.map(({ task, tier }) => {
        const rate = metrics[`success/${task}`];
        return { task, tier, ...(rate !== undefined && { rate }), rollouts: this.#rollouts.get(task) ?? 0 };
      }),
      environments: {
        desktops,
        broken: Math.round(desktops * share('env/broken')),
        occupancy: share('env/occupancy'),
        stepping: share('env/stepping'),
      },
      rollout: {
        workers: count('rollout/workers'),
        utilisation: share('rollout/utilisation'),
        episodes: this.#about.played.episodes + this.#hosts.episodes,
        steps: this.#about.played.steps + this.#hosts.steps,
        episodesPerSecond: this.#hosts.perSecond('episodes', at),
        stepsPerSecond: this.#hosts.perSecond('steps', at),
      },
      data: {
        books,
        queues: {
          orders: count('queue/depth/orders'),
          trajectories: count('queue/depth/trajectories'),
          batches: count('queue/depth/batches'),
          lessons: count('queue/depth/lessons'),
        },
        trainableGroups: count('data/trainable_groups'),
        filteredGroups: count('data/filtered_groups'),
        injections: count('data/pool_injections'),
        staleness: { mean: number('off_policy/mean'), max: number('off_policy/max') },
      },
      trainer: {
        version,
        updates: count('trainer/updates'),
        updatesPerSecond: this.#updates.perSecond,
        utilisation: metrics['trainer/idle_ratio'] !== undefined ? 1 - share('trainer/idle_ratio') : 0,
        ...(metrics['data/kept_steps'] !== undefined && { keptSteps: share('data/kept_steps') }),
        ...(metrics['data/imitated_share'] !== undefined && {
          imitatedShare: share('data/imitated_share'),
        }),
        ...(metrics['data/person_transfer_share'] !== undefined && {
          personTransferShare: share('data/person_transfer_share'),
        }),
        metrics,
      },
      ...this.#modelRun.state({
        curve: this.curve,
        batches: count('queue/depth/batches'),
        isOver: isOver({ status }),
      }),
      ...(isShared && { hosts: [...hosts] }),
      // Modules of a run that is over wait for nothing.
      waiting: [...(isOver({ status }) ? [] : this.#waiting)].map(([module, { reason, since }]) => ({
        // A joined host plays while the daemon's own explores first.
        module: hasJoined && isOfHost(module) ? `${module} on the daemon's machine` : module,
        reason,
        since,
      })),
      problems: this.#problems,
    };
  }

  #metric(name: string, value: number, at: number): void {
    if (!Number.isFinite(value)) return;
    this.#metrics.set(name, value);
    if (name === 'trainer/updates') this.#updates.record(value, at);
  }

  #waits(module: Module, reason: string | undefined, since: number): void {
    if (reason === undefined) this.#waiting.delete(module);
    else this.#waiting.set(module, { reason, since });
  }
}

/** Their metrics and waits are of one host each. */
const isOfHost = (module: Module): boolean => module === 'rollout' || module === 'environments';

/** The desktops of a joined host have its name already. */
const thingOn = (host: string | undefined, thing: string): string =>
  host === undefined || thing.startsWith(`${host}-`) ? thing : `${thing} of ${host}`;
