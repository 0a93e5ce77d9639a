// One engine: what is asked of it, and what it tells. The only file that knows dockerode. Where an engine is, is told by
// `address.ts`; how bytes get there by `transport.ts`; what a failure means by `requests.ts`.

import { type Duplex, Readable } from 'node:stream';
import type Docker from 'dockerode';
import * as z from 'zod';
import type { Clock } from '../../core/clock.ts';
import { type EngineAddress, formatAddress } from './address.ts';
import { type ContainerSpec, LABEL, withoutProcessors } from './container-spec.ts';
import { type HostEvent, tellEvents, WATCHED } from './engine-events.ts';
import { type Ask, asker, statusOf } from './engine-request.ts';
import { execProcess } from './exec-process.ts';
import type { ExecProcess } from './streams.ts';
import { transportTo } from './transport.ts';

export type { HostEvent } from './engine-events.ts';

export interface FoundContainer {
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly isRunning: boolean;
}

export interface EngineFacts {
  readonly version: string;
  readonly processors: number;
  /** Bytes. */
  readonly memory: number;
  /** Whether its kernel can give a container less than all processors; where it cannot, what asks for that is refused. */
  readonly limitsProcessors: boolean;
}

export interface EngineImage {
  readonly id: string;
  readonly tags: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** Bytes. */
  readonly size: number;
}

