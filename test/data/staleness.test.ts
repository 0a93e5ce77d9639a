import { expect, test } from 'vitest';
import { version } from '../../runtime/core/ids.ts';
import type { Step } from '../../runtime/core/step.ts';
import { versionSpan } from '../../runtime/core/trajectory.ts';
import { admissionRoom, stalenessOf } from '../../runtime/data/staleness.ts';

const step = (chosenBy?: number): Step => ({
  action: { kind: 'wait' },
  meant: [],
  ...(chosenBy !== undefined && {
    chosen: { version: version(chosenBy), trace: { kind: 'heads', decisions: [] } },
  }),
});

test('rollouts start up to the limit of untrained and running ones', () => {
  const at = (untrained: number, running: number) => admissionRoom(16, { untrained, running });
  expect(at(0, 0)).toBe(16);
  expect(at(4, 10)).toBe(2);
  expect(at(8, 8)).toBe(0);
  expect(at(20, 8)).toBe(0);
});

test('the staleness of a trajectory is that of its oldest step', () => {
  const age = (...steps: readonly Step[]) => stalenessOf(versionSpan(steps)?.oldest, version(7));
  expect(age(step(5), step(3), step(6))).toBe(4);
  expect(age(step(7))).toBe(0);
  expect(age(step(), step())).toBe(0);
});
