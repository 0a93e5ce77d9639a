import { expect, test } from 'vitest';
import type { UncertainStep } from '../../../runtime/protocol/daemon/trajectories.ts';
import {
  galleryQuery,
  groupSteps,
  parseChoices,
  scaleLine,
  sectionTitle,
  shownAgents,
} from '../../../webview/uncertain/state.ts';

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

test('the gallery prefers the agent with the most trajectories until the user chooses one', () => {
  const agents = [
    { agent: 'compact', trajectories: 40 },
    { agent: 'ui-tars', trajectories: 64 },
  ];
  expect(shownAgents(parseChoices(undefined), agents)).toEqual(['ui-tars', 'compact']);
  expect(shownAgents(parseChoices({ agent: 'compact' }), agents)).toEqual(['compact']);
  expect(shownAgents(parseChoices(undefined), [])).toEqual([]);
});

test('steps of different estimators or agents are never in one order', () => {
  const model = (uncertainty: number, estimator: UncertainStep['estimator'], agent = 'ui-tars') => ({
    ...step('a', 'success', uncertainty),
    ...{ agent, estimator },
  });
  const mixed = [
    ...steps,
    model(2.5, 'top-k'),
    model(0.7, 'surprisal'),
    model(0.4, 'top-k'),
    model(1.9, 'top-k', 'qwen'),
  ];
  const groups = groupSteps(mixed, '');
  expect(
    groups.map(group => [sectionTitle(group, groups), group.steps.map(each => each.uncertainty)]),
  ).toEqual([
    ['compact', [0.9, 0.5, 0.2]],
    ['ui-tars, entropy by top-k', [2.5, 0.4]],
    ['ui-tars, entropy by surprisal', [0.7]],
    ['qwen, entropy by top-k', [1.9]],
  ]);
  // A full bar is the largest entropy of the scale, and at least 1 nat.
  expect(groups.map(({ maximum }) => maximum)).toEqual([1, 2.5, 1, 1.9]);
  expect(scaleLine(groups[1]?.scale)).toContain('top-k');
  const tasks = groupSteps(mixed, 'task');
  expect(tasks.map(group => sectionTitle(group, tasks))).toContain('ui-tars, entropy by top-k: a');
});
