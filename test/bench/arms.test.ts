// The arms of learning benchmarks: their order, the arms that are trained alone, and the weights that all arms of a seed begin from.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ArmPlan, trainArms, trainClonedArms } from '../../runtime/bench/arms.ts';
import { Report } from '../../runtime/bench/report.ts';
import { temporaryFolder } from '../temporary.ts';

const ARMS = ['all', 'rl', 'hindsight'] as const;
type Arm = (typeof ARMS)[number];

/** A folder of outcomes, and what was measured into it. */
function lab() {
  const folder = temporaryFolder('arms');
  const done: string[] = [];
  const open = () =>
    new Report(
      { name: 'lab', addsSeeds: true },
      {
        ...{ folder, settings: {}, quiet: true, fresh: false, build: 'aaa', now: () => 0 },
        ...{ machine: { cores: 2 }, versions: {} },
      },
    );
  let clones = 0;
  const measure = (plan: Omit<ArmPlan<Arm>, 'arms'>) =>
    trainClonedArms(
      open(),
      { ...plan, arms: ARMS },
      {
        clone: async seed => {
          done.push(`clone ${seed}`);
          // Each training has a name of its own.
          clones += 1;
          const file = join('unfinished', `cloned-${clones}`);
          mkdirSync(join(folder, 'unfinished'), { recursive: true });
          writeFileSync(join(folder, file), `weights of seed ${seed}`);
          return { file, seed };
        },
        train: async (arm, seed, from) => {
          done.push(`${arm} ${seed}`);
          expect(readFileSync(from, 'utf8')).toBe(`weights of seed ${seed}`);
          return `${arm} ${seed}`;
        },
      },
    );
  const forgetWeights = () => rmSync(join(folder, 'unfinished'), { recursive: true });
  return { open, done, measure, forgetWeights };
}

test('seed by seed: the weights are cloned, and each arm is trained from them', async () => {
  const { measure, done } = lab();
  const { starts, runs } = await measure({ seeds: 2, chosen: ['all', 'rl'] });
  expect(done).toEqual(['clone 0', 'all 0', 'rl 0', 'clone 1', 'all 1', 'rl 1']);
  expect(starts.map(({ seed }) => seed)).toEqual([0, 1]);
  expect([...runs]).toEqual([
    ['all', ['all 0', 'all 1']],
    ['rl', ['rl 0', 'rl 1']],
  ]);
});

test('only the chosen arms are trained, and the result has what was measured of the others', async () => {
  const { measure, done } = lab();
  expect([...(await measure({ seeds: 1, chosen: ['rl'] })).runs]).toEqual([['rl', ['rl 0']]]);
  done.length = 0;
  const { runs } = await measure({ seeds: 2, chosen: ['all'] });
  expect(done).toEqual(['all 0', 'clone 1', 'all 1']);
  expect(new Map(runs)).toEqual(
    new Map([
      ['all', ['all 0', 'all 1']],
      ['rl', ['rl 0']],
    ]),
  );
});

test('weights that are missing are cloned again, once for all later runs, and only if an arm needs them; the result names the seed', async () => {
  const { measure, done, forgetWeights } = lab();
  await measure({ seeds: 1, chosen: ['rl'] });
  forgetWeights();
  done.length = 0;
  expect((await measure({ seeds: 1, chosen: ['rl'] })).clonedAgain).toEqual([]);
  expect(done).toEqual([]);
  expect((await measure({ seeds: 1, chosen: ['all'] })).clonedAgain).toEqual([0]);
  expect((await measure({ seeds: 1, chosen: ['hindsight'] })).clonedAgain).toEqual([0]);
  expect(done).toEqual(['clone 0', 'all 0', 'hindsight 0']);
  forgetWeights();
  await measure({ seeds: 2, chosen: ['all'] });
  expect(done.slice(3)).toEqual(['clone 1', 'all 1']);
});

test('arms from random weights have no start', async () => {
  const { open } = lab();
  const trained = async (chosen?: readonly Arm[]) =>
    trainArms(open(), { arms: ARMS, seeds: 2, chosen }, async (arm, seed) => `${arm} ${seed}`);
  expect([...(await trained(['all']))]).toEqual([['all', ['all 0', 'all 1']]]);
  expect([...(await trained(['rl']))]).toEqual([
    ['all', ['all 0', 'all 1']],
    ['rl', ['rl 0', 'rl 1']],
  ]);
  expect((await trained()).size).toBe(ARMS.length);
});
