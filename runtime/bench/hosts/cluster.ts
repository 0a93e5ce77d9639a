// A run of the benchmark with the machines that play for it: this one, and others that have joined over a real broker.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, parseConfig } from '../../config/config.ts';
import { sentenceOf } from '../../core/errors.ts';
import { systemClock } from '../../core/system-clock.ts';
import { STORE_FOLDER } from '../../hosts/nats-folder.ts';
import type { HostState } from '../../protocol/daemon/hosts.ts';
import { moveClock } from '../machine/moved-clock.ts';
import { SmallDisk } from '../machine/small-disk.ts';
import { entry, withTemporaryFolder } from '../training.ts';
import { BenchBroker } from './broker.ts';
import { type HostNote, readNotes } from './host-notes.ts';
import { asEnvironment, type BenchHostSettings, withSettings } from './host-settings.ts';
import { JoinedProcess } from './joined-process.ts';
import type { HostNetwork } from './network.ts';
import { ObservedRun } from './observed-run.ts';
import { SERVICE_MS, type ServiceTime } from './slow-desktop.ts';
import { playingAs } from './visible.ts';

/** Of each host. */
export const DESKTOPS = 8;
/** The streams of a run store much less. */
const DISK_MB = 160;
const PLAYING_TIMEOUT_MS = 300_000;
const POLL_MS = 100;

export interface ClusterOptions {
  /** Hosts beside this machine. */
  readonly joined: number;
  readonly network: HostNetwork;
  readonly say: (text: string) => void;
  /** Of each joined host, and of this machine. */
  readonly desktops?: { readonly joined: number; readonly local: number };
  readonly serviceMs?: ServiceTime;
  /** Hosts record what their desktops perform and what their workers load. */
  readonly hasNotes?: boolean;
  /** The broker has a disk of its own, if this machine can mount one. */
  readonly hasDisk?: boolean;
}

/** The files that hosts and this process share. */
interface ClusterFolders {
  readonly notes: string;
  readonly clocks: string;
}

interface ClusterParts extends ClusterFolders {
  readonly run: ObservedRun;
  readonly broker: BenchBroker;
  readonly disk: SmallDisk | undefined;
}

export class BenchCluster {
  readonly run: ObservedRun;
  readonly broker: BenchBroker;
  readonly network: HostNetwork;
  /** That of the broker's data; absent where none can be mounted. */
  readonly disk: SmallDisk | undefined;
  readonly #options: ClusterOptions;
  readonly #folders: ClusterFolders;
  /** By number; undefined while a host is down. */
  readonly #hosts: (JoinedProcess | undefined)[] = [];
  #endedByThemselves = 0;

  constructor({ run, broker, disk, ...folders }: ClusterParts, options: ClusterOptions) {
    this.run = run;
    this.broker = broker;
    this.disk = disk;
    this.network = options.network;
    this.#options = options;
    this.#folders = folders;
  }

  /** Hosts whose process ended although nobody ended it. */
  get endedByThemselves(): number {
    return this.#endedByThemselves;
  }

  /** The number of joined hosts. */
  get hosts(): number {
    return this.#hosts.length;
  }

  /** The steps of each joined host, by its name in the run. */
  get steps(): ReadonlyMap<string, number> {
    return new Map(this.#joined.map(({ name, steps }) => [name, steps]));
  }

  get #joined(): readonly HostState[] {
    return (this.run.state().hosts ?? []).filter(({ isLocal }) => !isLocal);
  }

  host(host: number): JoinedProcess | undefined {
    return this.#hosts[host];
  }

