// The learner is killed at every point in turn: before and after each write of its journal, and before and after each request. A learner
// that opens the same journal continues, and each update is applied once.

import { describe, expect, test } from 'vitest';
import type { TinkerLearner } from '../../../runtime/learner/tinker/tinker-learner.ts';
import { HOSTED, JSON_SERVER, type TinkerTraits } from '../../doubles/tinker/traits.ts';
import { assess, LIVE, lab, settled } from './lab.ts';
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

  test('publishes at the first attempt after a kill at any point of a publication', async () => {
    const killedAt = async (lastPoint: number) => {
      const shared = lab({ traits, learner });
      const first = new Process(shared.server, shared.files, lastPoint);
      const killed = await settled(shared.clock, shared.open({ transport: first, files: first }));
      await assess(shared, killed);
      const { points: before } = first;
      const publish = (of: TinkerLearner) => settled(shared.clock, of.publish(LIVE));
      await publish(killed).catch((error: unknown) => {
        if (first.isAlive) throw error;
      });
      const { points: after } = first;
      first.kill();
      const second = new Process(shared.server, shared.files);
      const next = await settled(shared.clock, shared.open({ transport: second, files: second }));
      const { step, path } = await publish(next);
      return { step, isStored: shared.server.disk.has(path), before, after };
    };
    const { before, after } = await killedAt(Infinity);
    expect(after).toBeGreaterThan(before + 2);
    for (let point = before; point < after; point++)
      expect({ point, ...(await killedAt(point)) }).toMatchObject({ point, step: 0, isStored: true });
  });
});
