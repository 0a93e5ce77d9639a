// Modules 1 and 2 in one process: desktops, the runners that play on them, and the policy that decides. Training and evaluation have their
// own desktops and runners and share the workers or servers. Discovery runs beside them. A host that has joined from another machine only
// trains: demonstrations, evaluations and replays of successes are with the host on the machine of the daemon.

import { setMaxListeners } from 'node:events';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { version } from '../../../package.json';
import type { NetworkShape } from '../../agents/compact/network.ts';
import type { Config } from '../../config/config.ts';
import type { PromptedAgent } from '../../config/sections/agents.ts';
import { type Agent, COMPACT_AGENT } from '../../core/agent.ts';
import { type Clock, sleepUnlessAborted } from '../../core/clock.ts';
import type { Desktop } from '../../core/desktop.ts';
import type { Failure } from '../../core/failure.ts';
import { type DesktopId, desktopId, type RunId, type TaskId } from '../../core/ids.ts';
import type { Order } from '../../core/order.ts';
import { ofThisProcess, ProcessorTime } from '../../core/processor-time.ts';
import { type Random, seeded } from '../../core/rng.ts';
import { untilAborted } from '../../core/run-together.ts';
import { Stopwatch } from '../../core/stopwatch.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { SuccessReplay } from '../../discovery/replay/success-replay.ts';
import type { SpentTokens } from '../../endpoints/budget.ts';
import { DesktopPool, type DesktopUse, poolLimits } from '../../environments/pool.ts';
import { trainingSeeds } from '../../environments/suite.ts';
import { type Register, type Taker, unlessClosed } from '../../fabric/channels.ts';
import type { Fabric } from '../../fabric/fabric.ts';
import { Pause } from '../../fabric/pause.ts';
import { HandOvers } from '../../rollout/hand-overs.ts';
import { Runner, type RunnerOptions } from '../../rollout/runner.ts';
import { METRICS_INTERVAL_MS, publishProcessorTime } from '../processor-figures.ts';
import { Allowance } from './allowance.ts';
import { Lending } from './desktop-loans.ts';
import { Display } from './display.ts';
import type { HostDiscovery, HostKind, Teacher } from './host-kind.ts';
import { HostMeter } from './host-meter.ts';
import type { HostPolicy, HostPolicyContext, OpenHostPolicy } from './host-policy.ts';
import { answerQuestions } from './model-answers.ts';
import { Precedence } from './precedence.ts';

/** Plain data from the daemon. */
export interface HostStart {
  readonly run: RunId;
  readonly config: Config;
  readonly tasks: readonly TaskId[];
  readonly shape: NetworkShape;
  /** A run that has not played explores for a while first. */
  readonly isFirst: boolean;
  /** The first weights are trained. */
  readonly isTrained: boolean;
  /** What the servers of a model agent have cost the run so far. */
  readonly spent?: SpentTokens;
  /** The name of a host that has joined; absent on the machine of the daemon. */
  readonly host?: string;
  /** The model agent of the run, on a host that has joined. */
  readonly prompted?: PromptedAgent;
}

export interface HostOptions extends HostStart {
  readonly kind: HostKind;
  readonly fabric: Fabric;
  readonly policy: OpenHostPolicy;
  readonly clock: Clock;
}

const IDLE_MS = 5;
const PRESENCE_INTERVAL_MS = 2000;
/** More than a broker that answers needs. The exit of the process takes further seconds, and its supervisor waits for 20. */
const END_TIMEOUT_MS = 3000;
/** Trajectories that wait for relabelling; the oldest are dropped, since an older policy played them. */
const MAX_UNLABELLED = 64;
/** Discovery pauses while the trainer has so many lessons left. */
const MAX_WAITING_LESSONS = 2000;

export class Host {
  readonly #options: HostOptions;
  readonly #random: Random;
  readonly #policy: HostPolicy;
  readonly #training: DesktopPool;
  readonly #evaluating: DesktopPool;
  readonly #display: Display;
  readonly #handOvers = new HandOvers();
  readonly #precedence: Precedence;
  readonly #lending: Lending;
  readonly #teacher: Teacher;
  readonly #successes: SuccessReplay;
  readonly #meter: HostMeter;
  /** The processor time of desktops, observations and discovery. */
  readonly #time = new ProcessorTime();
  readonly #pause: Pause;
  #rates: Readonly<Record<string, number>> = {};
  /** Trajectories that wait for relabelling, oldest first. */
  #unlabelled: Trajectory[] = [];
  #hasEnoughLessons = false;
  #hasStoppedRun = false;

