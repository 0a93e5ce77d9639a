// The recipes of the presets: the numbers that determine how a run learns. The sections explain each of them.

import { OBJECTIVE } from '../agents/compact/objective.ts';
import { NO_SHAPING } from '../data/reward-shaping.ts';
import type { Config } from './shape.ts';

export interface Recipe {
  readonly desktops: number;
  readonly rollouts: number;
  readonly stepsPerBatch: number;
  readonly drawing: Pick<Config['rollout'], 'temperature' | 'exploration' | 'daring' | 'guided'>;
  readonly exploring: Config['exploring'];
  readonly trainer: Config['trainer'];
}

const PER_TOKEN = { importance: 'token', ratio: 'token' } as const;

/** For desktops whose state cannot be copied. Relabelling by what an agent sees is not measured yet. */
export const NO_EXPLORING: Config['exploring'] = {
  ...{ firstSeconds: 0, searching: 0, otherwise: 0 },
  ...{ novelty: false, hindsight: false, analogy: false },
};

/** From random weights, without demonstrations. */
export const SCRATCH: Recipe = {
  desktops: 32,
  rollouts: 8,
  stepsPerBatch: 96,
  drawing: { temperature: 1, exploration: 0.05, daring: 0.3, guided: false },
  exploring: {
    ...{ firstSeconds: 35, searching: 0.5, otherwise: 0.2 },
    ...{ novelty: false, hindsight: true, analogy: true },
  },
  trainer: {
    learningRate: 1e-3,
    warmupUpdates: 50,
    cooling: 0.1,
    clipNorm: 1,
    batch: 32,
    replay: 16,
    policyRows: 24,
    policyWeight: 1,
    cloneWeight: 1,
    renaming: 0.5,
    shares: { hindsight: 2, beside: 0.5, successes: 2, demonstrations: 1, grounding: 1 },
    // Practically unlimited: there is always new data.
    passes: { hindsight: 1000, beside: 1000, successes: 1000, demonstrations: 1000, grounding: 1000 },
    objective: { ...OBJECTIVE, ...PER_TOKEN, entropyWeight: 0.02, entropyFloor: 0.05 },
    ...{ advantages: 'steps', aggregation: 'steps', budget: 0 },
    shaping: NO_SHAPING,
    positives: { share: 0, perBatch: 4 },
    pulse: { imitation: 200, policy: 0 },
    maxMismatch: 1,
    publishSeconds: 1,
    checkpointMinutes: 0.25,
  },
};

/** With demonstrations, which replace the first minutes of exploration and are replayed in every batch. */
export const TAUGHT: Recipe = {
  ...SCRATCH,
  exploring: { ...SCRATCH.exploring, firstSeconds: 20, searching: 0.2, otherwise: 0.15 },
  trainer: {
    ...SCRATCH.trainer,
    shares: { hindsight: 1.5, beside: 0.3, successes: 2, demonstrations: 2, grounding: 0.5 },
  },
};

/** The constants of the paper, for a pretrained model of about 7 billion weights. */
export const DART_7B: Recipe = {
  desktops: 16,
  rollouts: 8,
  stepsPerBatch: 512,
  drawing: { temperature: 1, exploration: 0, daring: 0, guided: false },
  exploring: NO_EXPLORING,
  trainer: {
    ...SCRATCH.trainer,
    learningRate: 1e-6,
    warmupUpdates: 0,
    cooling: 1,
    policyRows: 128,
    cloneWeight: 0,
    objective: { ...OBJECTIVE, ...PER_TOKEN, divergence: 0.1 },
    publishSeconds: 0,
    checkpointMinutes: 10,
  },
};
