// The pocket suite: which tasks there are, which instances of them are for training and which for tests, and each as a task
// in OSWorld's shape.

import { type Seed, seed, type TaskId, taskId } from '../../../contracts/ids.ts';
import type { SetupStep, Task } from '../../../contracts/task.ts';
import { Draw, TRAIN_SEEDS } from './draw.ts';
import type { Made, Template, Tier } from './template.ts';
import { TEMPLATES } from './templates/all.ts';

export type Split = 'train' | 'test' | 'unseen';

/** Test instances are drawn from here on, far from the training seeds. */
const FIRST_TEST_SEED = 1000;

/** Room to make mistakes: twice what the longest solution of the tier takes. */
const MAX_STEPS: Readonly<Record<Tier, number>> = { 1: 6, 2: 12, 3: 20, 4: 30 };

const BY_ID = new Map(TEMPLATES.map(template => [template.id, template]));

export function templateOf(id: string): Template {
  const found = BY_ID.get(id);
  if (found === undefined) throw new RangeError(`The pocket suite has no task '${id}'.`);
  return found;
}

export const tasksOf = (split: Split, tier?: Tier): readonly TaskId[] =>
  TEMPLATES.filter(template => (split === 'unseen') === (template.unseen === true))
    .filter(template => tier === undefined || template.tier === tier)
    .map(template => taskId(template.id));

/** The n-th instance of a split: training has a fixed number of them, tests as many as one likes. */
export function seedOf(split: Split, index: number): Seed {
  return seed(split === 'train' ? index % TRAIN_SEEDS : FIRST_TEST_SEED + index);
}

export const made = (template: Template, number: number): Made =>
  template.make(new Draw(template.id, number));

/** One instance of a task of this suite, as a task file would say it. */
export const pocketTask = (id: string, number: Seed): Task => taskFrom(templateOf(id), number);

export function taskFrom(template: Template, number: Seed): Task {
  const { instruction, world, open = [], evaluator } = made(template, number);
  const config: SetupStep[] = [
    { type: 'pocket_world', parameters: world },
    ...open.map(({ app, what }) => ({
      type: 'pocket_open',
      parameters: { app, ...(what !== undefined && { what }) },
    })),
  ];
  const split: Split = template.unseen ? 'unseen' : number < TRAIN_SEEDS ? 'train' : 'test';
  return {
    id: taskId(template.id),
    instruction,
    snapshot: 'pocket',
    config,
    evaluator,
    related_apps: template.apps,
    dartboard: { tier: template.tier, split, template: template.id, max_steps: MAX_STEPS[template.tier] },
  };
}
