// The simulated worlds of the decoupling and scale benchmarks: numbers of desktops and workers, and durations in milliseconds.

/** A log-normal duration: two thirds lie within a factor of e^spread around the median. */
export interface Spread {
  readonly median: number;
  readonly spread: number;
}

export interface SimulatedWorld {
  readonly name: string;
  readonly desktops: number;
  readonly reset: Spread;
  readonly act: Spread;
  readonly judge: Spread;
  /** This share of actions takes so much longer. */
  readonly hangs: { readonly share: number; readonly lasts: Spread };
  /** Step limit of an episode, and the probability that a decision ends it. */
  readonly maxSteps: number;
  readonly ends: number;
  readonly workers: number;
  /** Largest batch of requests. */
  readonly maxBatch: number;
  /** Batches that a worker queues. */
  readonly holds: number;
  readonly decides: { readonly batch: number; readonly request: number };
  /** Loading new weights, uniformly distributed. */
  readonly loads: { readonly min: number; readonly max: number };
  /** Hardware of the trainer in units of one worker, and the duration of an update: fixed, and per step. */
  readonly trainers: number;
  readonly updates: { readonly update: number; readonly step: number };
  /** Rollouts per group, groups per update; an update never has more rollouts than there are desktops. */
  readonly rollouts: number;
  readonly groups: number;
}

/**
 * The setup of the paper: 180 desktops, seconds per step and per batch, minutes per weight swap. The paper gives no durations. They
 * were chosen so that trainer and workers just keep up with all desktops. The hangs were chosen so that desktops of the coupled
 * baseline are in an episode for 12 % of their time, as in the paper.
 */
export const PAPER: SimulatedWorld = {
  name: 'paper-like',
  desktops: 180,
  // A virtual machine returns to a snapshot.
  reset: { median: 30_000, spread: 0.15 },
  // Two thirds of all steps take 4 to 8 s.
  act: { median: 5_700, spread: 0.34 },
  judge: { median: 5_000, spread: 0.5 },
  // One episode in 75 hangs for about 17 minutes, until it is abandoned.
  hangs: { share: 0.0015, lasts: { median: 1_020_000, spread: 0.3 } },
  // 9.6 steps on average; one episode in twenty reaches the limit.
  maxSteps: 30,
  ends: 1 / 10,
  workers: 4,
  maxBatch: 32,
  holds: 1,
  // A vision-language model: 2 s for one screenshot, 5 s for 32.
  decides: { batch: 1_900, request: 100 },
  loads: { min: 60_000, max: 120_000 },
  trainers: 4,
  // About three minutes for the 1,700 steps of 176 rollouts.
  updates: { update: 20_000, step: 95 },
  rollouts: 8,
  groups: 22,
};

/** The compact policy on a few cores: two workers, and groups of eight rollouts. */
const COMPACT = {
  maxSteps: 30,
  ends: 1 / 12,
  workers: 2,
  maxBatch: 32,
  holds: 2,
  // One core decides one request in 4 ms, 32 in 35 ms.
  decides: { batch: 3, request: 1 },
  loads: { min: 3, max: 8 },
  trainers: 1,
  rollouts: 8,
};

export const DOCKER: SimulatedWorld = {
  ...COMPACT,
  name: 'docker',
  desktops: 16,
  reset: { median: 600, spread: 0.3 },
  // Until the screen settles.
  act: { median: 60, spread: 0.6 },
  judge: { median: 80, spread: 0.5 },
  // A slow dialog.
  hangs: { share: 0.003, lasts: { median: 1_500, spread: 0.5 } },
  // About a second and a quarter for the 178 steps of 16 rollouts.
  updates: { update: 50, step: 6.5 },
  groups: 2,
};

/** Pocket desktops, as in the presets of the product. */
export const POCKET_LATENCY: SimulatedWorld = {
  ...COMPACT,
  name: 'pocket',
  desktops: 32,
  reset: { median: 1.5, spread: 0.5 },
  act: { median: 0.4, spread: 0.8 },
  judge: { median: 0.1, spread: 0.5 },
  // Garbage collection.
  hangs: { share: 0.01, lasts: { median: 8, spread: 0.5 } },
  // About a quarter of a second for the 356 steps of 32 rollouts.
  updates: { update: 10, step: 0.65 },
  groups: 4,
};

/** The same world without hangs. */
export const calm = (world: SimulatedWorld): SimulatedWorld => ({
  ...world,
  name: `${world.name} without hangs`,
  hangs: { ...world.hangs, share: 0 },
});

/** One worker per 250 desktops; an update has the rollouts of two thirds of an episode on all desktops. */
export const fleet = (desktops: number): SimulatedWorld => ({
  ...COMPACT,
  name: `${desktops} desktops`,
  desktops,
  reset: { median: 3_000, spread: 0.3 },
  act: { median: 2_000, spread: 0.5 },
  judge: { median: 500, spread: 0.5 },
  hangs: { share: 0.001, lasts: { median: 30_000, spread: 0.5 } },
  workers: Math.max(2, Math.ceil(desktops / 250)),
  maxBatch: 256,
  // Requests of half a second.
  decides: { batch: 50, request: 2 },
  loads: { min: 100, max: 200 },
  updates: { update: 5_000, step: 0 },
  groups: Math.floor(desktops / 12),
});
