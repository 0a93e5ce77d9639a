// Real processes, real files: the trainer, a worker, the host and the daemon itself are killed at random moments, and the run goes on.
// Nothing that was acknowledged is lost. Needs the bundle that `npm test` builds first.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { shuffled } from '../../runtime/core/chance.ts';
import { runId, trajectoryId } from '../../runtime/core/ids.ts';
import { type Random, seeded } from '../../runtime/core/rng.ts';
import { CHECKPOINTS, RunFolders } from '../../runtime/run/folders/run-folders.ts';
import { opened } from '../data/open-stores.ts';
import { folder } from '../data/trajectories.ts';
import {
  below,
  called,
  Daemon,
  type DaemonOptions,
  daemonProgram,
  type Process,
  processes,
} from './training.ts';

const KILLS = 20;
const KILLS_OF_A_RUN = 10;
const VICTIMS = ['trainer', 'worker', 'host', 'daemon'] as const;
/** Milliseconds from when all goes well to a kill, at most; and from a start to one that comes while it is still starting. */
const LATEST = 2500;
const EARLY = 1500;

const CONFIG = {
  suite: { tasks: ['settings-theme', 'files-rename', 'mail-forward'] },
  minutes: 60,
  environments: { desktops: 4 },
  exploring: { firstSeconds: 1 },
  trainer: { publishSeconds: 0.5, checkpointMinutes: 0.03 },
  evaluation: { everySeconds: 600, instances: 1, lastInstances: 1, desktops: 2 },
};
/** Of training that a kill of the daemon may cost: the state of a run is kept every two seconds. */
const LOST_SECONDS = 5;

const runs = Array.from({ length: Math.ceil(KILLS / KILLS_OF_A_RUN) }, (_, run) => ({
  name: `run ${run}`,
  kills: Math.min(KILLS_OF_A_RUN, KILLS - run * KILLS_OF_A_RUN),
}));

test.each(runs)(
  '$name continues after any process is killed, and loses nothing that was acknowledged',
  async ({ name, kills }) => {
    const random = seeded(`kills of ${name}`);
    const root = folder();
    const life = new Life({ ...(await daemonProgram()), root }, random);

    const left: (typeof VICTIMS)[number][] = [];
    while (left.length < kills) left.push(...shuffled(random, VICTIMS));
    await life.begin();
    for (const victim of left.slice(0, kills)) {
      await setTimeout(random.int(LATEST));
      if (victim === 'daemon') await life.killDaemon();
      else await life.kill(victim);
    }
    await life.end();

    const { runs: found, damaged } = await new RunFolders(root).list();
    expect(damaged).toEqual([]);
    expect(found).toMatchObject([{ run: life.run, status: 'ended', canResume: true }]);
    const { store, notices } = await opened({ root });
    expect(notices).toEqual([]);
    expect(life.kept.size).toBeGreaterThan(kills);
    for (const id of life.kept) expect((await store.read(trajectoryId(id))).id).toBe(id);
  },
);

/** A run over several daemons. */
class Life {
  readonly kept = new Set<string>();
  run = '';
  readonly #options: DaemonOptions;
  readonly #random: Random;
  readonly #seen = new Map<number, Process>();
  #daemon: Daemon;

  constructor(options: DaemonOptions, random: Random) {
    this.#options = options;
    this.#random = random;
    this.#daemon = this.#start({ config: CONFIG });
    onTestFinished(() => this.#daemon.kill());
  }

  async begin(): Promise<void> {
    this.run = await this.#daemon.says('began');
    await this.#daemon.goesOn();
  }

  /** Its place is taken by another one, which works. */
  async kill(name: 'trainer' | 'worker' | 'host'): Promise<void> {
    const { pid } = this.#process(name) ?? {};
    if (pid === undefined) throw new Error(`There is no ${name} to kill.`);
    process.kill(pid, 'SIGKILL');
    const isReplaced = () => ![undefined, pid].includes(this.#process(name)?.pid);
    await this.#daemon.until(`there was another ${name}`, isReplaced);
    await this.#daemon.goesOn();
  }

  /** Another one goes on with the run. That may be killed too, while it is still starting. */
  async killDaemon(): Promise<void> {
    const seconds = this.#daemon.state?.seconds ?? 0;
    const checkpoint = this.#newest();
    await this.#killed();
    if (this.#random.next() < 0.5) {
      this.#daemon = this.#start({ run: this.run });
      await setTimeout(this.#random.int(EARLY));
      await this.#killed();
    }
    this.#daemon = this.#start({ run: this.run });
    expect(await this.#daemon.says('found')).toBe(
      `${this.run} failed ${checkpoint > 0 || this.#newest() > 0}`,
    );
    await this.#daemon.goesOn();
    expect(this.#daemon.state?.trainer.version).toBeGreaterThanOrEqual(checkpoint);
    expect(this.#daemon.state?.seconds).toBeGreaterThanOrEqual(seconds - LOST_SECONDS);
  }

  /** Stopped as by its user, it leaves no process behind, and nobody waits for anything. */
  async end(): Promise<void> {
    this.#process('');
    await this.#daemon.stop();
    this.#took();
    expect(this.#daemon.said).toContain('closed');
    expect(this.#daemon.state).toMatchObject({ status: 'ended', waiting: [] });
    const isLeft = ({ pid, command }: Process) => this.#seen.get(pid)?.command === command;
    await expect.poll(() => processes().filter(isLeft)).toEqual([]);
  }

  /** There are new versions, and more trajectories. */
  #start(options: Pick<DaemonOptions, 'config' | 'run'>): Daemon {
    return new Daemon({ ...this.#options, ...options });
  }

  async #killed(): Promise<void> {
    this.#process('');
    await this.#daemon.kill();
    this.#took();
  }

  #took(): void {
    for (const id of this.#daemon.kept) this.kept.add(id);
    expect(this.#daemon.broken).toEqual([]);
  }

  #process(name: string): Process | undefined {
    const all = below(this.#daemon.pid);
    for (const each of all) this.#seen.set(each.pid, each);
    return called(all, name);
  }

  /** The version of the newest checkpoint; 0 where there is none. */
  #newest(): number {
    const names = readdirSync(join(this.#options.root, runId(this.run)), {
      recursive: true,
      encoding: 'utf8',
    });
    const numbers = names.map(each => /checkpoint-(\d+)\.safetensors$/.exec(each)?.[1] ?? 0);
    expect(names).toContain(CHECKPOINTS);
    return Math.max(0, ...numbers.map(Number));
  }
}
