// The learner is killed at every point in turn: before and after each write of its journal, and before and after each request. A learner
// that opens the same journal continues, and each update is applied once.

import { describe, expect, test } from 'vitest';
import { HOSTED, JSON_SERVER, type TinkerTraits } from '../../doubles/tinker/traits.ts';
import { lab } from './lab.ts';
import { Process } from './process.ts';
import { train } from './training.ts';

async function trained(
  traits: Partial<TinkerTraits>,
  learner: Partial<{ readonly reduction: 'row-mean' }>,
  lastPoint = Infinity,
) {
  const shared = lab({ traits, learner });
  let process = new Process(shared.server, shared.files, lastPoint);
  let kills = 0;
  const open = () => {
    if (!process.isAlive) {
      kills += 1;
      process = new Process(shared.server, shared.files);
    }
    return shared.open({ transport: process, files: process });
  };
  const result = await train(shared, open, () => !process.isAlive);
  return { ...result, points: process.points, kills, files: [...shared.files.contents.keys()] };
}

describe.each([
  ['with protobuf and numbered requests', HOSTED, {}],
  ['with JSON and without numbers', JSON_SERVER, {}],
  ['with room for one model', { ...HOSTED, room: 1 }, {}],
  ['that takes the mean over rows', { ...HOSTED, reduction: 'row-mean' }, { reduction: 'row-mean' }],
  [
    'with JSON, without numbers, with room for one model, that takes the mean over rows',
    { ...JSON_SERVER, room: 1, reduction: 'row-mean' },
    { reduction: 'row-mean' },
  ],
] as const)('a server %s', (_, traits, learner) => {
  test('applies each update once, wherever the learner is killed', async () => {
    const { points, kills, files, state, present } = await trained(traits, learner);
    expect({ kills, files, steps: state.steps }).toEqual({ kills: 0, files: ['learner.json'], steps: 2 });
    for (let point = 0; point < points; point++) {
      const killed = await trained(traits, learner, point);
      expect({ ...killed, point }).toMatchObject({ point, kills: 1, state, present });
      // What the server recognises is not lost.
      if (traits.recognisesRepeats) expect({ point, lost: killed.lost }).toEqual({ point, lost: 0 });
    }
  });
});
