// The host's process gives way to the trainer, also where its user started everything with a low priority.

import { constants } from 'node:os';
import { expect, test } from 'vitest';
import { lowerPriority } from '../../../runtime/run/host/priority.ts';

const { PRIORITY_BELOW_NORMAL, PRIORITY_HIGH, PRIORITY_NORMAL } = constants.priority;

test.each<[number, readonly number[]]>([
  [PRIORITY_HIGH, [PRIORITY_BELOW_NORMAL]],
  [PRIORITY_NORMAL, [PRIORITY_BELOW_NORMAL]],
  [PRIORITY_BELOW_NORMAL, []],
  [15, []],
])('the priority %i is lowered, and never raised', (present, wanted) => {
  const set: number[] = [];
  lowerPriority(
    () => present,
    to => void set.push(to),
  );
  expect(set).toEqual(wanted);
});
