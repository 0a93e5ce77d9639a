// Desktops in containers, opened for a run: its engines, a fleet of containers on them, and the tasks of the image.

import { randomBytes } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import { BoundaryError, failureOf } from '../../core/failure.ts';
import { thisProcess } from '../../core/process-identity.ts';
import type { DesktopProvider, Solver } from '../provider.ts';
import { addressOf, type HostEntry } from './address.ts';
import { containerSpec, DEFAULT_LIMITS } from './container-spec.ts';
import { openDockerDesktop } from './desktop.ts';
import { Fleet } from './fleet.ts';
import { type DockerHost, type EngineFacts, openHost } from './host.ts';
import type { HostSettings } from './host-settings.ts';
import { hasImage, IMAGE_KINDS, imageTag, inputsFolder, readInputs } from './images.ts';
import { nextAction, SCRIPT_START } from './tasks/solution.ts';
import { DOCKER } from './tasks/suite.ts';

export interface DockerOptions {
  readonly hosts: readonly HostEntry[];
  /** A kind of image that Dartboard brings along, or a tag. */
  readonly image: string;
  readonly memoryMb: number;
  readonly spares: number;
  /** The run, for people who look at a host. */
  readonly owner: string;
  readonly around: HostSettings;
  readonly clock: Clock;
  /** Told when an engine cannot be used, and when it can again. */
  readonly health: (thing: string, healthy: boolean, message: string) => void;
}

/** Milliseconds that an episode waits for a container while nobody is given one: what takes longer is broken. */
const PATIENCE = 60_000;

/**
 * Rejects with a BoundaryError of `provider` where each engine is away or lacks the image. Where one can be used, the others are told
 * as ill, and used once they are well.
 */
export async function openDocker(options: DockerOptions): Promise<DesktopProvider> {
  const { hosts: entries, spares, memoryMb, owner, around, clock, health } = options;
  const image = await tagFor(options.image);
  const hosts = await Promise.all(
    entries.map(async entry => ({
      host: await openHost(addressOf(entry, around), clock),
      capacity: entry.capacity,
    })),
  );
  const closeHosts = () => {
    for (const { host } of hosts) host.close();
  };
  try {
    await Promise.any(hosts.map(({ host }) => refuseWithout(host, image, options.image)));
  } catch (error) {
    closeHosts();
    throw error instanceof AggregateError ? noneOf(error.errors) : error;
  }
  const limits = { ...DEFAULT_LIMITS, memory: memoryMb };
  const fleet = new Fleet({
    ...{ hosts, spares, image, owner, clock, health },
    spec: (name, labels) => containerSpec({ name, image, labels, limits }),
    id: randomBytes(6).toString('hex'),
    me: thisProcess(),
    patience: PATIENCE,
  });
  return {
    suite: DOCKER,
    make: async id => openDockerDesktop(id, await fleet.take(), { next: () => fleet.take(), clock }),
    solver: ({ task, seed }) => solverOf(task, seed),
    close: async () => {
      await fleet.close();
      closeHosts();
    },
  };
}

export interface EngineReport extends EngineFacts {
  readonly where: string;
  readonly image: string;
}

/** What is told of an engine that desktops can be had on. Rejects as `openDocker` does. */
export async function inspectEngine(
  entry: HostEntry,
  image: string,
  around: HostSettings,
  clock: Clock,
): Promise<EngineReport> {
  const tag = await tagFor(image);
  const host = await openHost(addressOf(entry, around), clock);
  try {
    const [facts] = await Promise.all([host.facts(), refuseWithout(host, tag, image)]);
    return { ...facts, where: host.name, image: tag };
  } finally {
    host.close();
  }
}

function noneOf(errors: readonly unknown[]): BoundaryError {
  const failures = errors.map(error => failureOf(error, 'provider', 'docker'));
  const [only, ...others] = failures;
  if (only !== undefined && others.length === 0) return new BoundaryError(only);
  const message = failures.map(({ thing, message }) => `${thing}: ${message}`).join(' ');
  return new BoundaryError({ boundary: 'provider', thing: 'docker', message });
}

async function tagFor(image: string): Promise<string> {
  const kind = IMAGE_KINDS.find(each => each === image);
  return kind === undefined ? image : imageTag(kind, await readInputs(inputsFolder()));
}

async function refuseWithout(host: DockerHost, tag: string, said: string): Promise<void> {
  if (await hasImage(host, tag)) return;
  const remedy = IMAGE_KINDS.some(kind => kind === said)
    ? `make it with 'dartboard docker build ${said}', or load it with 'dartboard docker load'`
    : 'load it there, or name another one';
  throw new BoundaryError({
    boundary: 'provider',
    thing: host.name,
    message: `has no image '${tag}' for desktops: ${remedy}.`,
  });
}

/** Remembers how far the script is. */
function solverOf(task: string, seed: Parameters<typeof DOCKER.made>[1]): Solver {
  const { solution } = DOCKER.made(task, seed);
  let progress = SCRIPT_START;
  return screen => {
    const next = nextAction(task, solution, progress, screen);
    progress = next.progress;
    return next.action;
  };
}
