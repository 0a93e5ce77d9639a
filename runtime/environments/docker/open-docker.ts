// Opens desktops in containers for a run: engines, a fleet of containers, and the tasks of the image. Also inspects an engine for
// `dartboard doctor`.

import { randomBytes } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import { BoundaryError, type Failure, failureOf } from '../../core/failure.ts';
import { thisProcess } from '../../core/process-identity.ts';
import type { DesktopProvider } from '../provider.ts';
import { solverOf } from '../template/solution.ts';
import { addressOf, defaultAddress, type HostEntry, type HostSettings } from './address.ts';
import { type Leftovers, removeLeftovers } from './container-labels.ts';
import { containerSpec, DEFAULT_LIMITS } from './container-spec.ts';
import { DockerDesktop } from './desktop.ts';
import { Fleet } from './fleet.ts';
import { type DockerHost, type EngineFacts, openHost, withHost } from './host.ts';
import { imageDefaults } from './image-defaults.ts';
import { hasImage, IMAGE_KINDS, imageTag, inputsFolder, readInputs } from './images.ts';
import { type ScreenSize, scaleOf } from './screen-size.ts';
import { suiteOfImage } from './tasks/suite.ts';

export interface DockerOptions {
  readonly hosts: readonly HostEntry[];
  /** `small`, `large`, or the tag of an image. */
  readonly image: string;
  readonly memoryMb: number;
  readonly screen: ScreenSize;
  /** Decides how many pixels of the desktop one pixel of a screen covers. */
  readonly agent: 'compact' | 'model';
  readonly spares: number;
  /** The run, as the label of its containers. */
  readonly owner: string;
  readonly settings: HostSettings;
  readonly clock: Clock;
  /** Reports that an engine fails or works again, and what was removed. */
  readonly health: (thing: string, healthy: boolean, message: string) => void;
  /** An episode waits this long for a container while no other episode receives one; by default as long as the start of a desktop. */
  readonly resetTimeoutMs?: number | undefined;
}

const TAKE_TIMEOUT_MS = 60_000;

/**
 * Rejects with a BoundaryError of `provider` if no engine is usable. One usable engine is enough. The others join once they work, except
 * those with a wrong address or unreadable certificates.
 */
export async function openDocker(options: DockerOptions): Promise<DesktopProvider> {
  const { screen, agent, clock, resetTimeoutMs: timeoutMs } = options;
  const { fleet, close } = await openFleet(options);
  const suite = suiteOfImage(options.image);
  const scale = scaleOf(screen, agent);
  const { pace } = imageDefaults(options.image);
  return {
    suite,
    make: async id =>
      new DockerDesktop(id, await fleet.take(), {
        next: () => fleet.take({ timeoutMs }),
        clock,
        scale,
        pace,
      }),
    isScripted: () => true,
    solver: ({ task, seed }) => solverOf(task, suite.made(task, seed).solution),
    close,
  };
}

export interface OpenFleet {
  readonly fleet: Fleet;
  /** Removes all containers. */
  close(): Promise<void>;
}

/** Containers without tasks. Rejects like `openDocker`. */
export async function openFleet(options: Omit<DockerOptions, 'agent'>): Promise<OpenFleet> {
  const { hosts: entries, spares, memoryMb, screen, owner, settings, clock, health } = options;
  const image = await tagFor(options.image);
  const opened = await Promise.allSettled(
    entries.map(async entry => ({
      host: await openHost(addressOf(entry, settings), clock),
      capacity: entry.capacity,
    })),
  );
  const hosts = opened.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []));
  const unopened = entries.flatMap(({ address }, index) => {
    const each = opened[index];
    return each?.status === 'rejected' ? [failureOf(each.reason, 'provider', address)] : [];
  });
  const closeHosts = () => {
    for (const { host } of hosts) host.close();
  };
  try {
    await Promise.any(hosts.map(({ host }) => requireImage(host, image, options.image)));
  } catch (error) {
    closeHosts();
    if (!(error instanceof AggregateError)) throw error;
    throw combine([...unopened, ...error.errors.map(each => failureOf(each, 'provider', 'docker'))]);
  }
  for (const { thing, message } of unopened)
    health(thing, false, `is left out until the next start: ${message}`);
  const { processes } = imageDefaults(options.image);
  const limits = { ...DEFAULT_LIMITS, memory: memoryMb, processes };
  const fleet = new Fleet({
    ...{ hosts, spares, image, owner, clock, health, takeTimeoutMs: TAKE_TIMEOUT_MS, me: thisProcess() },
    spec: (name, labels) => containerSpec({ name, image, labels, limits, screen }),
    id: randomBytes(6).toString('hex'),
  });
  return {
    fleet,
    close: async () => {
      await fleet.close();
      closeHosts();
    },
  };
}

export interface EngineReport extends EngineFacts {
  readonly where: string;
  readonly image: string;
  readonly leftovers: Leftovers;
}

/** Reports on an engine, and removes containers of ended processes. Rejects like `openDocker`. */
export async function inspectEngine(
  entry: HostEntry,
  image: string,
  settings: HostSettings,
  clock: Clock,
): Promise<EngineReport> {
  const tag = await tagFor(image);
  return withHost(addressOf(entry, settings), clock, async host => {
    const facts = await host.facts();
    const leftovers = await removeLeftovers(host, thisProcess());
    await requireImage(host, tag, image);
    return { ...facts, where: host.name, image: tag, leftovers };
  });
}

/** Removes containers of ended processes on the engine of this machine. */
export const cleanDefaultEngine = async (settings: HostSettings, clock: Clock): Promise<Leftovers> =>
  withHost(defaultAddress(settings), clock, host => removeLeftovers(host, thisProcess()));

function combine(failures: readonly Failure[]): BoundaryError {
  const [only, ...others] = failures;
  if (only !== undefined && others.length === 0) return new BoundaryError(only);
  const message = failures.map(({ thing, message }) => `${thing}: ${message}`).join(' ');
  return new BoundaryError({ boundary: 'provider', thing: 'docker', message });
}

async function tagFor(image: string): Promise<string> {
  const kind = IMAGE_KINDS.find(each => each === image);
  return kind === undefined ? image : imageTag(kind, await readInputs(inputsFolder()));
}

async function requireImage(host: DockerHost, tag: string, image: string): Promise<void> {
  if (await hasImage(host, tag)) return;
  const remedy = IMAGE_KINDS.some(kind => kind === image)
    ? `Build it with 'dartboard docker build ${image}', or load it with 'dartboard docker load'.`
    : 'Load it there, or set environments.docker.image to another one.';
  const message = `has no image '${tag}'. ${remedy}`;
  throw new BoundaryError({ boundary: 'provider', thing: host.name, message });
}
