// Random faults at random requests, in a learner that is killed at random points of several lives: each update is applied once.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Random, seeded } from '../../../runtime/core/rng.ts';
import { FAULTS, FaultyTransport } from '../../doubles/tinker/faults.ts';
import { HOSTED, JSON_SERVER } from '../../doubles/tinker/traits.ts';
import { type Lab, lab } from './lab.ts';
import { Process } from './process.ts';
import { train } from './training.ts';

const LIVES = 4;

async function trained(of: Lab, random: Random | undefined) {
  const lastPoint = (life: number) => (random === undefined || life >= LIVES ? Infinity : random.int(120));
  // The faults end with the lives, so that the training ends.
  const faulty = new FaultyTransport(of.server, request =>
    random === undefined || request > 200 || random.next() > 0.1
      ? undefined
      : FAULTS[random.int(FAULTS.length)],
  );
  let life = 0;
  let process = new Process(faulty, of.files, lastPoint(life));
  const open = () => {
    if (!process.isAlive) {
      life += 1;
      process = new Process(faulty, of.files, lastPoint(life));
    }
    return of.open({ transport: process, files: process });
  };
  return train(of, open, () => !process.isAlive);
}

test.each([
  ['with protobuf and numbered requests', HOSTED],
  ['with JSON and without numbers', JSON_SERVER],
  ['with room for one model', { ...HOSTED, room: 1 }],
])('a server %s applies each update once', async (_, traits) => {
  const { state, present } = await trained(lab({ traits }), undefined);
  await fc.assert(
    fc.asyncProperty(fc.integer(), async seed => {
      const result = await trained(lab({ traits }), seeded(seed));
      expect(result).toMatchObject({ state, present });
    }),
    { numRuns: 60 },
  );
});
