// Identifies a process in files and container labels, so that other processes can check whether it still
// runs. A pid is not enough: after a restart of the machine, or in a container with few processes, another
// program soon has the same pid.

import { createHash, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, hostname, uptime } from 'node:os';
import { dirname, join } from 'node:path';

export interface ProcessIdentity {
  readonly pid: number;
  /** The machine or container whose pids this pid belongs to. Begins with its host name. */
  readonly place: string;
  /** Identifies one boot of the machine. */
  readonly boot: string;
  /** When the process began; empty if the system does not show it. */
  readonly began: string;
}

/** Sees the processes of one place. */
export interface ProcessObserver {
  readonly place: string;
  readonly boot: string;
  /** Whether a process with this pid runs, and began then if that is known. */
  isAlive(pid: number, began: string): boolean;
}

export type LocalProcess = ProcessIdentity & ProcessObserver;

export const identityOf = ({ pid, place, boot, began }: ProcessIdentity): ProcessIdentity => ({
  ...{ pid, place, boot, began },
});

/** 'elsewhere': a process of another machine or container, which the observer cannot see. */
export type ProcessStatus = 'running' | 'ended' | 'elsewhere';

export function processStatus(
  { pid, place, boot, began }: ProcessIdentity,
  observer: ProcessObserver,
): ProcessStatus {
  if (place !== observer.place) return 'elsewhere';
  return isSameBoot(boot, observer.boot) && observer.isAlive(pid, began) ? 'running' : 'ended';
}

/** A boot that is known only by its time seems to move when the clock is set. */
const MAX_CLOCK_CHANGE_S = 600;

function isSameBoot(one: string, other: string): boolean {
  if (one === other) return true;
  const areTimes = /^\d+$/.test(one) && /^\d+$/.test(other);
  return areTimes && Math.abs(Number(one) - Number(other)) < MAX_CLOCK_CHANGE_S;
}

let local: LocalProcess | undefined;

/** This process. On systems without a machine id, the first call creates the file `~/.dartboard/machine`. */
export function thisProcess(): LocalProcess {
  local ??= {
    ...{ pid: process.pid, began: beginOf(process.pid) },
    ...{ place: placeHere(machineName), boot: bootId(), isAlive },
  };
  return local;
}

/** Sees the processes of this machine or container, and writes nothing. */
export const localObserver = (): ProcessObserver => ({
  ...{ place: placeHere(storedMachineName), boot: bootId(), isAlive },
});

const isAlive = (pid: number, began: string): boolean =>
  exists(pid) && (began === '' || beginOf(pid) === began);

const isLinux = (): boolean => process.platform === 'linux';

function placeHere(nameOf: (folder: string, host: string) => string): string {
  const name = () => nameOf(join(homedir(), '.dartboard'), hostname());
  return isLinux() ? placeOf(hostname(), textOf('/etc/machine-id') || name(), pidNamespace()) : name();
}

/** Enough that two places never have the same hash, and few enough to compare by eye. */
const HASH_DIGITS = 16;

/**
 * Machines can share a host name, containers of one image share a machine id, and each pid namespace counts
 * its own pids. The machine id is hashed, because other users can read the labels of a container.
 */
export function placeOf(host: string, machineId: string, namespace: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([host, machineId, namespace]))
    .digest('hex');
  return `${host} ${hash.slice(0, HASH_DIGITS)}`;
}

/**
 * A random name, stored in a file together with the first host name, because a laptop has another host name
 * in each network.
 */
export function machineName(folder: string, host: string): string {
  const file = machineFile(folder);
  if (textOf(file) === '') createOnce(file, `${host} ${randomUUID()}\n`);
  return storedMachineName(folder, host);
}

const storedMachineName = (folder: string, host: string): string => textOf(machineFile(folder)) || host;

const machineFile = (folder: string): string => join(folder, 'machine');

/** Creates the whole file, unless another process was first. */
function createOnce(file: string, text: string): void {
  const temporary = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(temporary, text);
    try {
      linkSync(temporary, file);
    } finally {
      rmSync(temporary);
    }
  } catch {
    // Another process created the file, or the home folder is not writable. Then the host name has to be
    // enough.
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    // Missing or not readable: callers fall back to something else.
    return '';
  }
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    // Some sandboxes hide /proc.
    return '';
  }
}

/** Linux has an id for each boot; other systems only show since when they run. */
function bootId(): string {
  const id = isLinux() ? textOf('/proc/sys/kernel/random/boot_id') : '';
  return id || String(Math.round(Date.now() / 1000 - uptime()));
}

/**
 * The start time of a process: field 22 of its stat file on Linux. The name in field 2 may contain spaces and
 * brackets. Empty for an ended process (state Z or X) whose parent has not collected its exit status: in a
 * container it may stay for ever.
 */
function beginOf(pid: number): string {
  if (!isLinux()) return '';
  const stat = textOf(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = ''] = fields;
  return ['Z', 'X'].includes(state) ? '' : (fields[19] ?? '');
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
