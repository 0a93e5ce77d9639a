// The controls on pages of MiniWoB++.

import { expect, test } from 'vitest';
import { MINIWOB_CONTROL_ARMS, miniwobControlConfig } from '../../../runtime/bench/web/miniwob-controls.ts';

const configOf = (arm: (typeof MINIWOB_CONTROL_ARMS)[number]) => miniwobControlConfig(arm, 2, 'pages', 20);

test('arms differ in their teachers alone, and none has demonstrations', () => {
  const rest = MINIWOB_CONTROL_ARMS.map(arm => {
    const { trainer, exploring, ...config } = configOf(arm);
    return config;
  });
  for (const each of rest) expect(each).toEqual(rest[0]);
  expect(rest[0]).toMatchObject({ seed: 'miniwob-controls/2', demonstrations: 0, minutes: 20 });
});

test('each arm changes one teacher of the whole', () => {
  const all = configOf('all');
  expect(all.exploring.hindsight).toBe(false);
  expect(configOf('relabelled')).toEqual({ ...all, exploring: { ...all.exploring, hindsight: true } });
  expect(configOf('filtered')).toEqual({ ...all, trainer: { ...all.trainer, advantages: 'successes' } });
  expect(configOf('rl')).toEqual({ ...all, trainer: { ...all.trainer, cloneWeight: 0 } });
});
