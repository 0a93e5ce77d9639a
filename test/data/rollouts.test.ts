// Trajectories in the form that groups need: the comparison of a turn of several actions with an expert.

import { expect, test } from 'vitest';
import type { Step } from '../../runtime/core/step.ts';
import type { Trace } from '../../runtime/core/trace.ts';
import { rolloutOf } from '../../runtime/data/rollouts.ts';
import { step, trajectory } from './trajectories.ts';

const OBSERVATION = { encoding: 'test', bytes: new Uint8Array([1]) };
const SAME_TURN: Trace = { kind: 'same-turn' };

const matched = (at: number, score: number): Step => ({
  ...{ ...step(1, 0.5), observation: OBSERVATION },
  match: { step: at, score },
});

const later = (at: number, score: number): Step => {
  const { observation: _, chosen, ...rest } = matched(at, score);
  return { ...rest, ...(chosen && { chosen: { ...chosen, trace: SAME_TURN } }) };
};

test('a turn has the score of its worst action, at the place of its first', () => {
  const steps = [matched(0, 1), later(1, 0.1), matched(2, 1), matched(3, 0.5), later(4, 1)];
  expect(rolloutOf(trajectory('t', { steps }))?.matches).toEqual([
    { step: 0, score: 0.1 },
    { step: 2, score: 1 },
    { step: 3, score: 0.5 },
  ]);
});

test('rollouts on desktops have no comparison', () => {
  const steps = [{ ...step(1, 0.5), observation: OBSERVATION }];
  expect(rolloutOf(trajectory('t', { steps }))).not.toHaveProperty('matches');
});
