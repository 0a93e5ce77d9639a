// Laws of a whole run for any faults; witness.ts and simulation.ts have them. SIMULATION_SEED runs one seed and prints all of its events.

import { expect, test } from 'vitest';
import type { Plan } from './plan.ts';
import { describeBroken, keepLaws, SEED_VARIABLE } from './report.ts';
import { simulate } from './simulation.ts';
import type { Mutation } from './world.ts';

const SEEDS = 20;
const one = process.env[SEED_VARIABLE];

test('the seed of the environment, or seed 0, keeps the laws', async () => {
  const simulated = await simulate(Number(one ?? 0));
  if (one !== undefined) process.stdout.write(`${simulated.log.join('\n')}\n`);
  expect(simulated.broken, describeBroken(simulated)).toEqual([]);
});

test.skipIf(one !== undefined)('a run keeps its laws, whatever fails', async () => {
  const all = await keepLaws(Array.from({ length: SEEDS }, (_, seed) => seed));
  // The faults leave something to do.
  expect(all.filter(({ daemons }) => daemons > 1).length).toBeGreaterThan(SEEDS / 5);
  expect(all.filter(({ trained }) => trained > 2).length).toBeGreaterThanOrEqual(SEEDS / 2);
});

test.skipIf(one !== undefined)('the same seed gives the same run, event for event', async () => {
  for (const seed of [1, 4, 9]) expect((await simulate(seed)).log).toEqual((await simulate(seed)).log);
});

const POWER_FAILS: Partial<Plan> = {
  deaths: [
    { victim: 'power', when: 'time', at: 2400 },
    { victim: 'power', when: 'time', at: 4800 },
  ],
  calmAfter: 6000,
};

/** Each breaks one law. Its sentence contains the text. */
const MUTATIONS: readonly (readonly [Mutation, string, Partial<Plan>])[] = [
  ['the disk syncs nothing', 'neither a file nor in', POWER_FAILS],
  ['trajectories are not stored', 'neither a file nor in', {}],
  ['labels are lost', 'has lost the label', {}],
  ['checkpoints are lost', 'checkpoint', {}],
  [
    'versions start again',
    'the files name the weights',
    { ...POWER_FAILS, publishSeconds: 0, checkpointSeconds: 10 },
  ],
  ['desktops act twice', 'was performed twice', {}],
  ['workers name another version', 'names version', {}],
  ['old rollouts train', 'has a staleness of', { stalenessUpdates: 1, updates: 5, calls: 100 }],
  ['parts train twice', 'trains twice', {}],
  ['orders are lost', 'no progress within', { joined: 0 }],
];

test.skipIf(one !== undefined).each(MUTATIONS)(
  'a run breaks a law if %s',
  async (mutation, sentence, plan) => {
    const broken: string[] = [];
    for (let seed = 0; seed < 12 && !broken.some(law => law.includes(sentence)); seed++)
      broken.push(...(await simulate(seed, plan, mutation)).broken);
    expect(broken.filter(law => law.includes(sentence))).not.toEqual([]);
  },
);
