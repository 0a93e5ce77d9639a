// The ring under a clock that jumps: the real channels, the real cluster, runner and data module, with models of the rest. It writes
// down everything that passes through a channel, and looks after each whether the books are right.

import { setMaxListeners } from 'node:events';
import { CompactAgent } from '../../runtime/agents/compact/compact-agent.ts';
import type { Batch } from '../../runtime/core/batch.ts';
import { sleepUnlessAborted } from '../../runtime/core/clock.ts';
import { desktopId, runId, seed, taskId, version } from '../../runtime/core/ids.ts';
import type { Lesson } from '../../runtime/core/lesson.ts';
import type { Order } from '../../runtime/core/order.ts';
import { seeded } from '../../runtime/core/rng.ts';
import type { TrainingChoice } from '../../runtime/core/trace.ts';
import { type Trajectory, versionSpan } from '../../runtime/core/trajectory.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { ALL_PARTS, type DartState, dartCuration } from '../../runtime/data/curation/dart.ts';
import { Curator, type CuratorState } from '../../runtime/data/curator.ts';
import { Evaluations } from '../../runtime/data/evaluation.ts';
import type { GroupDecision } from '../../runtime/data/files/decision-lines.ts';
import { stalenessOf } from '../../runtime/data/staleness.ts';
import { DesktopPool } from '../../runtime/environments/pool.ts';
import type { WorkQueue } from '../../runtime/fabric/channels.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import { HandOvers } from '../../runtime/rollout/hand-overs.ts';
import { Runner } from '../../runtime/rollout/runner.ts';
import { modelDesktop, modelPolicy, modelTrainer, type Service, taskOf } from './models.ts';
import { type Hooks, watched } from './watched-queue.ts';

export interface Setting {
  readonly seed: number;
  readonly desktops: number;
  readonly versions: number;
  readonly perUpdate: number;
  readonly stepsPerBatch: number;
  readonly maxWaitingBatches: number;
  readonly rollouts: number;
  readonly maxSteps: number;
  readonly tasks: number;
  readonly ahead: number;
  readonly desktop: Service;
  readonly decides: number;
  readonly trains: number;
  /** How often a trajectory cannot be kept. */
  readonly keepBreaks: number;
  /** How often a trajectory comes a second time. */
  readonly comesTwice: number;
  /** Moments at which the trainer dies; another one comes a while later. */
  readonly kills: readonly number[];
  /** The same for the host: desktops and who plays on them. */
  readonly hostKills: readonly number[];
  /** Moments at which a person takes a desktop over for a while. */
  readonly takeOvers: readonly number[];
  /** Instances that are evaluated over and over; 0 for none. */
  readonly evaluates: number;
}

export const RUN = runId('ring');
const TASKS = ['open', 'rename', 'send', 'sum', 'book', 'file', 'call', 'note'];
/** How long another one takes to come, in milliseconds. */
const GONE = 3000;
/** How long a person holds a desktop, in milliseconds. */
const HELD = 2000;

export class Ring {
  readonly clock = new VirtualClock();
  readonly fabric;
  readonly curator: Curator<DartState>;
  readonly evaluations: Evaluations;
  /** Everything that passed, in one line each. */
  readonly log: string[] = [];
  /** Sentences about laws that were broken. */
  readonly broken: string[] = [];
  readonly decided: GroupDecision[] = [];
  readonly batches: Batch[] = [];
  readonly kept = new Map<string, Trajectory>();
  readonly acknowledged: string[] = [];
  readonly measured: string[] = [];
  readonly #setting: Setting;
  readonly #stop = new AbortController();
  #parts: Promise<void>[] = [];

