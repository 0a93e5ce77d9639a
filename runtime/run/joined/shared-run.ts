// The daemon's side of a run over several machines: its channels over the broker, its blobs, and the server over which hosts join.

import { join } from 'node:path';
import type { BlobHash, BlobLinks, Blobs } from '../../blobs/blobs.ts';
import { FolderBlobs } from '../../blobs/folder-blobs.ts';
import { S3Blobs } from '../../blobs/s3-blobs.ts';
import { s3KeysIn } from '../../blobs/s3-bucket.ts';
import { type Clock, sleepUnlessAborted } from '../../core/clock.ts';
import { asError, sentenceOf } from '../../core/errors.ts';
import { wallTime } from '../../core/system-clock.ts';
import type { Suite } from '../../environments/suite.ts';
import { ChannelClosed, type Register, type WorkQueue } from '../../fabric/channels.ts';
import type { Fabric } from '../../fabric/fabric.ts';
import { EpochOver } from '../../fabric/nats/broker.ts';
import { daemonAccess, readCredentials } from '../../fabric/nats/credentials.ts';
import { newEpoch } from '../../fabric/nats/names.ts';
import { type NatsFabric, openNatsFabric } from '../../fabric/nats/nats.ts';
import { removeOlderEpochs } from '../../fabric/nats/streams.ts';
import type { BrokerLogins } from '../../hosts/broker-logins.ts';
import { HostServer } from '../../hosts/host-server.ts';
import { openBrokerLogins } from '../../hosts/open-broker-logins.ts';
import { LeaseQueueClosed } from '../../lease/lease.ts';
import type { RunFolders } from '../folders/run-folders.ts';
import type { ModulesOptions } from '../modules.ts';
import type { JoinPoint } from '../run-lifecycle.ts';
import { abandonedEpochs, BLOBS, recordEpoch, removeAbandonedBlobs } from './broker-epochs.ts';
import { type HostDesks, openDesks } from './host-desks.ts';
import { LOCAL_HOST } from './host-roster.ts';
import { HostValues } from './host-values.ts';
import { startFor } from './joined-start.ts';
import { findUnplayedOrders, SentOrders } from './sent-orders.ts';
import { type SentTasks, sendTasks } from './sent-tasks.ts';

export interface SharedRunOptions extends Pick<ModulesOptions, 'run' | 'config' | 'tasks' | 'shape'> {
  readonly suite: Suite;
  /** The folder of the run. */
  readonly folder: string;
  /** Of the workspace. */
  readonly folders: Pick<RunFolders, 'root' | 'unheld' | 'path' | 'isLive'>;
  /** Keeps the secret of the join address, for all runs of the workspace. */
  readonly hostsFolder: string;
  /** Has the key of a store of blobs. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly health: (thing: string, healthy: boolean, message: string) => void;
}

/** Hosts read newest weights within seconds; a trajectory is read once. */
const MAX_BLOB_AGE_MS = 10 * 60_000;
const MAX_BLOBS_BYTES = 2 * 2 ** 30;
const COLLECT_INTERVAL_MS = 30_000;
/** In reports. */
const BLOBS_OF_RUN = 'the blobs of the run';
const FOREIGN_STREAMS = 'streams of another daemon';

/** The blobs of a run, as the daemon manages them. */
interface RunBlobs extends Blobs {
  collect(kept: ReadonlySet<BlobHash>): number | Promise<number>;
  close(): Promise<void>;
}

interface OpenedParts {
  readonly fabric: NatsFabric;
  readonly server: HostServer;
  readonly logins: BrokerLogins;
  readonly blobs: RunBlobs;
  readonly orders: SentOrders;
  readonly desks: HostDesks;
  /** An error for files that cannot be sent. */
  readonly sent: SentTasks | Error | undefined;
}

export class SharedRun {
  readonly fabric: Fabric;
  /** Where other machines join. */
  readonly hosts: JoinPoint;
  readonly #options: SharedRunOptions;
  readonly #server: HostServer;
  readonly #logins: BrokerLogins;
  readonly #blobs: RunBlobs;
  readonly #over = new AbortController();
  readonly #collecting: Promise<void>;
  readonly #desks: Promise<void>;
  readonly #unplayed: Promise<void>;

