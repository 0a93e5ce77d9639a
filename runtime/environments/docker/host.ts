// One Docker engine. The only file that calls dockerode. address.ts finds the engine, transport.ts connects to it, engine-request.ts sets
// deadlines and explains errors.

import { type Duplex, Readable } from 'node:stream';
import type Docker from 'dockerode';
import * as z from 'zod';
import type { Clock } from '../../core/clock.ts';
import { type EngineAddress, formatAddress } from './address.ts';
import { type ContainerSpec, LABEL } from './container-spec.ts';
import { type HostEvent, WATCHED_ACTIONS, watchEvents } from './engine-events.ts';
import { type EngineRequest, engineRequest, statusOf } from './engine-request.ts';
import { type ByteStream, processStream } from './streams.ts';
import { transportTo } from './transport.ts';

export type { HostEvent } from './engine-events.ts';

export interface FoundContainer {
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly isRunning: boolean;
}

const engineInfo = z.object({
  ServerVersion: z.string(),
  NCPU: z.number(),
  MemTotal: z.number(),
  CpuCfsQuota: z.boolean().default(true),
});

export interface EngineFacts {
  readonly version: string;
  readonly processors: number;
  /** Bytes. */
  readonly memory: number;
  /** False if the kernel cannot limit the CPU share; then the engine rejects a container with such a limit. */
  readonly limitsProcessors: boolean;
}

export interface EngineImage {
  readonly tags: readonly string[];
  /** Bytes. */
  readonly size: number;
}

export interface BuildOptions {
  readonly tag: string;
  /** The Dockerfile, relative to the folder. */
  readonly dockerfile: string;
  readonly labels: Record<string, string>;
  readonly buildargs: Record<string, string>;
}

/** All calls have a deadline and reject with a BoundaryError. */
export interface DockerHost {
  readonly name: string;
  /** Connects to the first process of a container. Its earlier output is not received. */
  attach(container: string): Promise<ByteStream>;
  /** Starts a process in a container. */
  exec(container: string, command: readonly string[], user?: string): Promise<ByteStream>;
  /** Creates and starts a container; returns its id. A failure leaves no container, if the engine still answers. */
  create(spec: ContainerSpec): Promise<string>;
  /** Kills a container by id or name, and resolves once it is gone. A missing container is no error. */
  remove(container: string): Promise<void>;
  /** The containers with all of these labels, running or not. */
  list(labels: Readonly<Record<string, string>>): Promise<readonly FoundContainer[]>;
  /** Emits events of Dartboard's containers and of the engine until the signal is aborted, and then resolves. */
  events(listener: (event: HostEvent) => void, signal: AbortSignal): Promise<void>;
  facts(): Promise<EngineFacts>;
  /** All images with a tag, or those with the given tag. */
  images(tag?: string): Promise<readonly EngineImage[]>;
  /** Builds an image from files of a folder; returns the log as lines of JSON. */
  build(folder: string, files: readonly string[], options: BuildOptions): Promise<Readable>;
  /** Loads images from a tar, plain or gzipped; returns the log as lines of JSON. */
  load(tar: Readable): Promise<Readable>;
  /** Exports an image as a tar. */
  save(tag: string): Promise<Readable>;
  close(): void;
}

/** A busy engine can be a hundred times slower than an idle one. */
const QUERY_TIMEOUT_MS = 10_000;
const CONTAINER_TIMEOUT_MS = 30_000;
/** Calls on whole images answer only when the image is complete. */
const IMAGE_TIMEOUT_MS = 15 * 60_000;
/** Between two pieces of an image, or two lines of a build. */
const IMAGE_IDLE_TIMEOUT_MS = 10 * 60_000;