  /** Its clock is right. */
  async boot(host: number): Promise<void> {
    const name = nameOf(host);
    await this.moveClock(host, 0);
    const { desktops } = this.#options;
    this.#hosts[host] = new JoinedProcess({
      arguments: [entry('bench-join'), this.run.address, name, String(desktops?.joined ?? DESKTOPS)],
      within: this.network.within(host),
      environment: asEnvironment({
        ...settingsOf(this.#options, this.#folders),
        clock: this.#clockOf(host),
      }),
    });
  }

  /** Milliseconds before the right time. */
  moveClock(host: number, aheadMs: number): Promise<void> {
    return moveClock(this.#clockOf(host), aheadMs);
  }

  #clockOf(host: number): string {
    return join(this.#folders.clocks, nameOf(host));
  }

  /** The name in the run under which the host plays now. */
  playingAs(host: number): string | undefined {
    return playingAs(nameOf(host), this.run.state().hosts);
  }

  /** The records of all processes of hosts, also of those that were killed. */
  notes(): Promise<readonly (readonly HostNote[])[]> {
    return readNotes(this.#folders.notes);
  }

  /** As when its machine loses its power. */
  async crash(host: number): Promise<void> {
    const crashed = this.#hosts[host];
    this.#hosts[host] = undefined;
    await crashed?.kill();
  }

  /** Starts hosts again that ended by themselves. */
  async reviveAll(): Promise<void> {
    for (const [host, process] of this.#hosts.entries()) {
      if (process?.hasEnded !== true) continue;
      this.#endedByThemselves += 1;
      this.#options.say(`    host ${host + 1} ended by itself: ${process.said}`);
      await this.boot(host);
    }
  }

  /** Resolves when so many joined hosts have played more than `before`, or after a time in which they should. Returns how many. */
  async havePlayed(wanted: number, before: ReadonlyMap<string, number>): Promise<number> {
    const end = performance.now() + PLAYING_TIMEOUT_MS;
    for (;;) {
      this.run.requireTraining();
      await this.reviveAll();
      const played = this.#joined.filter(
        ({ name, status, steps }) => status === 'playing' && steps > (before.get(name) ?? 0),
      ).length;
      if (played >= wanted || performance.now() > end) return played;
      await systemClock.sleep(POLL_MS);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#hosts.map(host => host?.kill()));
    await this.run.close();
  }
}

const nameOf = (host: number): string => `host${host + 1}`;

const settingsOf = (
  { serviceMs = SERVICE_MS, hasNotes = false }: ClusterOptions,
  { notes }: Pick<ClusterFolders, 'notes'>,
): BenchHostSettings => ({ serviceMs, ...(hasNotes && { notes }) });

/** Everything ends after the work. */
export const withCluster = <T>(
  options: ClusterOptions,
  work: (cluster: BenchCluster) => Promise<T>,
): Promise<T> =>
  withTemporaryFolder(async root => {
    const data = join(root, 'nats');
    const disk = options.hasDisk ? await SmallDisk.mount(join(data, STORE_FOLDER), DISK_MB) : undefined;
    try {
      const broker = await BenchBroker.start(data, options.network.address, options.say);
      try {
        return await withHosts(root, { broker, disk }, options, work);
      } finally {
        await broker.stop();
      }
    } finally {
      await disk?.unmount();
    }
  });

async function withHosts<T>(
  root: string,
  { broker, disk }: Pick<ClusterParts, 'broker' | 'disk'>,
  options: ClusterOptions,
  work: (cluster: BenchCluster) => Promise<T>,
): Promise<T> {
  const { joined, network, say, desktops = { joined: DESKTOPS, local: DESKTOPS } } = options;
  const folders: ClusterFolders = { notes: join(root, 'notes'), clocks: join(root, 'clocks') };
  for (const folder of Object.values(folders)) await mkdir(folder);
  const { url, credentials } = broker;
  const fabric = { kind: 'nats', servers: [url], credentials, listen: `${network.address}:0` } as const;
  const all = desktops.local + joined * desktops.joined;
  return withSettings(settingsOf(options, folders), async () => {
    const run = await ObservedRun.start(root, runConfig(desktops.local, all, fabric), say);
    const cluster = new BenchCluster({ ...folders, run, broker, disk }, options);
    try {
      for (let host = 0; host < joined; host++) await cluster.boot(host);
      const played = await cluster.havePlayed(joined, new Map());
      if (played < joined)
        throw new Error(
          `Only ${played} of ${joined} hosts play after ${PLAYING_TIMEOUT_MS / 1000} s. The last one printed: ${cluster.host(joined - 1)?.said}`,
        );
      return await work(cluster);
    } catch (error) {
      // Closing may take a while, and its own failure would hide this one.
      say(`  failed: ${sentenceOf(error)}`);
      throw error;
    } finally {
      await cluster.close();
    }
  });
}

/** The same run on this machine alone, without a broker. */
export const withSingle = <T>(
  { say, serviceMs }: Required<Pick<ClusterOptions, 'say' | 'serviceMs'>>,
  work: (run: ObservedRun) => Promise<T>,
): Promise<T> =>
  withTemporaryFolder(root =>
    withSettings({ serviceMs }, async () => {
      const run = await ObservedRun.start(root, runConfig(DESKTOPS, DESKTOPS), say);
      try {
        return await work(run);
      } finally {
        await run.close();
      }
    }),
  );

/** Neither the trainer nor the curator limits how many desktops play. */
const runConfig = (local: number, all: number, fabric?: Config['fabric']): Config =>
  parseConfig({
    // Random weights solve some of their instances, so reinforcement learning has something to train.
    suite: { tiers: [1] },
    minutes: 120,
    environments: { desktops: local },
    exploring: { firstSeconds: 0 },
    evaluation: { everySeconds: 7200, instances: 1, lastInstances: 1, desktops: 1 },
    data: { ahead: all, trajectoriesPerBatch: 16, trajectoriesAhead: Math.max(1024, 4 * all) },
    // A stored success would train again on purpose.
    curation: { successPool: false },
    ...(fabric !== undefined && { fabric }),
  });
