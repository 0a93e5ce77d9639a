// A suite: which tasks there are, which instances of them are for training and which for tests, and each as a task in
// OSWorld's shape. Templates come from anywhere; those that the program brings along are the pocket suite.

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

/** What is asked about an id that it does not have is a RangeError. */
export interface Suite {
  readonly templates: readonly Template[];
  template(id: string): Template;
  tasks(split: Split, tier?: Tier): readonly TaskId[];
  /** The n-th instance of a split: training has a fixed number of them, tests as many as one likes. */
  seed(split: Split, index: number): Seed;
  /** One instance, as a task file would say it. */
  task(id: string, number: Seed): Task;
  /** One instance, with how it is solved and what is nearly right. */
  made(id: string, number: number): Made;
}

export function suiteOf(templates: readonly Template[]): Suite {
  const byId = new Map<string, Template>();
  for (const template of templates) {
    const other = byId.get(template.id);
    if (other !== undefined) {
      const sources = `one from ${sourceOf(other)}, one from ${sourceOf(template)}`;
      throw new RangeError(`Two tasks have the id '${template.id}', ${sources}: give one another id.`);
    }
    byId.set(template.id, template);
  }
  const templateOf = (id: string): Template => {
    const found = byId.get(id);
    if (found === undefined) throw new RangeError(`The suite has no task '${id}'.`);
    return found;
  };
  return {
    templates,
    template: templateOf,
    tasks: (split, tier) =>
      templates
        .filter(template => (split === 'unseen') === (template.unseen === true))
        .filter(template => tier === undefined || template.tier === tier)
        .map(template => taskId(template.id)),
    seed: (split, index) => seed(split === 'train' ? index % TRAIN_SEEDS : FIRST_TEST_SEED + index),
    task: (id, number) => taskFrom(templateOf(id), number),
    made: (id, number) => madeFrom(templateOf(id), number),
  };
}

export const POCKET: Suite = suiteOf(TEMPLATES);

const sourceOf = ({ file = 'the pocket suite' }: Template): string => file;

export const madeFrom = (template: Template, number: number): Made =>
  template.make(new Draw(template.id, number));

export function taskFrom(template: Template, number: Seed): Task {
  const { instruction, world, open = [], evaluator } = madeFrom(template, number);
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
