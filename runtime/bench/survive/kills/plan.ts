// The plan of the faults: which process of a run is killed or stalled, how its machine is disturbed, and after which pause. Pure. A fault
// depends only on its name, so it can be repeated alone.

import { at } from '../../../core/at.ts';
import { shuffled } from '../../../core/chance.ts';
import { seeded } from '../../../core/rng.ts';

export const FAULTY_RUNS = ['pocket', 'web', 'docker', 'model'] as const;
export type FaultyRun = (typeof FAULTY_RUNS)[number];

/**
 * A kill is SIGKILL, or the end of a thread; a stall is SIGSTOP, or a thread that never continues. A disturbance is of the whole machine: its
 * disk is full for a while, its clock jumps by an hour, or it is suspended with all processes of the run.
 */
export const PROCESS_FAULT_KINDS = ['kill', 'stall', 'disturb'] as const;
export type ProcessFaultKind = (typeof PROCESS_FAULT_KINDS)[number];

const OF_ALL = ['daemon', 'host', 'trainer', 'index'] as const;
/** `index` is the index thread of the daemon, `endpoint` the process that serves the model and its learner. */
export const VICTIMS = {
  pocket: [...OF_ALL, 'worker'],
  web: [...OF_ALL, 'worker', 'browser'],
  docker: [...OF_ALL, 'worker', 'container'],
  model: [...OF_ALL, 'endpoint'],
} as const satisfies Readonly<Record<FaultyRun, readonly string[]>>;
const MACHINE = ['disk', 'clock', 'machine'] as const;
export type Victim = (typeof VICTIMS)[FaultyRun][number] | (typeof MACHINE)[number];

export const victimsOf = (run: FaultyRun, kind: ProcessFaultKind): readonly Victim[] =>
  kind === 'disturb' ? MACHINE : VICTIMS[run];

export interface ProcessFault {
  readonly run: FaultyRun;
  readonly kind: ProcessFaultKind;
  /** From 0, among the faults of this kind in this run. */
  readonly number: number;
  readonly victim: Victim;
  /** Chooses one of several processes: an integer below 2^16. */
  readonly choice: number;
  /** Milliseconds from the moment when training continues to the fault. */
  readonly afterMs: number;
}

export type FaultCounts = Readonly<Record<ProcessFaultKind, number>>;

const MAX_AFTER_MS = 2500;
const CHOICES = 2 ** 16;

/** The share of one of the runs: the first runs get one more. */
export function shareOf(counts: FaultCounts, run: FaultyRun, runs: readonly FaultyRun[]): FaultCounts {
  const share = (count: number): number =>
    Math.ceil(Math.max(0, count - runs.indexOf(run)) / Math.max(1, runs.length));
  return { kill: share(counts.kill), stall: share(counts.stall), disturb: share(counts.disturb) };
}

/** The faults of each kind are spread evenly. */
export function processFaults(run: FaultyRun, counts: FaultCounts): readonly ProcessFault[] {
  const placed = PROCESS_FAULT_KINDS.flatMap(kind =>
    faultsOfKind(run, kind, counts[kind]).map((fault, index) => ({
      fault,
      place: (index + 1) / (counts[kind] + 1),
    })),
  );
  return placed.toSorted((a, b) => a.place - b.place).map(({ fault }) => fault);
}

/** Each victim has its turn once per round. */
function faultsOfKind(run: FaultyRun, kind: ProcessFaultKind, count: number): readonly ProcessFault[] {
  const random = seeded(`survive ${run} ${kind}`);
  const victims = victimsOf(run, kind);
  const rounds = Array.from({ length: Math.ceil(count / victims.length) }, (_, round) =>
    shuffled(random.fork(`round ${round}`), victims),
  );
  return Array.from({ length: count }, (_, number): ProcessFault => {
    const draw = random.fork(`fault ${number}`);
    const victim = at(rounds.flat(), number);
    return { run, kind, number, victim, choice: draw.int(CHOICES), afterMs: draw.int(MAX_AFTER_MS) };
  });
}

/** 'pocket:kill-3'. */
export const faultName = ({ run, kind, number }: ProcessFault): string => `${run}:${kind}-${number}`;

/** The runs and faults of `--input`: all faults of a run, or the one with this name. */
export function repeatedFaults(
  input: string,
  counts: FaultCounts,
): { readonly run: FaultyRun; readonly faults: readonly ProcessFault[] } {
  const [, name = '', , kindName, number = '0'] = /^([a-z]+)(:([a-z]+)-(\d{1,6}))?$/.exec(input) ?? [];
  const run = FAULTY_RUNS.find(each => each === name);
  const kind = PROCESS_FAULT_KINDS.find(each => each === kindName);
  if (run === undefined || (input !== run && kind === undefined))
    throw new RangeError(
      `--input is '${input}'. Give a kind of run (${FAULTY_RUNS.join(', ')}), or one of its faults, such as pocket:kill-3.`,
    );
  if (kind === undefined) return { run, faults: processFaults(run, counts) };
  return { run, faults: faultsOfKind(run, kind, Number(number) + 1).slice(-1) };
}
