import { expect, test } from 'vitest';
import type { UncertainStep } from '../../../runtime/protocol/daemon/trajectories.ts';
import { galleryQuery, groupSteps, parseChoices } from '../../../webview/uncertain/state.ts';

const step = (task: string, outcome: UncertainStep['outcome'], uncertainty: number): UncertainStep => ({
  trajectory: `${task}-${uncertainty}`,
  step: 0,
  task,
  seed: 0,
  instruction: '',
  outcome,
  kind: 'click',
  uncertainty,
  probability: 0.5,
  version: 1,
});
const steps = [step('a', 'success', 0.2), step('b', 'failure', 0.9), step('a', 'failure', 0.5)];

test.each([
  ['', [['', [0.9, 0.5, 0.2]]]],
  [
    'task',
    [
      ['b', [0.9]],
      ['a', [0.5, 0.2]],
    ],
  ],
  [
    'outcome',
    [
      ['Failure', [0.9, 0.5]],
      ['Success', [0.2]],
    ],
  ],
] as const)('grouped by %j, the least certain come first', (by, groups) => {
  const shown = groupSteps(steps, by).map(group => [group.title, group.steps.map(each => each.uncertainty)]);
  expect(shown).toEqual(groups);
});

test('a group requests fewer steps than the ungrouped gallery', () => {
  const all = galleryQuery(parseChoices(undefined), 'a-run', undefined);
  const each = galleryQuery(
    parseChoices({ by: 'task', outcome: 'failure', tier: '2' }),
    undefined,
    'ui-tars',
  );
  expect(all.filter).toEqual({ run: 'a-run' });
  expect(each).toMatchObject({
    by: 'task',
    filter: { outcomes: ['failure'], tiers: [2], agents: ['ui-tars'] },
  });
  expect(each.limit).toBeLessThan(all.limit);
});
