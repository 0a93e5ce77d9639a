// The new tasks of the benchmark, and their demonstrations by hand.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import contactNewJob from '../../runtime/bench/demonstrations/contact-new-job.json';
import mailFollowUp from '../../runtime/bench/demonstrations/mail-follow-up.json';
import { demonstrateByHand } from '../../runtime/bench/demonstrations/record.ts';
import { parseConfig } from '../../runtime/config/config.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { isInfeasible } from '../../runtime/core/task.ts';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import { isSuccess } from '../../runtime/core/verdict.ts';
import { answer, startOf } from '../../runtime/environments/pocket/getters.ts';
import { templateFromFile } from '../../runtime/environments/pocket/tasks/from-folder.ts';
import { ScriptedUser } from '../../runtime/environments/pocket/tasks/scripted-user.ts';
import { POCKET, suiteOf } from '../../runtime/environments/pocket/tasks/suite.ts';
import { PersonRecordings } from '../../runtime/person/recordings.ts';
import { evaluate } from '../../runtime/tasks/evaluate.ts';
import { temporaryFolder } from '../temporary.ts';

const FILES = [mailFollowUp, contactNewJob];
const SUITE = suiteOf(FILES.map(file => templateFromFile(file, `${file.id}.json`)));
const SEEDS = [
  ...Array.from({ length: SUITE.trainSeeds }, (_, index) => SUITE.seed('train', index)),
  ...Array.from({ length: 30 }, (_, index) => SUITE.seed('test', index)),
];

test.each(FILES.map(({ id }) => id))(
  'every instance of %s is solved by its script, and by no near miss',
  async id => {
    expect(POCKET.templates.map(template => template.id)).not.toContain(id);
    for (const seed of SEEDS) {
      const task = SUITE.task(id, seed);
      expect(isInfeasible(task)).toBe(false);
      const { solve, misses } = SUITE.instance(id, seed);
      for (const [script, score] of [
        [solve, 1],
        ...Object.values(misses).map(miss => [miss, 0] as const),
      ] as const) {
        const { machine, start } = startOf(task);
        script(new ScriptedUser(machine));
        const ended = await evaluate(task, 'finished', async getter => answer(getter, machine.world, start));
        expect([seed, ended.score]).toEqual([seed, score]);
      }
    }
  },
);

test('instances differ, and those for tests have names that training does not have', () => {
  for (const { id } of FILES) {
    const instructions = (split: 'train' | 'test', count: number) =>
      new Set(
        Array.from({ length: count }, (_, index) => SUITE.task(id, SUITE.seed(split, index)).instruction),
      );
    const [train, tests] = [instructions('train', 32), instructions('test', 100)];
    expect(train.size).toBeGreaterThan(25);
    expect(tests.size).toBeGreaterThan(70);
    expect([...tests].filter(each => train.has(each))).toEqual([]);
  }
});

test('a hand demonstrates each, through the requests of the page', async () => {
  const folder = temporaryFolder('new-tasks');
  for (const file of FILES) writeFileSync(join(folder, `${file.id}.json`), JSON.stringify(file));
  const kept: Trajectory[] = [];
  const recordings = new PersonRecordings({
    ...{ isGuest: () => false, clock: systemClock, random: seeded('a hand') },
    store: { ingest: async trajectory => void kept.push(trajectory), label: expect.unreachable },
    accept: async () => undefined,
    config: async () => parseConfig({ suite: { files: folder } }),
  });
  onTestFinished(() => recordings.close());
  for (const { id } of FILES)
    await demonstrateByHand({ recordings, suite: SUITE, who: 'a hand' }, id, SUITE.seed('train', 1));
  expect(kept.map(({ instance }) => String(instance.task))).toEqual(FILES.map(({ id }) => id));
  for (const { outcome, provenance } of kept) {
    expect(isSuccess(outcome)).toBe(true);
    expect(provenance).toEqual({ kind: 'human', who: 'a hand' });
  }
});
