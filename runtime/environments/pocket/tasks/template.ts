// A task template of the pocket desktop. From a seeded draw it makes an instance: an instruction, a starting world and an evaluator, with a scripted solution and near misses that test the evaluator.

import type { Evaluator } from '../../../core/task.ts';
import type { TaskKind } from '../../suite.ts';
import type { ShortenedScript } from '../../task-check.ts';
import type { AppOpening } from '../getters.ts';
import { infeasible } from './conditions.ts';
import type { Draw } from './draw.ts';
import { type PocketScript, steps } from './scripted-user.ts';
import type { StartingWorld } from './starting-world.ts';

export type { Tier } from '../../suite.ts';

export interface PocketTemplate extends TaskKind {
  /** Overrides the step limit of the tier. */
  readonly maxSteps?: number;
  make(draw: Draw): PocketInstance;
}

export interface PocketInstance {
  readonly instruction: string;
  readonly world: StartingWorld;
  /** Windows that are open at the start; the last one is in front. */
  readonly open?: readonly AppOpening[];
  readonly evaluator: Evaluator;
  readonly solve: PocketScript;
  /** Scripts that fail by one mistake: each must score 0. */
  readonly misses: Readonly<Record<string, PocketScript>>;
  /** The solution without each of its steps, if these are listed in a file. */
  readonly shortened?: () => readonly (Omit<ShortenedScript, 'play'> & { readonly script: PocketScript })[];
}

export type TemplateKind = Pick<PocketTemplate, 'tier' | 'apps' | 'unseen'>;

/** `make` leaves out the evaluator and the solution of a task that cannot be done: the agent must report that. */
export const template = (
  id: string,
  kind: TemplateKind,
  make: (draw: Draw) => TemplateParts,
): PocketTemplate => ({
  id,
  ...kind,
  make: draw => ({ evaluator: infeasible(), solve: steps(), ...make(draw) }),
});

/** The parts of an instance that differ between templates. */
export type TemplateParts = Omit<PocketInstance, 'evaluator' | 'solve'> &
  Partial<Pick<PocketInstance, 'evaluator' | 'solve'>>;