/** Does not connect yet: the first call finds out whether the engine answers. */
export async function openHost(
  address: EngineAddress,
  clock: Clock,
  name = formatAddress(address),
): Promise<DockerHost> {
  const transport = await transportTo(address);
  const docker = await openDockerode(transport);
  const request = engineRequest(name, clock);
  const remove = (id: string) =>
    request('remove a container', CONTAINER_TIMEOUT_MS, abortSignal =>
      removeContainer(docker.getContainer(id), abortSignal),
    );
  const facts = () =>
    request('query the engine', QUERY_TIMEOUT_MS, async abortSignal => {
      const info = engineInfo.parse(await docker.info({ abortSignal }));
      const { ServerVersion: version, NCPU: processors, MemTotal: memory, CpuCfsQuota } = info;
      return { version, processors, memory, limitsProcessors: CpuCfsQuota };
    });
  /** Starts a transfer, and sets a deadline for each piece of it. */
  const transfer = async (
    what: string,
    start: (abortSignal: AbortSignal) => Promise<NodeJS.ReadableStream>,
  ): Promise<Readable> => {
    const stream = readable(await request(what, IMAGE_TIMEOUT_MS, start));
    const pieces: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
    const next = () => request(what, IMAGE_IDLE_TIMEOUT_MS, () => pieces.next());
    const iterable = { [Symbol.asyncIterator]: () => ({ next }) };
    return Readable.from(iterable).once('close', () => stream.destroy());
  };
  let cachedFacts: EngineFacts | undefined;
  return {
    name,
    attach: id =>
      request('attach to a container', CONTAINER_TIMEOUT_MS, async abortSignal => {
        const streams = { stream: true, hijack: true, stdin: true, stdout: true, stderr: true };
        const connection = await docker.getContainer(id).attach({ ...streams, abortSignal });
        // dockerode's type omits that a hijacked connection is a socket.
        return processStream(connection as Duplex, async () => undefined);
      }),
    exec: (id, command, user) => startProcess(request, docker.getContainer(id), command, user),
    create: async spec => {
      cachedFacts ??= await facts();
      const { NanoCpus, ...unlimited } = spec.HostConfig;
      const HostConfig = cachedFacts.limitsProcessors ? spec.HostConfig : unlimited;
      try {
        return await request('create a container', CONTAINER_TIMEOUT_MS, async abortSignal => {
          const container = await docker.createContainer({ ...spec, HostConfig, abortSignal });
          await container.start({ abortSignal });
          return container.id;
        });
      } catch (error) {
        // After a conflict the container of this name belongs to somebody else. A failed removal is repeated by the check of the pool.
        const isConflict = error instanceof Error && statusOf(error.cause) === 409;
        if (!isConflict) await remove(spec.name).catch(() => undefined);
        throw error;
      }
    },
    remove,
    list: labels =>
      request('list containers', QUERY_TIMEOUT_MS, async abortSignal => {
        const label = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
        const all = await docker.listContainers({ all: true, filters: { label }, abortSignal });
        return all.map(({ Id, Names, Labels, State }) => ({
          id: Id,
          name: Names[0]?.slice(1) ?? '',
          labels: Labels,
          isRunning: State === 'running',
        }));
      }),
    events: (listener, signal) => {
      const ping = async () =>
        void (await request('ping', QUERY_TIMEOUT_MS, abortSignal => docker.ping({ abortSignal })));
      const filters = { type: ['container' as const], event: [...WATCHED_ACTIONS], label: [`${LABEL}=1`] };
      const open = () =>
        request('open the stream of events', QUERY_TIMEOUT_MS, async abortSignal =>
          readable(await docker.getEvents({ filters, abortSignal })),
        );
      return watchEvents({ open, ping }, clock, listener, signal);
    },
    facts,
    images: tag =>
      request('list images', QUERY_TIMEOUT_MS, async abortSignal => {
        const filters = tag === undefined ? {} : { filters: { reference: [tag] } };
        const all = await docker.listImages({ ...filters, abortSignal });
        return all.map(({ RepoTags, Size }) => ({ tags: RepoTags ?? [], size: Size }));
      }),
    build: (folder, files, { tag, ...options }) =>
      transfer('build an image', abortSignal =>
        docker.buildImage(
          { context: folder, src: [...files] },
          { ...options, t: tag, rm: true, forcerm: true, abortSignal },
        ),
      ),
    load: tar => transfer('load an image', () => docker.loadImage(tar)),
    save: tag => transfer('save an image', () => docker.getImage(tag).get()),
    close: () => transport.agent.destroy(),
  };
}

/** Opens an engine for one use. */
export async function withHost<Result>(
  address: EngineAddress,
  clock: Clock,
  use: (host: DockerHost) => Promise<Result>,
): Promise<Result> {
  const host = await openHost(address, clock);
  try {
    return await use(host);
  } finally {
    host.close();
  }
}

/** dockerode's types omit these parameters. */
type Dockerode = Docker & {
  ping(options: { readonly abortSignal: AbortSignal }): Promise<unknown>;
  info(options: { readonly abortSignal: AbortSignal }): Promise<unknown>;
};

/** Loads dockerode on first use: it loads slowly, and most commands do not need it. */
async function openDockerode(transport: Docker.DockerOptions): Promise<Dockerode> {
  const { default: Dockerode } = await import('dockerode');
  return new Dockerode({ ca: undefined, cert: undefined, key: undefined, timeout: undefined, ...transport });
}

async function removeContainer(container: Docker.Container, abortSignal: AbortSignal): Promise<void> {
  const status = await expectStatus(container.remove({ force: true, v: true, abortSignal }), 404, 409);
  // 409: somebody else is removing it.
  if (status === 409) await expectStatus(container.wait({ condition: 'removed', abortSignal }), 404);
}

/** The status of an error response, if it is one of those expected. */
async function expectStatus(
  request: Promise<unknown>,
  ...expected: readonly number[]
): Promise<number | undefined> {
  try {
    await request;
    return undefined;
  } catch (error) {
    const status = statusOf(error);
    if (status === undefined || !expected.includes(status)) throw error;
    return status;
  }
}

async function startProcess(
  request: EngineRequest,
  container: Docker.Container,
  command: readonly string[],
  user: string | undefined,
): Promise<ByteStream> {
  const what = `run '${command[0]}' in a container`;
  const options = { Cmd: [...command], ...(user !== undefined && { User: user }) };
  const [exec, connection] = await request(what, CONTAINER_TIMEOUT_MS, async abortSignal => {
    const streams = { AttachStdin: true, AttachStdout: true, AttachStderr: true };
    const created = await container.exec({ ...options, ...streams, abortSignal });
    return [created, await created.start({ hijack: true, stdin: true, abortSignal })] as const;
  });
  return processStream(connection, async () => {
    const { ExitCode } = await request(what, QUERY_TIMEOUT_MS, abortSignal => exec.inspect({ abortSignal }));
    return ExitCode ?? undefined;
  });
}

/** dockerode's type promises less than the response of Node that it returns. */
const readable = (stream: NodeJS.ReadableStream): Readable =>
  stream instanceof Readable ? stream : Readable.from(stream);
