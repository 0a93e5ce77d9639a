// The arms of a comparison: which runs form one, its name, and the settings that differ.

import { describe, expect, test } from 'vitest';
import { armsOf } from '../../runtime/compare/arms.ts';
import { defaults } from '../../runtime/config/presets.ts';
import { compared, graded, recordedEvaluation, recordedRun } from './recorded-runs.ts';

describe('arms', () => {
  test('runs that differ by their seeds alone form one arm', () => {
    const arms = armsOf([recordedRun('a'), graded('b'), recordedRun('c'), graded('d')]);
    expect(arms.map(({ letter, name, sides }) => [letter, name, sides.map(side => side.name)])).toEqual([
      ['A', 'curation dart', ['a', 'c']],
      ['B', 'curation grpo', ['b', 'd']],
    ]);
  });

  test('a run from a checkpoint is no seed of a run from random weights', () => {
    const names = armsOf([recordedRun('a'), recordedRun('b', { from: 'x' })]).map(({ name }) => name);
    expect(names).toEqual(['from scratch', 'from x']);
  });

  test('runs from one checkpoint form an arm, which has its name', () => {
    const from = (run: string, version = 900) =>
      `.dartboard/runs/${run}/checkpoints/checkpoint-${version}.safetensors`;
    const [one, two, three] = [from('one'), from('two'), from('two', 1800)];
    const arms = armsOf([
      recordedRun('a', { from: one }),
      recordedRun('b', { from: two }),
      recordedRun('c', { from: one }),
      recordedRun('d', { from: two }),
      recordedRun('e', { from: three }),
    ]);
    expect(arms.map(({ name, sides }) => [name, sides.map(side => side.name)])).toEqual([
      ['from one 900', ['a', 'c']],
      ['from two 900', ['b', 'd']],
      ['from two 1800', ['e']],
    ]);
  });

  test('a run without a readable configuration forms an arm of its own', () => {
    const { config: _, ...damaged } = recordedRun('b');
    const { arms } = compared(recordedRun('a'), damaged, recordedRun('c'));
    expect(arms.map(({ members }) => members)).toEqual([['a', 'c'], ['b']]);
  });

  test('the settings that differ are listed, the seed is not', () => {
    const config = defaults({});
    const other = {
      ...config,
      seed: 'b',
      trainer: { ...config.trainer, learningRate: 0.123 },
    };
    const { settings, arms } = compared(recordedRun('a'), recordedRun('b', { config: other }));
    expect(settings).toEqual([
      { path: 'trainer.learningRate', values: [String(config.trainer.learningRate), '0.123'] },
    ]);
    expect(arms[1]?.name).toBe('learningRate 0.123');
  });

  test('agents that do not play form no arms, and are not listed', () => {
    const agents = { mine: { profile: 'generic', model: 'm', url: 'http://secret.example/v1' } } as const;
    const { arms, settings } = compared(
      recordedRun('a'),
      recordedRun('b', { config: { ...defaults({}), seed: 'b', agents } }),
    );
    expect(arms).toHaveLength(1);
    expect(settings).toEqual([]);
    const playing = { ...defaults({}), agents, agent: 'mine' };
    const other = { ...playing, agents: { mine: { ...agents.mine, model: 'n' } } };
    const played = compared(recordedRun('a', { config: playing }), recordedRun('b', { config: other }));
    expect(played.settings.map(({ path }) => path)).toEqual(['agents.mine.model']);
  });

  test('all names of arms are different', () => {
    const { arms } = compared(
      recordedRun('a'),
      graded('b'),
      recordedEvaluation('evaluate-1', () => true),
      recordedEvaluation('evaluate-2', () => false),
    );
    expect(new Set(arms.map(({ name }) => name)).size).toBe(4);
  });
});
