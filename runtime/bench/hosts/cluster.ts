// A run of the benchmark with the machines that play for it: this one, and others that have joined over a real broker.

import { join } from 'node:path';
import { type Config, parseConfig } from '../../config/config.ts';
import { systemClock } from '../../core/system-clock.ts';
import type { HostState } from '../../protocol/daemon/hosts.ts';
import { withTemporaryFolder } from '../training.ts';
import { BenchBroker } from './broker.ts';
import { JoinedProcess } from './joined-process.ts';
import type { HostNetwork } from './network.ts';
import { ObservedRun } from './observed-run.ts';

/** Of each host. */
export const DESKTOPS = 8;
const PLAYING_TIMEOUT_MS = 120_000;
const POLL_MS = 100;

export interface ClusterOptions {
  /** Hosts beside this machine. */
  readonly joined: number;
  readonly network: HostNetwork;
  readonly say: (text: string) => void;
}

export class BenchCluster {
  readonly run: ObservedRun;
  readonly broker: BenchBroker;
  readonly network: HostNetwork;
  readonly #say: ClusterOptions['say'];
  /** By number; undefined while a host is down. */
  readonly #hosts: (JoinedProcess | undefined)[] = [];
  #endedByThemselves = 0;

  constructor(run: ObservedRun, broker: BenchBroker, { network, say }: ClusterOptions) {
    this.run = run;
    this.broker = broker;
    this.network = network;
    this.#say = say;
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

  boot(host: number): void {
    this.#hosts[host] = new JoinedProcess({
      ...{ address: this.run.address, name: `host${host + 1}`, desktops: DESKTOPS },
      within: this.network.within(host),
    });
  }

  /** As when its machine loses its power. */
  async crash(host: number): Promise<void> {
    const crashed = this.#hosts[host];
    this.#hosts[host] = undefined;
    await crashed?.kill();
  }

  /** Starts hosts again that ended by themselves. */
  reviveAll(): void {
    for (const [host, process] of this.#hosts.entries()) {
      if (process?.hasEnded !== true) continue;
      this.#endedByThemselves += 1;
      this.#say(`    host ${host + 1} ended by itself: ${process.said}`);
      this.boot(host);
    }
  }

  /** Resolves when so many joined hosts have played more than `before`, or after a time in which they should. Returns how many. */
  async havePlayed(wanted: number, before: ReadonlyMap<string, number>): Promise<number> {
    const end = performance.now() + PLAYING_TIMEOUT_MS;
    for (;;) {
      this.run.requireTraining();
      this.reviveAll();
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

/** Everything ends after the work. */
export const withCluster = <T>(
  options: ClusterOptions,
  work: (cluster: BenchCluster) => Promise<T>,
): Promise<T> =>
  withTemporaryFolder(async root => {
    const { joined, network, say } = options;
    const broker = await BenchBroker.start(join(root, 'nats'), network.address);
    try {
      const { url, credentials } = broker;
      const listen = `${network.address}:0`;
      const fabric = { kind: 'nats', servers: [url], credentials, listen } as const;
      const run = await ObservedRun.start(root, runConfig(1 + joined, fabric), say);
      const cluster = new BenchCluster(run, broker, options);
      try {
        for (let host = 0; host < joined; host++) cluster.boot(host);
        const played = await cluster.havePlayed(joined, new Map());
        if (played < joined)
          throw new Error(
            `Only ${played} of ${joined} hosts play after ${PLAYING_TIMEOUT_MS / 1000} s. The last one printed: ${cluster.host(joined - 1)?.said}`,
          );
        return await work(cluster);
      } finally {
        await cluster.close();
      }
    } finally {
      await broker.stop();
    }
  });

/** The same run on this machine alone, without a broker. */
export const withSingle = <T>(
  say: ClusterOptions['say'],
  work: (run: ObservedRun) => Promise<T>,
): Promise<T> =>
  withTemporaryFolder(async root => {
    const run = await ObservedRun.start(root, runConfig(1), say);
    try {
      return await work(run);
    } finally {
      await run.close();
    }
  });

/** Neither the trainer nor the curator limits how many desktops play. */
const runConfig = (hosts: number, fabric?: Config['fabric']): Config =>
  parseConfig({
    // Random weights solve some of their instances, so reinforcement learning has something to train.
    suite: { tiers: [1] },
    minutes: 60,
    environments: { desktops: DESKTOPS },
    exploring: { firstSeconds: 0 },
    evaluation: { everySeconds: 3600, instances: 1, lastInstances: 1, desktops: 1 },
    data: { ahead: hosts * DESKTOPS, trajectoriesPerBatch: 16, trajectoriesAhead: 1024 },
    // A stored success would train again on purpose.
    curation: { successPool: false },
    ...(fabric !== undefined && { fabric }),
  });