  constructor(options: HostOptions) {
    const { config, kind, tasks, fabric, policy, clock, host } = options;
    this.#options = options;
    this.#random = seeded(config.seed).fork('host');
    const training = (index: number) => desktopId(host === undefined ? `d${index}` : `${host}-d${index}`);
    const health =
      (module: 'environments' | 'rollout') => (thing: string, healthy: boolean, message: string) =>
        fabric.events.publish({ module, at: clock.now(), kind: 'health', thing, healthy, message });
    const lost = (failure: Failure) => this.#stopRun(failure, health('rollout'));
    this.#policy = policy({ time: this.#time, health: health('rollout'), lost });
    const cluster = (
      name: (index: number) => DesktopId,
      size: number,
      wrap = (desktop: Desktop) => desktop,
    ) =>
      new DesktopPool({
        size,
        make: async index => wrap(await kind.make(name(index), this.#time)),
        ...poolLimits(config.environments),
        clock,
        health: health('environments'),
      });
    this.#display = new Display({
      ...{ watched: fabric.watched, views: fabric.views, clock },
      desktops: () =>
        this.#training.currentUses().map((use, index) => {
          const id = training(index);
          return { id, use: this.#lending.isHeld(id) ? 'held' : use };
        }),
    });
    this.#precedence = new Precedence(clock);
    this.#lending = new Lending({
      ...{ fabric, clock, handOvers: this.#handOvers, uses: () => this.#training.currentUses() },
      idOf: training,
      taskOf: instance => kind.suite.task(instance.task, instance.seed),
      acted: () => this.#precedence.acted(),
    });
    this.#training = cluster(training, config.environments.desktops, desktop =>
      this.#display.recorded(desktop),
    );
    const evaluating = host === undefined ? config.evaluation.desktops : 0;
    this.#evaluating = cluster(index => desktopId(`e${index}`), evaluating);
    const { discovery, relabel, ...teacher } = kind.teacher({
      ...{ config, tasks, fabric, clock, time: this.#time },
      // Each host explores other actions.
      random: host === undefined ? this.#random : this.#random.fork(host),
      ...{ lender: this.#training, size: config.environments.desktops },
      rateOf: task => this.#rates[task],
    });
    // Lessons are for the built-in policy.
    const isTaught = config.agent === COMPACT_AGENT;
    this.#teacher = {
      ...teacher,
      ...(isTaught && relabel && { relabel }),
      ...(isTaught && discovery && { discovery }),
    };
    const { suite } = kind;
    const desktop = kind.replayDesktop?.();
    this.#successes = new SuccessReplay({
      ...{ suite, mode: config.mode, fabric, clock },
      ...(desktop && { desktop }),
      demonstrated: trajectory => this.#teacher.discovery?.observe(trajectory),
    });
    this.#meter = new HostMeter({ events: fabric.events, clock });
    this.#pause = new Pause(fabric.commands, options.run, clock);
  }

  /**
   * Runs until the signal is aborted, and returns unfinished orders to the channels. Orders that cannot be returned then go back when the caller
   * leaves the fabric.
   */
  async run(signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    // Every part and every demonstration listens to it.
    setMaxListeners(0, stop.signal);
    const end = () => stop.abort(signal.reason);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    // A call of a desktop may take minutes. Closing interrupts it.
    stop.signal.addEventListener('abort', () => void this.#closeDesktops(), { once: true });
    const { fabric } = this.#options;
    const follow = async <T>(register: Pick<Register<T>, 'watch'>, take: (value: T) => void) => {
      for await (const value of register.watch(stop.signal)) take(value);
    };
    const shared = [
      follow(fabric.weights, weights => this.#policy.publish(weights)),
      follow(fabric.rates, rates => {
        this.#rates = rates;
      }),
      this.#pause.follow(stop.signal),
      this.#publishMetrics(stop.signal),
      this.#publishPresence(stop.signal),
      this.#display.run(stop.signal),
      this.#live(stop.signal),
      this.#lending.run(stop.signal),
    ];
    const local = () => [
      follow(fabric.evaluated, weights => this.#policy.evaluate(weights)),
      this.#evaluate(stop.signal),
      this.#successes.run(stop.signal),
      this.#repeatLessons(stop.signal),
      answerQuestions(fabric, this.#policy.chat, stop.signal),
    ];
    const failures: unknown[] = [];
    // One that ends ends the others.
    const parts = [...shared, ...(this.#hasJoined ? [] : local())].map(part =>
      part
        .catch((error: unknown) => {
          failures.push(error);
        })
        .finally(() => stop.abort()),
    );
    await this.#ended(parts, stop.signal);
    await Promise.all([this.#closeDesktops(), this.#policy.close()]);
    await this.#options.kind.close();
    if (failures.length > 0 && !signal.aborted) throw failures[0];
  }

  /** Waits only for a while after the stop: calls of channels may wait for a broker that is away. */
  async #ended(parts: readonly Promise<void>[], stop: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const expired = async (): Promise<void> => {
      await untilAborted(stop);
      await sleepUnlessAborted(this.#options.clock, END_TIMEOUT_MS, ended.signal);
    };
    await Promise.race([Promise.all(parts), expired()]);
    ended.abort();
  }

  /** Without it, the run would store one broken trajectory after another until its time is over. */
  #stopRun({ thing, message }: Failure, health: HostPolicyContext['health']): void {
    if (this.#hasStoppedRun) return;
    this.#hasStoppedRun = true;
    const { fabric, run } = this.#options;
    health(thing, false, `Training stopped: ${message} Then resume the run.`);
    unlessClosed(fabric.commands.append({ kind: 'stop', run })).catch(() => {
      // The next failure stops it.
      this.#hasStoppedRun = false;
    });
  }

  async #closeDesktops(): Promise<void> {
    await Promise.all([this.#training.close(), this.#evaluating.close()]);
  }

  get #hasJoined(): boolean {
    return this.#options.host !== undefined;
  }

  /** Demonstrates, then explores, then plays. A trained policy plays while slow demonstrations continue. A joined host plays at once. */
  async #live(stop: AbortSignal): Promise<void> {
    const { fabric, config, isFirst, isTrained } = this.#options;
    // After every start: a restarted trainer has no lessons.
    const demonstrated = this.#hasJoined ? undefined : this.#demonstrate(stop);
    const { discovery } = this.#teacher;
    if (!isTrained || discovery !== undefined) await demonstrated;
    if (isFirst && discovery !== undefined)
      await this.#exploreFor(1000 * config.exploring.firstSeconds, discovery, stop);
    await Promise.all([
      this.#runner(this.#training, fabric.orders.taker(), this.#policy.training, {
        ...{ events: fabric.events, handOvers: this.#handOvers },
      }).run(stop),
      this.#teachBeside(stop),
      demonstrated,
    ]);
  }

  #evaluate(stop: AbortSignal): Promise<void> {
    // Evaluation steps are not rollouts, and the evaluator reports what it waits for.
    const events = { publish: () => undefined };
    const evaluations = this.#options.fabric.evaluations.taker();
    return this.#runner(this.#evaluating, evaluations, this.#policy.evaluating, { events }).run(stop);
  }

  #runner(
    lender: DesktopPool,
    orders: Taker<Order>,
    agent: Agent,
    around: Pick<RunnerOptions, 'events' | 'handOvers'>,
  ): Runner {
    const { kind, config, clock } = this.#options;
    const { temperature, exploration, guided: isGuided, mostAttempts } = config.rollout;
    return new Runner({
      orders,
      trajectories: { put: trajectory => this.#finished(trajectory) },
      ...around,
      lender,
      agent: this.#precedence.behind(agent),
      taskOf: instance => kind.suite.task(instance.task, instance.seed),
      sampling: { temperature, exploration, isGuided },
      mostAttempts,
      ...(kind.inARow !== undefined && { inARow: kind.inARow }),
      clock,
      random: this.#random.fork('decisions'),
    });
  }

  async #finished(trajectory: Trajectory): Promise<void> {
    this.#meter.addTrajectory(trajectory);
    await this.#options.fabric.trajectories.put(trajectory);
    if (trajectory.purpose === 'train' && this.#teacher.relabel !== undefined)
      this.#unlabelled.push(trajectory);
    if (this.#unlabelled.length > MAX_UNLABELLED) this.#unlabelled.shift();
  }

  async #demonstrate(stop: AbortSignal): Promise<void> {
    const { tasks, kind, config, fabric } = this.#options;
    const seeds = trainingSeeds(kind.suite, config.demonstrations);
    const remaining = tasks.flatMap(task => seeds.map(seed => ({ task, seed })));
    const demonstrate = async () => {
      for (let next = remaining.shift(); next !== undefined && !stop.aborted; next = remaining.shift()) {
        const demonstration = await this.#teacher.demonstrate(next, stop);
        if (demonstration !== undefined) await fabric.trajectories.put(demonstration);
        await yieldToOthers();
      }
    };
    await Promise.all(Array.from({ length: this.#teacher.concurrency }, demonstrate));
  }

  async #exploreFor(milliseconds: number, discovery: HostDiscovery, stop: AbortSignal): Promise<void> {
    const { clock, fabric } = this.#options;
    const explored = new Stopwatch(clock);
    explored.start();
    const since = clock.now();
    const reason = 'the first exploration to end';
    fabric.events.publish({ module: 'rollout', at: since, kind: 'waiting', reason, since });
    while (explored.sample() < milliseconds && !stop.aborted) {
      await this.#time.during(() => discovery.exploreOnce());
      await yieldToOthers();
    }
  }

  /** For each trainer that replaces another one. */
  async #repeatLessons(stop: AbortSignal): Promise<void> {
    const { fabric, run } = this.#options;
    for await (const { entry } of fabric.commands.read(0, stop))
      if (entry.kind === 'teach' && entry.run === run) await this.#teacher.repeat?.();
  }

  /** Relabels finished trajectories, and explores for a share of the time. */
  async #teachBeside(stop: AbortSignal): Promise<void> {
    const { clock, config } = this.#options;
    const { discovery, relabel } = this.#teacher;
    if (discovery === undefined && relabel === undefined) return;
    const { searching, otherwise } = config.exploring;
    const allowance = new Allowance(clock.now());
    while (!stop.aborted) {
      await this.#precedence.turn(stop);
      const now = clock.now();
      const share = discovery?.isSearching ? searching : otherwise;
      const finished = this.#unlabelled.shift();
      if (finished !== undefined) await this.#time.during(async () => relabel?.(finished));
      else if (
        discovery !== undefined &&
        !this.#pause.isOn &&
        !this.#hasEnoughLessons &&
        allowance.has(now, share)
      ) {
        await this.#time.during(() => discovery.exploreOnce());
        allowance.spend(clock.now() - now);
      } else await sleepUnlessAborted(clock, IDLE_MS, stop);
      await yieldToOthers();
    }
  }

  async #publishMetrics(stop: AbortSignal): Promise<void> {
    const { clock, fabric } = this.#options;
    while (!stop.aborted) {
      await sleepUnlessAborted(clock, METRICS_INTERVAL_MS, stop);
      this.#hasEnoughLessons = (await fabric.lessons.depth()).waiting >= MAX_WAITING_LESSONS;
      this.#meter.publish(this.#training, this.#policy, this.#teacher.discovery?.steps ?? 0);
      await this.#publishProcessorTime();
    }
  }

  /** For the list of hosts of a run over several machines. */
  async #publishPresence(stop: AbortSignal): Promise<void> {
    const { config, fabric, clock } = this.#options;
    if (config.fabric.kind === 'embedded') return untilAborted(stop);
    while (!stop.aborted) {
      const uses = this.#training.currentUses();
      fabric.events.publish({
        ...{ module: 'rollout', at: clock.now(), kind: 'host', phase: 'playing', version },
        ...{ desktops: uses.length, playing: uses.filter(isPlaying).length },
        workers: this.#policy.account().length,
      });
      await sleepUnlessAborted(clock, PRESENCE_INTERVAL_MS, stop);
    }
  }

  async #publishProcessorTime(): Promise<void> {
    const { fabric, clock } = this.#options;
    publishProcessorTime(fabric.events, 'rollout', clock.now(), {
      desktops: this.#time.seconds,
      host: ofThisProcess(),
      ...(await this.#policy.processorTime()),
    });
  }
}

const isPlaying = (use: DesktopUse): boolean => use === 'stepping' || use === 'waiting';