  private constructor(
    { fabric, server, logins, blobs, orders, desks, sent }: OpenedParts,
    options: SharedRunOptions,
  ) {
    this.#options = options;
    this.fabric = {
      ...{ ...fabric, loans: desks.loans },
      orders: noted(fabric.orders, order => orders.sent(order)),
      trajectories: noted(fabric.trajectories, ({ order }) => orders.finished(order)),
    };
    this.#desks = desks.run(this.#over.signal);
    const over = AbortSignal.any([this.#over.signal, fabric.ended]);
    const completed = () => fabric.completedOrders();
    this.#unplayed = findUnplayedOrders({ ...options, orders, completed }, over);
    this.hosts = server;
    this.#server = server;
    this.#logins = logins;
    this.#blobs = blobs;
    const lasting = sent instanceof Error ? [] : (sent?.blobs ?? []);
    const kept = () => new Set([...fabric.referenced(), ...lasting]);
    this.#collecting = collected(kept, blobs, options, this.#over.signal);
  }

  /** Undefined for a run on one machine. */
  static async open(options: SharedRunOptions): Promise<SharedRun | undefined> {
    const { run, config, folders, hostsFolder, clock, health } = options;
    if (config.fabric.kind === 'embedded') return undefined;
    const { servers, credentials: file, listen } = config.fabric;
    const credentials = file === undefined ? undefined : await readCredentials(file);
    const access = daemonAccess(servers, credentials);
    const epoch = newEpoch();
    const abandoned = await abandonedEpochs(folders, run);
    await removeAbandonedBlobs(folders, abandoned, error =>
      health(BLOBS_OF_RUN, false, `Blobs of an ended run cannot be deleted: ${sentenceOf(error)}`),
    );
    const foreign = await removeOlderEpochs(access, { run, epoch }, abandoned);
    if (foreign.length > 0)
      health(
        FOREIGN_STREAMS,
        false,
        `The broker has ${foreign.length} streams of the run '${run}' that another folder or machine made, such as '${foreign[0]}'. They take its room. If no daemon uses them, delete them with 'nats stream rm'.`,
      );
    await recordEpoch(options.folder, epoch);
    const opened: { close(): Promise<unknown> }[] = [];
    try {
      const older = abandoned.flatMap(each => (each.run === run ? [each.epoch] : []));
      const { blobs, links } = await blobsFor(options, epoch, older);
      opened.push(blobs);
      const sent = await sendTasks(options, blobs).catch(asError);
      let server: HostServer | undefined;
      // A put rejects only when the run ends.
      const unlessOver = (put: Promise<void>) => void put.catch(() => undefined);
      const orders = new SentOrders({
        agent: config.agent,
        replay: order => unlessOver(fabric.orders.put(order)),
        end: rollout => unlessOver(fabric.trajectories.put(rollout)),
        now: () => clock.now(),
      });
      const values = new HostValues({
        ...{ run, mode: config.mode, agent: config.agent, orders, health },
        refused: (host, why) => server?.refuse(host, why),
      });
      const fabric: NatsFabric = await openNatsFabric({
        ...{ access, run, epoch, role: 'daemon', member: 'daemon', guard: values, blobs, clock, health },
      });
      opened.push(fabric);
      void follow(fabric.weights, ({ version }) => values.published(version));
      const desks = openDesks({
        ...{ config, fabric, blobs, clock },
        replied: version => values.published(version),
        desktopsOf: host => server?.desktopsOf(host) ?? 0,
      });
      const logins = await openBrokerLogins({
        ...{ run, epoch, servers, clock, streams: () => fabric.streams() },
        ...(credentials !== undefined && { credentials }),
      });
      opened.push(logins);
      server = await HostServer.open({
        ...{ listen, folder: hostsFolder, run, epoch, reserved: [LOCAL_HOST], logins, blobs, clock, health },
        ...(credentials !== undefined && { credentials }),
        ...(links !== undefined && { links }),
        ...{ posts: desks.posts, gone: desks.gone },
        startFor: ({ host }) => startFor(host, { ...options, ...taskFilesOf(run, sent) }, clock.now()),
      });
      return new SharedRun({ fabric, server, logins, blobs, orders, desks, sent }, options);
    } catch (error) {
      // The first failure counts.
      for (const each of opened.reverse()) await each.close().catch(() => undefined);
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
    await this.#logins.close();
    // A collection may wait for the store.
    const closing = this.#blobs.close().catch(error => {
      const why = `What the run stored is not deleted: ${sentenceOf(error)} Its next start deletes it.`;
      this.#options.health(BLOBS_OF_RUN, false, why);
    });
    await Promise.all([closing, this.#collecting, this.#desks, this.#unplayed]);
  }
}

/** Throws a RangeError that refuses a host, which would lack them. */
function taskFilesOf(run: string, sent: SentTasks | Error | undefined): { readonly taskFiles?: BlobHash } {
  if (sent instanceof Error)
    throw new RangeError(
      `No machine can join the run '${run}': the files of its tasks cannot be sent. ${sentenceOf(sent)}`,
    );
  return sent === undefined ? {} : { taskFiles: sent.list };
}

/** Calls `put` with each item before it is put. */
const noted = <T>(queue: WorkQueue<T>, put: (item: T) => void): WorkQueue<T> => ({
  put: item => {
    put(item);
    return queue.put(item);
  },
  taker: () => queue.taker(),
  depth: () => queue.depth(),
});

/** Until the channels close. */
async function follow<T>(register: Pick<Register<T>, 'watch'>, take: (value: T) => void): Promise<void> {
  try {
    for await (const value of register.watch()) take(value);
  } catch (error) {
    if (!(error instanceof ChannelClosed)) throw error;
  }
}

async function blobsFor(
  { run, config, folder, environment, clock, health }: SharedRunOptions,
  epoch: string,
  older: readonly string[],
): Promise<{ readonly blobs: RunBlobs; readonly links?: BlobLinks }> {
  const limits = { maxBytes: MAX_BLOBS_BYTES, maxAgeMs: MAX_BLOB_AGE_MS, clock };
  const { blobs: store } = config.fabric;
  if (store === undefined)
    return { blobs: await FolderBlobs.open({ folder: join(folder, BLOBS), ...limits }) };
  const blobs = await S3Blobs.open({
    ...{ ...store, keys: s3KeysIn(environment), run, epoch, older, wallTime, ...limits },
    health: (healthy, message) => health(BLOBS_OF_RUN, healthy, message),
  });
  return { blobs, links: blobs };
}

/** Deletes blobs that nobody refers to, until the signal is aborted. A failure is reported, and the deletion repeated. */
async function collected(
  kept: () => ReadonlySet<BlobHash>,
  blobs: RunBlobs,
  { clock, health }: SharedRunOptions,
  over: AbortSignal,
): Promise<void> {
  for (;;) {
    await sleepUnlessAborted(clock, COLLECT_INTERVAL_MS, over);
    if (over.aborted) return;
    try {
      await blobs.collect(kept());
    } catch (error) {
      health(BLOBS_OF_RUN, false, `Old ones cannot be deleted: ${sentenceOf(error)}`);
    }
  }
}
