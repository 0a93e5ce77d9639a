// The options of a new container: limits, isolation and labels. Pure.

import type Docker from 'dockerode';
import type { ScreenSize } from './screen-size.ts';

export interface ContainerSpec extends Docker.ContainerCreateOptions {
  readonly name: string;
  readonly Labels: Record<string, string>;
  readonly HostConfig: Docker.HostConfig;
}

/** The resources of one desktop. */
export interface ContainerLimits {
  /** Megabytes, files included; there is no swap. */
  readonly memory: number;
  /** CPU cores; may be a fraction. */
  readonly processors: number;
  /** Processes and threads. */
  readonly processes: number;
  /** Megabytes in /tmp and in the home, each. */
  readonly files: number;
}

/** An idle small desktop uses 60 MiB and 40 threads. */
export const DEFAULT_LIMITS: ContainerLimits = { memory: 512, processors: 1, processes: 256, files: 128 };

export interface ContainerOptions {
  readonly name: string;
  readonly image: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly limits?: ContainerLimits;
  /** Default: that of the image's start script, 640x480. */
  readonly screen?: ScreenSize;
}

/** The label of every container that Dartboard creates, and the prefix of its other labels. */
export const LABEL = 'dartboard';

const MEGABYTE = 1 << 20;
/** The user `desktop`. A number, because an image can map a name to any user. */
const DESKTOP_USER = '1000:1000';
/** Windows share their pixels through /dev/shm; Chromium needs more than Docker's default of 64 MB. */
const SHARED_MEMORY_MB = 128;

export function containerSpec(options: ContainerOptions): ContainerSpec {
  const { name, image, labels, limits = DEFAULT_LIMITS, screen } = options;
  const tmpfs = `size=${limits.files}m,nosuid,nodev,exec`;
  return {
    name,
    Image: image,
    Hostname: 'desktop',
    User: DESKTOP_USER,
    // The input of the warden closes with the first connection, so that the container ends with its owner.
    OpenStdin: true,
    StdinOnce: true,
    Labels: { ...labels },
    ...(screen !== undefined && { Env: [`DARTBOARD_SCREEN=${screen}`] }),
    HostConfig: {
      AutoRemove: true,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      ReadonlyRootfs: true,
      // Executable, because tasks bring scripts along.
      Tmpfs: { '/tmp': `${tmpfs},mode=1777`, '/home/desktop': `${tmpfs},uid=1000,gid=1000,mode=0755` },
      PidsLimit: limits.processes,
      Memory: limits.memory * MEGABYTE,
      // Memory and swap together: equal to the memory, so that there is no swap.
      MemorySwap: limits.memory * MEGABYTE,
      NanoCpus: Math.round(limits.processors * 1e9),
      NetworkMode: 'none',
      IpcMode: 'private',
      ShmSize: SHARED_MEMORY_MB * MEGABYTE,
      Init: false,
      LogConfig: { Type: 'none', Config: {} },
      Ulimits: [
        { Name: 'nofile', Soft: 4096, Hard: 4096 },
        { Name: 'core', Soft: 0, Hard: 0 },
      ],
    },
  };
}
