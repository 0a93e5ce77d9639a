// Suites of pocket tasks. POCKET has the built-in templates; other suites add templates from files.

import type { Seed } from '../../../core/ids.ts';
import type { SetupStep, Task } from '../../../core/task.ts';
import { instanceOf, type SuiteOf, suiteFrom } from '../../suite.ts';
import { Draw } from './draw.ts';
import type { PocketInstance, PocketTemplate, Tier } from './template.ts';
import { TEMPLATES } from './templates/all.ts';

/** Room for mistakes: twice the length of the tier's longest solution. */
const MAX_STEPS: Readonly<Record<Tier, number>> = { 1: 6, 2: 12, 3: 20, 4: 30 };

export interface PocketSuite extends SuiteOf<PocketTemplate> {
  /** One instance with its scripted solution and near misses. */
  instance(id: string, number: number): PocketInstance;
}

export function suiteOf(templates: readonly PocketTemplate[]): PocketSuite {
  const suite = suiteFrom('the pocket suite', templates, taskFrom);
  return { ...suite, instance: (id, number) => instanceFrom(suite.template(id), number) };
}

export const POCKET: PocketSuite = suiteOf(TEMPLATES);

export const instanceFrom = (template: PocketTemplate, number: number): PocketInstance =>
  template.make(new Draw(template.id, number));

export function taskFrom(template: PocketTemplate, number: Seed): Task {
  const { instruction, world, open = [], evaluator } = instanceFrom(template, number);
  const config: SetupStep[] = [
    { type: 'pocket_world', parameters: { ...world } },
    ...open.map(({ app, what }) => ({
      type: 'pocket_open',
      parameters: { app, ...(what !== undefined && { what }) },
    })),
  ];
  const maxSteps = template.maxSteps ?? MAX_STEPS[template.tier];
  return instanceOf(template, number, { instruction, snapshot: 'pocket', config, evaluator, maxSteps });
}
