// What a container is created with: its limits, how little it may do, and the labels by which it is known again. Pure.

/** The engine's own words for a container, as far as they are used. */
export interface ContainerSpec {
  readonly name: string;
  readonly Image: string;
  readonly Hostname: string;
  readonly User: string;
  readonly Cmd?: readonly string[];
  readonly OpenStdin: boolean;
  readonly Labels: Readonly<Record<string, string>>;
  readonly HostConfig: HostConfig;
}

export interface HostConfig {
  readonly AutoRemove: boolean;
  readonly CapDrop: readonly string[];
  readonly SecurityOpt: readonly string[];
  readonly ReadonlyRootfs: boolean;
  readonly Tmpfs: Readonly<Record<string, string>>;
  readonly PidsLimit: number;
  readonly Memory: number;
  readonly MemorySwap: number;
  readonly NanoCpus?: number;
  readonly NetworkMode: string;
  readonly IpcMode: string;
  readonly ShmSize: number;
  readonly Init: boolean;
  readonly LogConfig: { readonly Type: string; readonly Config: Readonly<Record<string, string>> };
  readonly Ulimits: readonly { readonly Name: string; readonly Soft: number; readonly Hard: number }[];
}

/** What one desktop may use of its host. */
export interface ContainerLimits {
  /** Megabytes of memory, what it keeps in files included; there is no swap. */
  readonly memory: number;
  /** Processors, also parts of one. */
  readonly processors: number;
  /** Processes and threads together. */
  readonly processes: number;
  /** Megabytes of files, in /tmp and in the home each. */
  readonly files: number;
}

/** A small desktop is idle at 60 MiB and 40 threads; applications need room above that. */
export const DEFAULT_LIMITS: ContainerLimits = { memory: 512, processors: 1, processes: 256, files: 128 };

export interface ContainerOptions {
  readonly name: string;
  readonly image: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly limits?: ContainerLimits;
  /** A network of the engine by its name; without one it reaches nothing. */
  readonly network?: string;
  /** In place of what the image starts. */
  readonly command?: readonly string[];
}

/** The label of all that is ours. */
export const LABEL = 'dartboard';

const MEGABYTE = 1 << 20;
/** The user `desktop` of the image, by number: names can mean anybody in an image. */
export const DESKTOP_USER = '1000:1000';
/** A window's pixels are shared by this memory; Chromium wants more than the engine's 64 MB. */
const SHARED_MEMORY = 128;

export function containerSpec(wanted: ContainerOptions): ContainerSpec {
  const { name, image, labels, limits = DEFAULT_LIMITS, network = 'none', command } = wanted;
  const own = `size=${limits.files}m,uid=1000,gid=1000,mode=0755,nosuid,nodev`;
  return {
    name,
    Image: image,
    Hostname: 'desktop',
    User: DESKTOP_USER,
    ...(command && { Cmd: command }),
    // Its first process is talked to.
    OpenStdin: true,
    Labels: labels,
    HostConfig: {
      AutoRemove: true,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      ReadonlyRootfs: true,
      // Programs are run from there: tasks bring scripts along.
      Tmpfs: { '/tmp': `size=${limits.files}m,mode=1777,nosuid,nodev,exec`, '/home/desktop': `${own},exec` },
      PidsLimit: limits.processes,
      Memory: limits.memory * MEGABYTE,
      // The same as memory: nothing is left for swap.
      MemorySwap: limits.memory * MEGABYTE,
      NanoCpus: Math.round(limits.processors * 1e9),
      NetworkMode: network,
      IpcMode: 'private',
      ShmSize: SHARED_MEMORY * MEGABYTE,
      // The first process is the image's own.
      Init: false,
      LogConfig: { Type: 'none', Config: {} },
      Ulimits: [
        { Name: 'nofile', Soft: 4096, Hard: 4096 },
        { Name: 'core', Soft: 0, Hard: 0 },
      ],
    },
  };
}

/** For an engine that cannot limit them. */
export function withoutProcessors({ HostConfig, ...spec }: ContainerSpec): ContainerSpec {
  const { NanoCpus: _, ...others } = HostConfig;
  return { ...spec, HostConfig: others };
}
