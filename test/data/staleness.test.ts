import { expect, test } from 'vitest';
import { version } from '../../runtime/core/ids.ts';
import type { Step } from '../../runtime/core/step.ts';
import { versionSpan } from '../../runtime/core/trajectory.ts';
import { admissionRoom, freshRollouts, stalenessOf } from '../../runtime/data/staleness.ts';

const step = (chosenBy?: number): Step => ({
  action: { kind: 'wait' },
  meant: [],
  ...(chosenBy !== undefined && { chosen: { version: version(chosenBy), decisions: [] } }),
});

test('rollouts start until the limit of untrained and running ones', () => {
  const at = (untrained: number, running: number) => admissionRoom(16, { untrained, running });
  expect(at(0, 0)).toBe(16);
  expect(at(4, 10)).toBe(2);
  expect(at(8, 8)).toBe(0);
  expect(at(20, 8)).toBe(0);
});

test('a trajectory is as old as its oldest step', () => {
  const age = (...steps: readonly Step[]) => stalenessOf(versionSpan(steps)?.oldest, version(7));
  expect(age(step(5), step(3), step(6))).toBe(4);
  expect(age(step(7))).toBe(0);
  expect(age(step(), step())).toBe(0);
});

test('the fresh of a group train if there are two of them', () => {
  const ages = [0, 1, 2, 5];
  const fresh = (versions: number) => freshRollouts(ages, age => age, versions);
  expect(fresh(9)).toEqual({ fresh: ages, dropped: 0, alone: 0 });
  expect(fresh(1)).toEqual({ fresh: [0, 1], dropped: 2, alone: 0 });
  expect(fresh(0)).toEqual({ fresh: [], dropped: 3, alone: 1 });
  expect(freshRollouts([4, 4], age => age, 1)).toEqual({ fresh: [], dropped: 2, alone: 0 });
});
