// The step limits of instances.

import { expect, test } from 'vitest';
import { type Seed, seed, taskId } from '../../runtime/core/ids.ts';
import { limitsOf } from '../../runtime/run/curation.ts';
import { BUTTON_SUITE } from './host/button-kind.ts';

test('an instance has the limit of its task, and 1 if it cannot be made', () => {
  const task = (id: string, number: Seed) => {
    if (number === seed(7)) throw new RangeError('{what.sign} has no value.');
    return BUTTON_SUITE.task(id, number);
  };
  const limitOf = limitsOf({ ...BUTTON_SUITE, task });
  expect([6, 7, 8].map(number => limitOf({ task: taskId('left'), seed: seed(number) }))).toEqual([4, 1, 4]);
});
