// Suites of every kind of desktops: their seeds, and their cache of instances.

import { expect, test } from 'vitest';
import { type Seed, seed } from '../../runtime/core/ids.ts';
import type { Task } from '../../runtime/core/task.ts';
import { instanceOf, suiteFrom, type TaskKind, trainingSeeds } from '../../runtime/environments/suite.ts';

const KINDS: readonly TaskKind[] = ['open', 'close'].map(id => ({ id, tier: 1, apps: [] }));
const RARE: TaskKind = { id: 'rare', tier: 1, apps: [], unseen: true };

const made = (kind: TaskKind, number: Seed): Task =>
  instanceOf(kind, {
    instruction: `${kind.id} number ${number}`,
    snapshot: 'none',
    config: [],
    evaluator: { func: 'infeasible' },
    maxSteps: 3,
  });

test('an instance is generated once for many requests, with the same result', () => {
  let count = 0;
  const suite = suiteFrom('the suite', KINDS, (kind, number) => {
    count += 1;
    return made(kind, number);
  });
  const asked = Array.from({ length: 400 }, (_, index) => ({
    kind: KINDS[index % 2] as TaskKind,
    number: seed((index * 7) % 30),
  }));
  for (const { kind, number } of asked) {
    const before = suite.task(kind.id, number);
    expect(before).toMatchObject(made(kind, number));
    const once = count;
    expect(suite.task(kind.id, number)).toBe(before);
    expect(count).toBe(once);
  }
  expect(count).toBeLessThanOrEqual(60);
});

test.each([
  { seeds: undefined, trainSeeds: 32, firstTestSeed: 1000 },
  { seeds: { trainSeeds: 500, firstTestSeed: 2000 }, trainSeeds: 500, firstTestSeed: 2000 },
])(
  'a suite with $trainSeeds training seeds tests from seed $firstTestSeed, and its instances say so',
  ({ seeds, trainSeeds, firstTestSeed }) => {
    const suite = suiteFrom('the suite', [...KINDS, RARE], made, seeds);
    const splitOf = (id: string, number: number) => suite.task(id, seed(number)).dartboard?.split;
    expect(suite.trainSeeds).toBe(trainSeeds);
    expect([suite.seed('train', trainSeeds - 1), suite.seed('train', trainSeeds)]).toEqual([
      trainSeeds - 1,
      0,
    ]);
    expect(suite.seed('test', 3)).toBe(firstTestSeed + 3);
    expect([trainSeeds - 1, trainSeeds, firstTestSeed].map(number => splitOf('open', number))).toEqual([
      'train',
      'test',
      'test',
    ]);
    expect(splitOf('rare', 0)).toBe('unseen');
    expect(trainingSeeds(suite)).toHaveLength(trainSeeds);
    expect(trainingSeeds(suite, trainSeeds + 5)).toHaveLength(trainSeeds);
  },
);

test('the cache is small: after many other instances, an instance is generated again, with the same result', () => {
  const suite = suiteFrom('the suite', KINDS, made);
  const first = suite.task('open', seed(0));
  for (let index = 1; index <= 1000; index++) suite.task('close', seed(index));
  expect(suite.task('open', seed(0))).not.toBe(first);
  expect(suite.task('open', seed(0))).toEqual(first);
});
