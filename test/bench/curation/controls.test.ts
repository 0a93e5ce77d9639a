// The arms of the controls, and their figures.

import { expect, test } from 'vitest';
import {
  CONTROL_ARMS,
  type ControlArm,
  controlConfig,
  controlsResult,
} from '../../../runtime/bench/curation/controls.ts';
import {
  DOCKER_ARMS,
  dockerControlConfig,
  dockerControlsResult,
} from '../../../runtime/bench/docker/controls.ts';
import { learningConfig } from '../../../runtime/bench/docker/learn.ts';
import { parseConfig } from '../../../runtime/config/config.ts';
import { taskId } from '../../../runtime/core/ids.ts';

const SETTING = { image: 'small', cloningMinutes: 0.1, learningMinutes: 2, demonstrations: 5, instances: 4 };

test('arms of tier 1 have equal seeds, desktops, minutes and evaluations, and differ in their teachers alone', () => {
  const [all, ...others] = CONTROL_ARMS.map(arm => controlConfig(arm, 2, 5));
  const defaults = parseConfig({ suite: { tiers: [1] }, seed: 'controls/2', minutes: 5 });
  expect({ ...all, evaluation: undefined }).toEqual({ ...defaults, evaluation: undefined });
  for (const { trainer: _, exploring: __, ...rest } of others) expect(all).toMatchObject(rest);
});

test('only arms with groups have a policy loss, and `rl` imitates nothing', () => {
  const trainers = (arms: readonly { readonly trainer: ReturnType<typeof parseConfig>['trainer'] }[]) =>
    arms.map(({ trainer: { policyWeight, replay, passes } }) => ({
      hasLoss: policyWeight > 0,
      imitates: replay > 0 && Object.values(passes).some(count => count > 0),
    }));
  const expected = (names: readonly string[], withLoss: readonly string[]) =>
    names.map(name => ({ hasLoss: withLoss.includes(name), imitates: name !== 'rl' }));
  expect(trainers(CONTROL_ARMS.map(arm => controlConfig(arm, 0, 5)))).toEqual(
    expected(CONTROL_ARMS, ['all', 'rl']),
  );
  expect(trainers(DOCKER_ARMS.map(arm => dockerControlConfig(arm, 0, SETTING)))).toEqual(
    expected(DOCKER_ARMS, ['all', 'filtered', 'rl']),
  );
});

test('on Docker `filtered` differs from `all` in its advantages alone', () => {
  const all = dockerControlConfig('all', 0, SETTING);
  expect(dockerControlConfig('filtered', 0, SETTING)).toEqual({
    ...all,
    trainer: { ...all.trainer, advantages: 'successes' },
  });
});

test('`filtered` imitates successes alone, and `hindsight` everything but them', () => {
  const shares = (arm: ControlArm) => controlConfig(arm, 0, 5).trainer.shares;
  expect(shares('filtered')).toMatchObject({ hindsight: 0, beside: 0, grounding: 0, successes: 2 });
  expect(shares('hindsight')).toMatchObject({ successes: 0, grounding: 0, hindsight: 2 });
  expect(controlConfig('filtered', 0, 5).exploring.hindsight).toBe(false);
});

test('on Docker `all` is the training of the benchmark, and `imitation` has its minutes, tasks and demonstrations', () => {
  const all = dockerControlConfig('all', 1, SETTING);
  expect(all).toEqual(learningConfig(SETTING, 1));
  const { minutes, suite, demonstrations, environments, seed } = all;
  expect(dockerControlConfig('imitation', 1, SETTING)).toMatchObject({
    ...{ minutes, suite, demonstrations, environments, seed },
    trainer: { policyWeight: 0, shares: { successes: 0 } },
  });
});

test('the large image trains its own tasks, and those of the small one', () => {
  const [small, large] = ['dartboard-small:0', 'dartboard-large:0'].map(image => {
    const { suite, environments } = dockerControlConfig('all', 0, { ...SETTING, image });
    expect(environments.docker.image).toBe(image);
    return 'tasks' in suite ? suite.tasks : [];
  });
  expect(large).toEqual(expect.arrayContaining([...(small ?? [])]));
  expect(large).toContainEqual(expect.stringMatching(/^calc-/));
  expect(small).not.toContainEqual(expect.stringMatching(/^calc-/));
});

test('on Docker the arm of RL alone has no demonstrations, which could replace a failure', () => {
  const demonstrations = DOCKER_ARMS.map(arm => dockerControlConfig(arm, 0, SETTING).demonstrations);
  expect(demonstrations).toEqual(DOCKER_ARMS.map(arm => (arm === 'rl' ? 0 : 5)));
});

test('the figures of tier 1 are pooled over the seeds, and the gain is paired by seed', () => {
  const run = (successes: number) => ({ course: [{ steps: 100, successes, trials: 10 }] });
  const { figures, certainty } = controlsResult(
    new Map([
      ['all', [run(8), run(9)]],
      ['imitation', [run(6), run(8)]],
    ]),
    2,
    [['all', 'imitation']],
  );
  expect(figures).toMatchObject({ arms: 2, seeds: 2, success_all: 0.85, success_imitation: 0.7 });
  expect(figures['all_over_imitation']).toBeCloseTo(0.15, 9);
  // Student's interval of 0.2 and 0.1: 0.15 ± 12.706 · 0.05.
  expect(certainty?.['all_over_imitation']?.low).toBeCloseTo(0.15 - 12.706 * 0.05, 3);
});

test('a gain is that of the seeds which both arms have', () => {
  const run = (successes: number) => ({ course: [{ steps: 100, successes, trials: 10 }] });
  const { figures, config } = controlsResult(
    new Map([
      ['all', [run(8), run(9), run(1)]],
      ['imitation', [run(6), run(8)]],
    ]),
    3,
    [['all', 'imitation']],
  );
  expect(figures['all_over_imitation']).toBeCloseTo(0.15, 9);
  expect(config['seedsOfArms']).toEqual({ all: 3, imitation: 2 });
});

test('the gain of RL over imitation is the mean over the tasks, and one seed has no interval', () => {
  const task = (name: string, successes: number) => ({
    ...{ task: taskId(name), successes, trials: 4, broken: 0 },
  });
  const { figures, certainty } = dockerControlsResult(
    [[task('a', 0), task('b', 0)]],
    new Map([
      ['all', [[task('a', 4), task('b', 3)]]],
      ['imitation', [[task('a', 2), task('b', 3)]]],
    ]),
    1,
  );
  expect(figures).toMatchObject({
    ...{ arms: 2, seeds: 1, success_cloned: 0, success_all: 0.875, success_imitation: 0.625 },
    rl_over_imitation: 0.25,
  });
  expect(figures).not.toHaveProperty('rl_over_imitation_ci_low');
  expect(certainty?.['rl_over_imitation']).toEqual({});
});
