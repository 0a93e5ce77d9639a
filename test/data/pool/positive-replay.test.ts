// The buffer of the best successes: κ of each batch, and a share γ of later ones.

import { expect, test } from 'vitest';
import { groupId, seed, taskId, trajectoryId } from '../../../runtime/core/ids.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { PositiveReplay, replayedCount } from '../../../runtime/data/pool/positive-replay.ts';

const candidate = (name: string, advantage: number) => ({
  ...{ id: trajectoryId(name), advantage },
  group: {
    ...{ group: groupId('g'), instance: { task: taskId('t'), seed: seed(1) }, injected: false },
    steps: [
      {
        ...{ trajectory: trajectoryId(name), index: 0, advantage, isSuccess: true },
        observation: { encoding: 'test', bytes: Uint8Array.of(1) },
        choice: { kind: 'heads', decisions: [{ head: 'kind', choice: 1, logProbability: -1 }] } as const,
      },
    ],
  },
});
const namesIn = (groups: ReturnType<PositiveReplay['draw']>) =>
  groups.flatMap(({ steps }) => steps.map(({ trajectory }) => trajectory)).sort();

test('replayed trajectories are the share γ of the whole batch', () => {
  // 0.2·(32 + 8) = 8
  expect(replayedCount(32, 0.2)).toBe(8);
  expect(replayedCount(8, 0.5)).toBe(8);
  expect(replayedCount(32, 0)).toBe(0);
});

test('the successes with the highest positive advantages of each batch stay, with their advantages and without old probabilities', () => {
  const replay = new PositiveReplay({ share: 0.5, perBatch: 2 }, seeded('test'));
  expect(replay.draw(8)).toEqual([]);
  replay.add([candidate('a', 0.5), candidate('b', 2), candidate('c', 1)]);
  replay.add([candidate('d', -1), candidate('e', 0.1)]);
  const drawn = replay.draw(8);
  expect(namesIn(drawn)).toEqual(['b', 'c', 'e']);
  for (const { steps } of drawn) {
    expect(steps[0]?.advantage).toBe({ b: 2, c: 1, e: 0.1 }[String(steps[0]?.trajectory)]);
    expect(JSON.stringify(steps[0]?.choice)).not.toContain('logProbability');
  }
  expect(replay.draw(1)).toHaveLength(1);
  replay.remove(trajectoryId('b'));
  expect(namesIn(replay.draw(8))).toEqual(['c', 'e']);
});

test('without a share nothing is kept, replayed or drawn at random', () => {
  const random = seeded('test');
  const before = random.save();
  const replay = new PositiveReplay({ share: 0, perBatch: 4 }, random);
  replay.add([candidate('a', 1)]);
  expect(replay.draw(100)).toEqual([]);
  expect(random.save()).toEqual(before);
});

test('old successes leave first', () => {
  const replay = new PositiveReplay({ share: 0.9, perBatch: 64 }, seeded('test'));
  for (let batch = 0; batch < 3; batch++)
    replay.add(Array.from({ length: 30 }, (_, index) => candidate(`${batch}-${index}`, 1)));
  const names = namesIn(replay.draw(64));
  expect(names).toHaveLength(64);
  expect(names.filter(name => name.startsWith('0-'))).toHaveLength(4);
});