  constructor(setting: Setting, saved?: CuratorState<DartState>) {
    this.#setting = setting;
    const { rollouts, maxSteps, tasks, versions, perUpdate, stepsPerBatch, maxWaitingBatches, ahead } =
      setting;
    const { clock } = this;
    const random = seeded(setting.seed);
    const again = random.fork('again');
    const fabric = embeddedFabric();
    this.fabric = {
      ...fabric,
      orders: this.#watched<Order>('order', fabric.orders, ({ id, purpose }) => `${id} ${purpose}`),
      trajectories: this.#watched<Trajectory>('trajectory', fabric.trajectories, ({ id }) => id, {
        put: trajectory => {
          if (again.next() < setting.comesTwice) void fabric.trajectories.put(trajectory);
        },
        acknowledged: ({ id }) => {
          this.acknowledged.push(id);
          if (!this.kept.has(id)) this.broken.push(`${id} was acknowledged before it was kept`);
        },
      }),
      batches: this.#watched<Batch>('batch', fabric.batches, ({ id }) => id, {
        put: batch => this.#newBatch(batch),
        acknowledged: batch => this.#refuseOld(batch, versions + maxWaitingBatches + 1),
      }),
      lessons: this.#watched<Lesson>('lesson', fabric.lessons, ({ sort, kind }) => `${sort} ${kind}`),
    };
    const maxStepsOf = () => maxSteps;
    const keepRandom = random.fork('keeping');
    const common = { run: RUN, fabric: this.fabric, mode: 'a11y_tree', clock } as const;
    this.evaluations = new Evaluations({ ...common, maxStepsOf, maxOpenOrders: 2 });
    this.curator = new Curator<DartState>(
      {
        ...common,
        keeps: {
          keep: async trajectory => {
            await clock.sleep(keepRandom.int(20));
            if (keepRandom.next() < setting.keepBreaks) throw new Error('the disk is full');
            this.kept.set(trajectory.id, trajectory);
          },
        },
        curation: dartCuration({
          tasks: TASKS.slice(0, tasks).map(taskId),
          seedsOf: () => [seed(1), seed(2), seed(3)],
          maxStepsOf,
          rollouts,
          exploration: 0.05,
          extraExploration: 0.3,
          parts: ALL_PARTS,
        }),
        onEvaluation: trajectory => this.evaluations.receive(trajectory),
        maxStaleness: versions,
        trajectoriesPerBatch: perUpdate,
        trajectoriesAhead: (versions + 1) * perUpdate,
        ...{ stepsPerBatch, maxWaitingBatches, ahead, random, successPool: true },
        needsOf: rates => rates,
        onDecision: decided => this.decided.push(decided),
      },
      saved,
    );
  }

  /** Lets time pass until so many batches have come, or the time is over. */
  async run(batches: number, milliseconds: number): Promise<this> {
    this.#begin();
    const step = 1000;
    while (this.batches.length < batches && this.clock.now() < milliseconds && this.broken.length === 0)
      await this.clock.run(this.clock.now() + step);
    return this;
  }

  async stop(): Promise<CuratorState<DartState>> {
    this.#stop.abort();
    await this.clock.run(this.clock.now() + 100_000);
    await Promise.all(this.#parts);
    await this.fabric.close();
    this.#audit('stop');
    return this.curator.save();
  }

  #begin(): void {
    if (this.#parts.length > 0) return;
    const { trains, kills, hostKills } = this.#setting;
    const { clock, fabric } = this;
    const { signal } = this.#stop;
    setMaxListeners(100, signal);
    this.#parts = [
      this.curator.run(signal),
      this.#lives(hostKills, (life, number) => this.#host(life, number), signal),
      this.#train(life => modelTrainer({ fabric, clock, time: trains }, life), kills, signal),
      this.#evaluate(signal),
    ];
    for (const part of this.#parts) part.catch(error => this.broken.push(`a part ended: ${error}`));
  }

  async #train(
    live: (signal: AbortSignal) => Promise<void>,
    kills: readonly number[],
    signal: AbortSignal,
  ): Promise<void> {
    await this.fabric.weights.set({ version: version(0), blob: new Uint8Array(0) });
    await this.#lives(kills, live, signal);
  }

  async #host(signal: AbortSignal, life: number): Promise<void> {
    const { desktops, desktop, decides, seed: from } = this.#setting;
    const { clock, fabric } = this;
    const random = seeded(from).fork(`world ${life}`);
    const handOvers = new HandOvers();
    const lender = new DesktopPool({
      size: desktops,
      make: async index =>
        modelDesktop(index, { clock, random: random.fork(`${index} ${clock.now()}`) }, desktop),
      ...{ maxEpisodes: 20, maxAgeMs: 600_000, clock },
      health: () => {},
    });
    const runner = new Runner({
      ...{ lender, taskOf, clock, handOvers, trajectories: fabric.trajectories, events: fabric.events },
      orders: fabric.orders.taker(),
      agent: new CompactAgent({ pool: modelPolicy({ fabric, clock, decides }) }),
      sampling: { temperature: 1, exploration: 0 },
      mostAttempts: 2,
      random: random.fork('decisions'),
    });
    const people = this.#setting.takeOvers.map(at => this.#takeOver(at, handOvers, signal));
    await runner.run(signal);
    await Promise.all(people);
    await lender.close();
  }

  /** A person holds the desktop for a while, unless the host ends before. */
  async #takeOver(at: number, handOvers: HandOvers, signal: AbortSignal): Promise<void> {
    const { clock } = this;
    const desktop = desktopId(`d${at % this.#setting.desktops}`);
    try {
      await clock.sleep(at - clock.now(), signal);
      const { lease, episode } = await handOvers.take(desktop, signal);
      this.log.push(`${clock.now()} ${desktop} taken over after ${episode.actions.length} actions`);
      await clock.sleep(HELD, signal);
      lease.release();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** One life after another, until the signal. */
  async #lives(
    kills: readonly number[],
    live: (signal: AbortSignal, number: number) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock } = this;
    const times = [...kills].sort((a, b) => a - b);
    for (const [number, kill] of times.entries()) {
      const life = new AbortController();
      const end = () => life.abort();
      signal.addEventListener('abort', end, { once: true });
      const living = live(life.signal, number);
      await sleepUnlessAborted(clock, kill - clock.now(), signal);
      end();
      await living;
      if (signal.aborted) return;
      await sleepUnlessAborted(clock, GONE, signal);
    }
    await live(signal, kills.length);
  }

  async #evaluate(signal: AbortSignal): Promise<void> {
    const { evaluates } = this.#setting;
    const instances = Array.from({ length: evaluates }, (_, index) => ({
      task: taskId('open'),
      seed: seed(index),
    }));
    while (evaluates > 0 && !signal.aborted) {
      const newest = (await this.fabric.weights.get())?.version ?? version(0);
      const wanted = { version: newest, instances };
      const measured = await this.evaluations.measure(wanted, signal).catch(error => {
        if (!signal.aborted) throw error;
      });
      if (measured === undefined) return;
      const { success, broken } = measured;
      this.measured.push(`${success.successes} of ${success.trials}, ${broken} broken`);
      if (success.trials + broken !== evaluates) this.broken.push('an evaluation lost an episode');
    }
  }

  #watched<T>(
    name: string,
    queue: WorkQueue<T>,
    told: (item: T) => string,
    hooks: Hooks<T> = {},
  ): WorkQueue<T> {
    return watched(queue, hooks, (item, what) => {
      this.log.push(`${this.clock.now()} ${name} ${told(item)} ${what}`);
      this.#audit(`${name} ${told(item)}`);
    });
  }

  #audit(when: string): void {
    // The first words are said while the ring is still being put together.
    if (this.curator === undefined) return;
    const counts = this.curator.counts();
    const { submitted, accepted, filtered, dropped, failed, running } = counts;
    if (
      submitted !== accepted + filtered + dropped + failed + running ||
      Math.min(...Object.values(counts)) < 0
    )
      this.broken.push(`after ${when} the books say ${JSON.stringify(counts)}`);
    const { versions, perUpdate, rollouts } = this.#setting;
    const ahead = running + this.curator.save().untrained;
    if (ahead >= (versions + 1) * perUpdate + rollouts)
      this.broken.push(`after ${when} rollouts are ahead by ${ahead}`);
  }

  #newBatch(batch: Batch): void {
    this.batches.push(batch);
    const { versions, maxWaitingBatches } = this.#setting;
    this.#refuseOld(batch, versions);
    void this.fabric.batches.depth().then(({ waiting }) => {
      if (waiting > maxWaitingBatches) this.broken.push(`${waiting} batches wait for the trainer`);
    });
  }

  /** What trains was ordered for it, is durable, and no more than so many versions old, unless it is a stored success. */
  #refuseOld({ id, groups }: Batch, most: number): void {
    void this.fabric.weights.get().then(newest => {
      for (const { injected, steps } of groups)
        for (const { trajectory, choice } of steps) {
          const from = this.kept.get(trajectory);
          if (from === undefined) this.broken.push(`${trajectory} trains and was never kept`);
          else if (from.purpose !== 'train')
            this.broken.push(`${trajectory} trains and is for ${from.purpose}`);
          else if (injected && isDemonstrated(choice)) continue;
          else if (stalenessOf(versionSpan(from.steps)?.oldest, newest?.version ?? version(0)) > most)
            this.broken.push(`${trajectory} in ${id} is too old`);
        }
    });
  }
}

const isDemonstrated = (choice: TrainingChoice): boolean =>
  choice.kind === 'heads' && choice.decisions.every(({ logProbability }) => logProbability === undefined);
