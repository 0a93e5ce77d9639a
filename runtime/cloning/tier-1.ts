// Clones the scripted solutions of tier 1 into a micro model: what is cloned, and for how long. The micro benchmark and `dartboard model clone`
// use the same protocol.

import { MICRO } from '../agents/micro/network.ts';
import { encodeMicro } from '../agents/micro/weights-file.ts';
import type { Clock } from '../core/clock.ts';
import type { Random } from '../core/rng.ts';
import { type Engine, startEngine } from '../engine/engine.ts';
import { POCKET } from '../environments/pocket/tasks/suite.ts';
import { type CloningLength, type CloningProgress, cloneDemonstrations } from './cloning.ts';
import { endlessDemonstrations } from './demonstrations.ts';

/** Tasks of tier 1 whose scripted solutions only click. */
export const CLICK_TASKS: readonly string[] = [
  ...['night-light', 'mute', 'bluetooth', 'notifications', 'theme'].map(name => `settings-${name}`),
  'mail-star',
];

export const PROTOCOL = {
  /** Engine processes: one for each core of the protocol. */
  replicas: 2,
  modes: { a11y_tree: 1, screenshot: 1 },
  /** Click tasks are practised more often than the others of tier 1. */
  clickWeight: 1.5,
  /** Grounding examples for each screen of a solution. */
  grounding: 1.5,
} as const;

/** Leaves something to learn: with 24,000, 88 % of the click tasks are solved. */
export const EXAMPLES_BEFORE_TRAINING = 14_000;

export interface TierCloning {
  readonly length: CloningLength;
  readonly engineEntry: URL;
  readonly clock: Clock;
  readonly random: Random;
  /** Clones on from these weights. */
  readonly weights?: Float32Array<ArrayBuffer>;
  /** Ends the cloning early. */
  readonly signal?: AbortSignal;
  readonly progress: (totals: CloningProgress) => void;
}

export interface ClonedModel {
  readonly totals: CloningProgress;
  readonly file: Uint8Array<ArrayBuffer>;
}

export async function cloneTier1({
  engineEntry,
  random,
  progress,
  ...options
}: TierCloning): Promise<ClonedModel> {
  const { replicas, modes, grounding, clickWeight } = PROTOCOL;
  const templates = POCKET.templates.filter(({ tier, unseen }) => tier === 1 && unseen !== true);
  const engines: Engine[] = [];
  let totals: CloningProgress = { minutes: 0, steps: 0, examples: 0, tokens: 0, loss: Number.NaN };
  try {
    for (let count = 0; count < replicas; count++) engines.push(await startEngine({ entry: engineEntry }));
    const weights = await cloneDemonstrations({
      ...{ ...options, shape: MICRO, engines, random: random.fork('cloning') },
      examplesOf: replica =>
        endlessDemonstrations({
          ...{ templates, modes, grounding, random: random.fork(`demonstrations ${replica}`) },
          weightOf: ({ id }) => (CLICK_TASKS.includes(id) ? clickWeight : 1),
        }),
      progress: reached => {
        totals = reached;
        progress(reached);
      },
    });
    return { totals, file: encodeMicro({ shape: MICRO, version: totals.steps, weights }) };
  } finally {
    await Promise.all(engines.map(engine => engine.close()));
  }
}