export interface BuildOptions {
  readonly tag: string;
  /** Within the context; `Dockerfile` unless said. */
  readonly file?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface DockerHost {
  readonly name: string;
  /** The first process of a container, as it goes on: what it said before is not heard. */
  attach(container: string): Promise<ExecProcess>;
  /** Starts a process in a container. */
  exec(
    container: string,
    command: readonly string[],
    options?: { readonly user?: string },
  ): Promise<ExecProcess>;
  /** Creates a container and starts it; gives its id. Where that fails nothing of it is left, if the engine still answers. */
  create(spec: ContainerSpec): Promise<string>;
  /** Kills it, by id or name, and resolves once it is gone; also where there is none. */
  remove(container: string): Promise<void>;
  /** Those that have all of these labels, running or not. */
  list(labels: Readonly<Record<string, string>>): Promise<readonly FoundContainer[]>;
  /** Tells of Dartboard's containers and of the engine itself until the signal is aborted, and then resolves. */
  events(listener: (event: HostEvent) => void, signal: AbortSignal): Promise<void>;
  facts(): Promise<EngineFacts>;
  /** All that have a tag, or those of one tag. */
  images(tag?: string): Promise<readonly EngineImage[]>;
  /** Builds from a tar of a folder; gives the engine's lines of JSON. */
  build(context: Readable, options: BuildOptions): Promise<Readable>;
  /** Takes images from a tar, packed or not; gives the engine's lines of JSON. */
  load(tar: Readable): Promise<Readable>;
  /** An image as a tar. */
  save(tag: string): Promise<Readable>;
  close(): void;
}

/** Milliseconds. A busy engine may take seconds for what takes a tenth of one when it is idle. */
const PATIENCE = 10_000;
const LONG_PATIENCE = 30_000;
/** What moves whole images begins to answer only when it has them. */
const IMAGE_PATIENCE = 15 * 60_000;

/** Connects nothing yet: that an engine is away is found out by what is asked first. */
export async function openHost(
  address: EngineAddress,
  clock: Clock,
  name = formatAddress(address),
): Promise<DockerHost> {
  const transport = await transportTo(address);
  const docker = await open(transport);
  const ask = asker(name, clock);
  const remove = (id: string) =>
    ask('remove a container', LONG_PATIENCE, abortSignal => removed(docker.getContainer(id), abortSignal));
  const facts = () =>
    ask('ask what it is', PATIENCE, async abortSignal => factsIn(await docker.info({ abortSignal })));
  let limits: boolean | undefined;
  const limitsProcessors = async () => {
    limits ??= (await facts()).limitsProcessors;
    return limits;
  };
  return {
    name,
    attach: id => attached(ask, docker.getContainer(id)),
    exec: (id, command, options = {}) => started(ask, docker.getContainer(id), command, options.user),
    create: async spec => {
      const wanted = (await limitsProcessors()) ? spec : withoutProcessors(spec);
      try {
        return await ask('create a container', LONG_PATIENCE, abortSignal =>
          created(docker, wanted, abortSignal),
        );
      } catch (error) {
        // Where the name is taken, the container of that name is somebody else's.
        if (!isConflict(error)) await remove(spec.name).catch(() => {});
        throw error;
      }
    },
    remove,
    list: labels =>
      ask('list containers', PATIENCE, async abortSignal => {
        const label = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
        return (await docker.listContainers({ all: true, filters: { label }, abortSignal })).map(found);
      }),
    events: (listener, signal) => {
      const ping = async () =>
        void (await ask('ask whether it is there', PATIENCE, abortSignal => docker.ping({ abortSignal })));
      const filters = { type: ['container' as const], event: [...WATCHED], label: [`${LABEL}=1`] };
      const events = () =>
        ask('open the stream of events', PATIENCE, async abortSignal =>
          readable(await docker.getEvents({ filters, abortSignal })),
        );
      return tellEvents({ open: events, ping }, clock, listener, signal);
    },
    facts,
    images: tag =>
      ask('list images', PATIENCE, async abortSignal => {
        const filters = tag === undefined ? {} : { filters: { reference: [tag] } };
        const all = await docker.listImages({ ...filters, abortSignal });
        return all.map(({ Id, RepoTags, Labels, Size }) => ({
          id: Id,
          tags: RepoTags ?? [],
          labels: Labels ?? {},
          size: Size,
        }));
      }),
    build: (context, { tag, file = 'Dockerfile', labels = {} }) =>
      ask('build an image', IMAGE_PATIENCE, async abortSignal => {
        const options = { t: tag, dockerfile: file, labels: { ...labels }, rm: true, forcerm: true };
        return readable(await docker.buildImage(context, { ...options, abortSignal }));
      }),
    load: tar => ask('load an image', IMAGE_PATIENCE, async () => readable(await docker.loadImage(tar))),
    save: tag => ask('save an image', IMAGE_PATIENCE, async () => readable(await docker.getImage(tag).get())),
    close: () => transport.agent.destroy(),
  };
}

/** dockerode takes more than its types tell. */
type Engine = Docker & {
  ping(options: { readonly abortSignal: AbortSignal }): Promise<unknown>;
  info(options: { readonly abortSignal: AbortSignal }): Promise<unknown>;
};

/** It loads slowly, and most commands need none. */
async function open(transport: Docker.DockerOptions): Promise<Engine> {
  const { default: Dockerode } = await import('dockerode');
  return new Dockerode({ ca: undefined, cert: undefined, key: undefined, timeout: undefined, ...transport });
}

async function created(docker: Docker, spec: ContainerSpec, abortSignal: AbortSignal): Promise<string> {
  const container = await docker.createContainer({
    ...structuredClone(spec),
    abortSignal,
  } as Docker.ContainerCreateOptions);
  await container.start({ abortSignal });
  return container.id;
}

async function removed(container: Docker.Container, abortSignal: AbortSignal): Promise<void> {
  const status = await refusal(container.remove({ force: true, v: true, abortSignal }), 404, 409);
  // It goes already, at somebody else's word.
  if (status === 409) await refusal(container.wait({ condition: 'removed', abortSignal }), 404);
}

const isConflict = (error: unknown): boolean => error instanceof Error && statusOf(error.cause) === 409;

/** The status that a request was refused with, where it is one of those expected. */
async function refusal(
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

async function attached(ask: Ask, container: Docker.Container): Promise<ExecProcess> {
  const connections = { stream: true, hijack: true, stdin: true, stdout: true, stderr: true };
  const connection = await ask('talk to a container', LONG_PATIENCE, abortSignal =>
    container.attach({ ...connections, abortSignal }),
  );
  return execProcess(connection as Duplex, async () => undefined);
}

async function started(
  ask: Ask,
  container: Docker.Container,
  command: readonly string[],
  user: string | undefined,
): Promise<ExecProcess> {
  const what = `run '${command[0]}' in a container`;
  const connections = { AttachStdin: true, AttachStdout: true, AttachStderr: true };
  const exec = await ask(what, LONG_PATIENCE, abortSignal =>
    container.exec({
      ...connections,
      Cmd: [...command],
      ...(user !== undefined && { User: user }),
      abortSignal,
    }),
  );
  const connection = await ask(what, LONG_PATIENCE, abortSignal =>
    exec.start({ hijack: true, stdin: true, abortSignal }),
  );
  return execProcess(connection, async () => {
    const { ExitCode } = await ask(what, PATIENCE, abortSignal => exec.inspect({ abortSignal }));
    return ExitCode ?? undefined;
  });
}

const found = ({ Id, Names, Labels, State }: Docker.ContainerInfo): FoundContainer => ({
  id: Id,
  name: Names[0]?.slice(1) ?? '',
  labels: Labels,
  isRunning: State === 'running',
});

const info = z.object({
  ServerVersion: z.string(),
  NCPU: z.number(),
  MemTotal: z.number(),
  CpuCfsQuota: z.boolean().default(true),
});

function factsIn(told: unknown): EngineFacts {
  const { ServerVersion, NCPU, MemTotal, CpuCfsQuota } = info.parse(told);
  return { version: ServerVersion, processors: NCPU, memory: MemTotal, limitsProcessors: CpuCfsQuota };
}

/** dockerode promises less than what it gives: a response of Node's. */
function readable(stream: NodeJS.ReadableStream): Readable {
  return stream instanceof Readable ? stream : Readable.from(stream);
}
