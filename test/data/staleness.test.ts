import { expect, test } from 'vitest';
import { version } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import type { Step } from '../../runtime/core/step.ts';
import { versionSpan } from '../../runtime/core/trajectory.ts';
import { admissionRoom, freshRollouts, stalenessOf } from '../../runtime/data/staleness.ts';

const step = (chosenBy?: number): Step => ({
  action: { kind: 'wait' },
  meant: [],
  ...(chosenBy !== undefined && { chosen: { version: version(chosenBy), decisions: [] } }),
});

test('rollouts run ahead by the bound and no further', () => {
  const bound = { versions: 1, perUpdate: 8 };
  const at = (v: number, accepted: number, running: number) =>
    admissionRoom(bound, { version: version(v), accepted, running });
  expect(at(0, 0, 0)).toBe(16);
  expect(at(0, 4, 10)).toBe(2);
  expect(at(0, 8, 8)).toBe(0);
  expect(at(0, 20, 8)).toBe(0);
  // A published version makes room for as many as an update takes.
  expect(at(1, 8, 8)).toBe(8);
});

test('without a bound in versions, only what the next update takes is under way', () => {
  expect(
    admissionRoom({ versions: 0, perUpdate: 4 }, { version: version(3), accepted: 12, running: 0 }),
  ).toBe(4);
});

test('who starts as many as there is room for never has a trajectory that is too old', () => {
  const random = seeded('pacing');
  const bound = { versions: 2, perUpdate: 4 };
  let [now, accepted] = [0, 0];
  let running: number[] = [];
  let waiting: number[] = [];
  for (let time = 0; time < 2000; time++) {
    const free = admissionRoom(bound, { version: version(now), accepted, running: running.length });
    running = [...running, ...Array.from({ length: free }, () => now)];
    // In any order, but what began first cannot be overtaken for ever: half of the time the oldest ends.
    const [ended] = running.splice(random.next() < 0.5 ? 0 : random.int(Math.max(1, running.length)), 1);
    if (ended !== undefined) {
      waiting.push(ended);
      accepted += 1;
    }
    if (waiting.length >= bound.perUpdate) {
      waiting = waiting.slice(bound.perUpdate);
      now += 1;
    }
    expect(accepted + running.length).toBeLessThanOrEqual((bound.versions + now + 1) * bound.perUpdate);
  }
  expect(now).toBeGreaterThan(400);
});

test('a trajectory is as old as its oldest step', () => {
  const age = (...steps: readonly Step[]) => stalenessOf(versionSpan(steps)?.oldest, version(7));
  expect(age(step(5), step(3), step(6))).toBe(4);
  expect(age(step(7))).toBe(0);
  expect(age(step(), step())).toBe(0);
});

test('the fresh of a group train if there are two of them', () => {
  const ages = [0, 1, 2, 5];
  const fresh = (versions: number) => freshRollouts(ages, age => age, { versions });
  expect(fresh(9)).toEqual({ fresh: ages, dropped: 0, alone: 0 });
  expect(fresh(1)).toEqual({ fresh: [0, 1], dropped: 2, alone: 0 });
  expect(fresh(0)).toEqual({ fresh: [], dropped: 3, alone: 1 });
  expect(freshRollouts([4, 4], age => age, { versions: 1 })).toEqual({ fresh: [], dropped: 2, alone: 0 });
});
