// The daemon's side of a run over several machines: its channels over the broker, its blobs, and the server over which hosts join.

import { join } from 'node:path';
import { FolderBlobs } from '../blobs/folder-blobs.ts';
import { type Clock, sleepUnlessAborted } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import type { Fabric } from '../fabric/fabric.ts';
import { EpochOver } from '../fabric/nats/broker.ts';
import { daemonAccess, readCredentials } from '../fabric/nats/credentials.ts';
import { newEpoch } from '../fabric/nats/names.ts';
import { type NatsFabric, openNatsFabric } from '../fabric/nats/nats.ts';
import { removeOlderEpochs } from '../fabric/nats/streams.ts';
import { HostServer } from '../hosts/host-server.ts';
import { LeaseQueueClosed } from '../lease/lease.ts';
import { LOCAL_HOST } from './host-roster.ts';
import { startFor } from './joined-start.ts';
import type { ModulesOptions } from './modules.ts';
import type { JoinPoint } from './run-lifecycle.ts';

export interface SharedRunOptions extends Pick<ModulesOptions, 'run' | 'config' | 'tasks' | 'shape'> {
  /** The folder of the run. */
  readonly folder: string;
  /** Keeps the secret of the join address, for all runs of the workspace. */
  readonly hostsFolder: string;
  readonly clock: Clock;
  readonly health: (thing: string, healthy: boolean, message: string) => void;
}

/** Hosts read newest weights within seconds; a trajectory is read once. */
const MAX_BLOB_AGE_MS = 10 * 60_000;
const MAX_BLOB_BYTES = 2 * 2 ** 30;
/** In the folder of the run. */
const BLOBS = 'blobs';
const COLLECT_INTERVAL_MS = 30_000;

export class SharedRun {
  readonly fabric: Fabric;
  /** Where other machines join. */
  readonly hosts: JoinPoint;
  readonly #options: SharedRunOptions;
  readonly #server: HostServer;
  readonly #blobs: FolderBlobs;
  readonly #over = new AbortController();
  readonly #collecting: Promise<void>;

  private constructor(fabric: NatsFabric, server: HostServer, blobs: FolderBlobs, options: SharedRunOptions) {
    this.#options = options;
    this.fabric = fabric;
    this.hosts = server;
    this.#server = server;
    this.#blobs = blobs;
    this.#collecting = collected(fabric, blobs, options, this.#over.signal);
  }

  /** Undefined for a run on one machine. */
  static async open(options: SharedRunOptions): Promise<SharedRun | undefined> {
    const { run, config, folder, hostsFolder, clock, health } = options;
    if (config.fabric.kind === 'embedded') return undefined;
    const { servers, credentials: file, listen } = config.fabric;
    const credentials = file === undefined ? undefined : await readCredentials(file);
    const access = daemonAccess(servers, credentials);
    const epoch = newEpoch();
    await removeOlderEpochs(access, { run, epoch });
    const opened: { close(): Promise<unknown> }[] = [];
    try {
      const blobs = await FolderBlobs.open({
        ...{ folder: join(folder, BLOBS), maxBytes: MAX_BLOB_BYTES, maxAgeMs: MAX_BLOB_AGE_MS, clock },
      });
      opened.push(blobs);
      const fabric = await openNatsFabric({
        ...{ access, run, epoch, role: 'daemon', member: 'daemon', blobs, clock, health },
      });
      opened.push(fabric);
      const server = await HostServer.open({
        ...{ listen, folder: hostsFolder, run, epoch, servers, reserved: [LOCAL_HOST], blobs, clock },
        ...(credentials !== undefined && { credentials }),
        startFor: ({ host }) => startFor(host, options, clock.now()),
      });
      return new SharedRun(fabric, server, blobs, options);
    } catch (error) {
      for (const each of opened.reverse()) await each.close();
      throw error;
    }
  }

  /** A daemon whose streams have disappeared cannot continue: only a new epoch has streams again. */
  readonly explain = (error: unknown): unknown => {
    if (!(error instanceof EpochOver || error instanceof LeaseQueueClosed)) return error;
    const { run, config } = this.#options;
    return new Error(
      `The broker at ${config.fabric.servers.join(', ')} has no streams of the run '${run}' any more, or has closed the connection. Check the broker, then resume the run: it makes new streams, and hosts join again.`,
      { cause: error },
    );
  };

  /** Ends the channels too. Hosts then wait until they can join again. */
  async close(): Promise<void> {
    this.#over.abort();
    await this.#server.close();
    await this.fabric.close();
    await this.#collecting;
    await this.#blobs.close();
  }
}

/** Deletes blobs that nobody refers to, until the signal is aborted. A failure is reported, and the deletion repeated. */
async function collected(
  fabric: NatsFabric,
  blobs: FolderBlobs,
  { clock, health }: SharedRunOptions,
  over: AbortSignal,
): Promise<void> {
  for (;;) {
    await sleepUnlessAborted(clock, COLLECT_INTERVAL_MS, over);
    if (over.aborted) return;
    try {
      blobs.collect(fabric.referenced());
    } catch (error) {
      health('the blobs of the run', false, `Old ones cannot be deleted: ${sentenceOf(error)}`);
    }
  }
}
