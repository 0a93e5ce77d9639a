// Everything that a seed decides before a simulated run starts: its size, the times of its parts, and its faults.

import { type Random, seeded } from '../../runtime/core/rng.ts';
import type { AdvantageKind } from '../../runtime/data/advantage.ts';

/** A worker dies with its host, a host and a trainer end with their daemon, and all end when the power fails. */
export type Victim = 'worker' | 'host' | 'trainer' | 'daemon' | 'power';

export interface Death {
  readonly victim: Victim;
  /** At this time, or at the disk call or message with this number, counted over all processes. */
  readonly when: 'time' | 'disk' | 'message';
  readonly at: number;
}

/** How often a call fails in this way, from 0 to 1. */
export interface DesktopFaults {
  readonly dies: number;
  readonly hangs: number;
  readonly late: number;
  /** It returns the screen before the action, an impossible screen, or an impossible score. */
  readonly lies: number;
}

export interface DiskFaults {
  readonly failedSyncs: number;
  readonly failedWrites: number;
  /** The disk is full from the first time to the second, in milliseconds since the start. */
  readonly full: readonly [number, number] | undefined;
}

export interface Plan {
  readonly desktops: number;
  readonly workers: number;
  readonly tasks: number;
  readonly rollouts: number;
  readonly maxSteps: number;
  readonly trajectoriesPerBatch: number;
  readonly stepsPerBatch: number;
  readonly trajectoriesAhead: number;
  readonly stalenessUpdates: number;
  readonly batchesAhead: number;
  readonly ahead: number;
  readonly advantages: AdvantageKind;
  readonly publishSeconds: number;
  readonly checkpointSeconds: number;
  /** The store keeps so many trajectories. */
  readonly budget: number;
  /** Mean milliseconds of a call of a desktop, of a decision and of an update. */
  readonly calls: number;
  readonly decides: number;
  readonly updates: number;
  readonly desktop: DesktopFaults;
  readonly disk: DiskFaults;
  /** Hosts that have joined; without one, no orders are leased. */
  readonly joined: number;
  /** How often a call of a joined host is lost, repeated or late. */
  readonly lossyCalls: number;
  readonly deaths: readonly Death[];
  /** Milliseconds since the start after which no new fault begins. */
  readonly calmAfter: number;
}

/** Most runs have those of DART. Filtered ones may use no rollout for long, which looks like a run that stands still. */
const KINDS: readonly AdvantageKind[] = ['steps', 'steps', 'steps', 'rollouts', 'contributions', 'values'];
const CALM_AFTER_MS = [3000, 5000, 10_000] as const;

export function planOf(seed: number): Plan {
  const random = seeded(seed).fork('plan');
  const between = (least: number, most: number) => least + random.int(most - least + 1);
  const oneOf = <T>(...values: readonly [T, ...T[]]): T => values[random.int(values.length)] ?? values[0];
  const calmAfter = oneOf(...CALM_AFTER_MS);
  const trajectoriesPerBatch = between(2, 8);
  return {
    ...{ desktops: between(1, 4), workers: between(1, 2), tasks: between(1, 3) },
    ...{ rollouts: between(2, 5), maxSteps: between(1, 5) },
    ...{ trajectoriesPerBatch, stepsPerBatch: between(5, 60) },
    trajectoriesAhead: trajectoriesPerBatch * between(1, 3),
    ...{ stalenessUpdates: oneOf(2, 4, 8, 40), batchesAhead: between(1, 2), ahead: between(1, 4) },
    advantages: KINDS[seeded(seed).fork('advantages').int(KINDS.length)] ?? 'steps',
    ...{ publishSeconds: oneOf(0, 0.2, 1), checkpointSeconds: oneOf(1, 3, 10) },
    budget: oneOf(30, 1000),
    ...{ calls: between(5, 100), decides: between(2, 40), updates: between(5, 300) },
    desktop: {
      dies: oneOf(0, 0, 0.01, 0.05),
      hangs: oneOf(0, 0, 0.005),
      late: oneOf(0, 0.02),
      lies: oneOf(0, 0, 0.02),
    },
    disk: {
      failedSyncs: oneOf(0, 0, 0.02, 0.1),
      failedWrites: oneOf(0, 0, 0.02),
      full: random.int(4) === 0 ? fullFrom(random, calmAfter) : undefined,
    },
    ...{ joined: oneOf(0, 0, 1, 2), lossyCalls: oneOf(0, 0.02, 0.1) },
    deaths: Array.from({ length: random.int(5) }, () => deathOf(random, calmAfter)),
    calmAfter,
  };
}

const fullFrom = (random: Random, calmAfter: number): readonly [number, number] => {
  const start = random.int(calmAfter);
  return [start, Math.min(calmAfter, start + 500 + random.int(6000))];
};

const VICTIMS = ['worker', 'host', 'trainer', 'trainer', 'daemon', 'power', 'power'] as const;
/** Disk calls and messages of a simulated second, about. */
const PER_SECOND = { disk: 60, message: 300 };

function deathOf(random: Random, calmAfter: number): Death {
  const victim = VICTIMS[random.int(VICTIMS.length)] ?? 'power';
  const when = (['time', 'disk', 'message'] as const)[random.int(3)] ?? 'time';
  const most = when === 'time' ? calmAfter : (calmAfter / 1000) * PER_SECOND[when];
  return { victim, when, at: random.int(Math.ceil(most)) };
}
