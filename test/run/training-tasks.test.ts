// The tasks that a configuration trains.

import { expect, test } from 'vitest';
import { taskId } from '../../runtime/core/ids.ts';
import type { Suite } from '../../runtime/environments/suite.ts';
import { WEB } from '../../runtime/environments/web/tasks/suite.ts';
import { trainingTasks } from '../../runtime/run/suite.ts';

/** Tasks of one application. */
const ONE = [taskId('one')];
const suite: Suite = { ...WEB, tasks: (_, tier) => (tier === 3 ? ONE : []) };

test('a folder for guests need not have tasks of each tier, but some', () => {
  const environments = { kind: 'guest' } as const;
  expect(trainingTasks({ suite: { tiers: [3, 4] }, environments }, suite)).toEqual(ONE);
  expect(() => trainingTasks({ suite: { tiers: [1, 4] }, environments }, suite)).toThrow(
    /no tasks of tier 1/,
  );
});

test('other desktops must have tasks of each tier that is chosen', () => {
  const environments = { kind: 'web' } as const;
  expect(() => trainingTasks({ suite: { tiers: [3, 4] }, environments }, suite)).toThrow(
    /no tasks of tier 4/,
  );
});
