// Whether a process is still there that left its name behind: in a file, or on a container. Its number alone says little: after a restart
// of the machine, and in a container where numbers are few, another program has it soon; and what has it elsewhere is not seen from here.

import { createHash, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, hostname, uptime } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod';

const isLinux = process.platform === 'linux';
/** A clash is out of the question, and a person can still compare two. */
const DIGITS = 16;

export const presence = z.strictObject({
  pid: z.int().min(1),
  /** Where numbers of processes mean the same: a machine, or a container with processes of its own. Its name for people comes first. */
  place: z.string(),
  /** Which start of the machine it was. */
  boot: z.string(),
  /** When the process began; empty where that cannot be known. */
  began: z.string(),
});

export type Presence = z.infer<typeof presence>;

export const presenceOf = ({ pid, place, boot, began }: Presence): Presence => ({ pid, place, boot, began });

/** Who asks, and how it knows of others. */
export interface Machine extends Presence {
  /** Whether a process of this number is there that began then; where that is empty, whether there is any. */
  isAlive(pid: number, began: string): boolean;
}

export type Whereabouts = 'there' | 'gone' | 'elsewhere';

/** Elsewhere: nobody can tell from here. */
export function whereabouts({ pid, place, boot, began }: Presence, machine: Machine): Whereabouts {
  if (place !== machine.place) return 'elsewhere';
  return sameBoot(boot, machine.boot) && machine.isAlive(pid, began) ? 'there' : 'gone';
}

/** Seconds by which the start of a machine may seem to be another, where it is known by its time: clocks are set. */
const CLOCK_MOVES = 600;

function sameBoot(one: string, other: string): boolean {
  if (one === other) return true;
  const isTime = /^\d+$/.test(one) && /^\d+$/.test(other);
  return isTime && Math.abs(Number(one) - Number(other)) < CLOCK_MOVES;
}

export const thisMachine: Machine = {
  pid: process.pid,
  place: placeName(),
  boot: bootId(),
  began: beginning(process.pid),
  isAlive: (pid, began) => isProcess(pid) && (began === '' || beginning(pid) === began),
};

function placeName(): string {
  const kept = () => placeKept(join(homedir(), '.dartboard'), hostname());
  if (!isLinux) return kept();
  return placeOf(hostname(), textOf('/etc/machine-id') || kept(), readlinkSync('/proc/self/ns/pid'));
}

/**
 * Machines may have the same name, and containers of one image the same id; numbers of processes are those of a namespace. The id of a
 * machine is not for others, who may read the labels of a container.
 */
export function placeOf(name: string, machine: string, namespace: string): string {
  const told = createHash('sha256')
    .update(JSON.stringify([name, machine, namespace]))
    .digest('hex');
  return `${name} ${told.slice(0, DIGITS)}`;
}

/** Drawn once and kept in a file, with the name that the machine has then: it may have another in the next network. */
export function placeKept(folder: string, name: string): string {
  const file = join(folder, 'machine');
  if (textOf(file) === '') keep(file, `${name} ${randomUUID()}\n`);
  return textOf(file) || name;
}

/** Whole or not at all, and only where no other process was first. Where nothing can be kept, names have to do. */
function keep(file: string, text: string): void {
  const own = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(own, text);
    try {
      linkSync(own, file);
    } finally {
      rmSync(own);
    }
  } catch {
    // Whoever asked reads what is there.
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}

/** Linux names each start. */
function bootId(): string {
  if (isLinux) return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return String(Math.round(Date.now() / 1000 - uptime()));
}

/** Field 22 of what Linux tells of a process; the name before it may hold anything, also spaces and brackets. */
function beginning(pid: number): string {
  try {
    const told = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return told.slice(told.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is somebody else's, and there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
