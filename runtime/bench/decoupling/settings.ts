// The worlds that schedules are compared in: how long everything takes, and how many there are of each. All times are in
// milliseconds. Numbers only: what is done with them is told in models.ts and trial.ts.

/** A log-normal time: half of all are shorter than `median`, two thirds within a factor of e^spread. */
export interface Spread {
  readonly median: number;
  readonly spread: number;
}

export interface Setting {
  readonly name: string;
  readonly desktops: number;
  /** Brings an instance's start about. */
  readonly reset: Spread;
  readonly act: Spread;
  readonly judge: Spread;
  /** Now and then something hangs until somebody notices: this share of all acts, for so much longer. */
  readonly hangs: { readonly share: number; readonly lasts: Spread };
  /** The most steps of an episode, and how likely each decision is to end it before. */
  readonly maxSteps: number;
  readonly ends: number;
  readonly workers: number;
  /** Requests of a batch at the most, batches that a worker holds, and what deciding a batch takes. */
  readonly most: number;
  readonly holds: number;
  readonly decides: { readonly batch: number; readonly request: number };
  /** New weights, anywhere between the two. */
  readonly loads: { readonly least: number; readonly most: number };
  /** The trainer, as so many workers' worth of hardware, and what an update takes. */
  readonly trainers: number;
  readonly updates: { readonly update: number; readonly step: number };
  /** Rollouts of a group, and groups of an update. One update's worth is never more than there are desktops. */
  readonly rollouts: number;
  readonly groups: number;
}

/**
 * Like the paper's: 180 desktops that take seconds for a step, workers that take seconds for a batch and minutes for new weights.
 * The paper gives no service times. What is free was chosen so that the trainer and the workers keep up with all desktops at work,
 * with as little to spare as one would buy; and the tail (how often something hangs, how long) so that the desktops
 * of the coupled baseline hold an episode for about the 12 % of their time that the paper has measured.
 */
export const PAPER: Setting = {
  name: 'paper-like',
  desktops: 180,
  // A virtual machine goes back to a snapshot.
  reset: { median: 30_000, spread: 0.15 },
  // Two thirds of all steps take 4 to 8 s.
  act: { median: 5_700, spread: 0.34 },
  judge: { median: 5_000, spread: 0.5 },
  // An application that does not answer, until it is given up: in one of 75 episodes, for a quarter of an hour and more.
  hangs: { share: 0.0015, lasts: { median: 1_020_000, spread: 0.3 } },
  // 9.6 steps on average; one episode in twenty takes all 30.
  maxSteps: 30,
  ends: 1 / 10,
  workers: 4,
  most: 32,
  holds: 1,
  // A model of some billions of weights reads screenshots: 2 s for one, 5 s for 32.
  decides: { batch: 1_900, request: 100 },
  loads: { least: 60_000, most: 120_000 },
  trainers: 4,
  // About three minutes for the 1,700 steps of 176 rollouts.
  updates: { update: 20_000, step: 95 },
  rollouts: 8,
  groups: 22,
};

/** Containers with real applications, and the compact policy on a few cores. */
export const DOCKER: Setting = {
  name: 'docker',
  desktops: 16,
  // One from the warm pool takes the place of the last.
  reset: { median: 600, spread: 0.3 },
  // Until the screen has settled.
  act: { median: 60, spread: 0.6 },
  judge: { median: 80, spread: 0.5 },
  // A dialogue that takes its time.
  hangs: { share: 0.003, lasts: { median: 1_500, spread: 0.5 } },
  maxSteps: 30,
  ends: 1 / 12,
  workers: 2,
  most: 32,
  holds: 2,
  // What a batch of the compact policy takes on one core.
  decides: { batch: 3, request: 1 },
  loads: { least: 3, most: 8 },
  trainers: 1,
  // About a second and a quarter for the 178 steps of 16 rollouts.
  updates: { update: 50, step: 6.5 },
  rollouts: 8,
  groups: 2,
};

/** Desktops within the process, as in the product's own presets. */
export const POCKET_LATENCY: Setting = {
  name: 'pocket',
  desktops: 32,
  reset: { median: 1.5, spread: 0.5 },
  act: { median: 0.4, spread: 0.8 },
  judge: { median: 0.1, spread: 0.5 },
  // The collector of garbage.
  hangs: { share: 0.01, lasts: { median: 8, spread: 0.5 } },
  maxSteps: 30,
  ends: 1 / 12,
  workers: 2,
  most: 32,
  holds: 2,
  decides: { batch: 3, request: 1 },
  loads: { least: 3, most: 8 },
  trainers: 1,
  // About a quarter of a second for the 356 steps of 32 rollouts.
  updates: { update: 10, step: 0.65 },
  rollouts: 8,
  groups: 4,
};

/** A fleet for `desktops`: one worker serves 250 of them, and one update takes what they roll out in two thirds of an episode. */
export const fleet = (desktops: number): Setting => ({
  name: `${desktops} desktops`,
  desktops,
  reset: { median: 3_000, spread: 0.3 },
  act: { median: 2_000, spread: 0.5 },
  judge: { median: 500, spread: 0.5 },
  hangs: { share: 0.001, lasts: { median: 30_000, spread: 0.5 } },
  maxSteps: 30,
  ends: 1 / 12,
  workers: Math.max(2, Math.ceil(desktops / 250)),
  most: 256,
  holds: 2,
  // As many requests as come in half a second.
  decides: { batch: 50, request: 2 },
  loads: { least: 100, most: 200 },
  trainers: 1,
  updates: { update: 5_000, step: 0 },
  rollouts: 8,
  groups: Math.floor(desktops / 12),
});
