// The outcome of an episode and the actions that it needs.

import { describe, expect, test } from 'vitest';
import type { Action } from '../../../runtime/core/action.ts';
import { seed } from '../../../runtime/core/ids.ts';
import { key } from '../../../runtime/core/key.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import type { Task } from '../../../runtime/core/task.ts';
import { currentOutcome, hindsight } from '../../../runtime/discovery/relabel/hindsight.ts';
import { SCREEN, startOf } from '../../../runtime/environments/pocket/getters.ts';
import { randomAction } from '../../../runtime/environments/pocket/random-agent.ts';
import {
  click,
  press,
  ScriptedUser,
  steps,
} from '../../../runtime/environments/pocket/tasks/scripted-user.ts';
import { POCKET } from '../../../runtime/environments/pocket/tasks/suite.ts';

const SEED = seed(3);
const WAIT: Action = { kind: 'wait' };

const instance = (id: string) => POCKET.task(id, SEED);

function actionsOf(task: Task, script: (hand: ScriptedUser) => void): readonly Action[] {
  const hand = new ScriptedUser(startOf(task).machine);
  script(hand);
  return hand.actions.filter(({ kind }) => kind !== 'finished' && kind !== 'fail');
}

const solution = (task: Task) => actionsOf(task, POCKET.instance(task.id, SEED).solve);

/** Kind and first words of what some actions do. */
function deed(task: Task, actions: readonly Action[]): string | undefined {
  const started = startOf(task);
  for (const action of actions) started.machine.perform(action);
  const done = currentOutcome(started);
  return done && `${done.kind}: ${done.ways[0]}`;
}

/** Actions that could be left out one by one. */
const spare = (task: Task, actions: readonly Action[]): readonly number[] =>
  actions.flatMap((_, index) =>
    deed(task, actions.toSpliced(index, 1)) === deed(task, actions) ? [index] : [],
  );

/** What their scripted solutions do has a name, and takes from one to seven actions. */
const NAMED = [
  ...[
    'mail-star',
    'mail-move',
    'mail-send',
    'contacts-add',
    'contacts-copy',
    'calendar-move',
    'calendar-rename',
  ],
  ...['calculator-chain', 'settings-theme'],
];

describe('hindsight', () => {
  test('finds the outcome of scripted solutions without a superfluous action', () => {
    for (const id of NAMED) {
      const task = instance(id);
      const actions = solution(task);
      const finding = hindsight(task, SEED, actions);
      if (finding === undefined) throw new Error(`What solves ${id} has no name.`);
      expect(finding).toMatchObject({ task: task.id, seed: SEED });
      expect(deed(task, finding.actions)).toBe(deed(task, actions));
      expect(`${finding.outcome.kind}: ${finding.outcome.ways[0]}`).toBe(deed(task, actions));
      expect(finding.actions.length).toBeLessThanOrEqual(actions.length);
      expect(spare(task, finding.actions), id).toEqual([]);
    }
  });

  test('leaves out waits and detours', () => {
    const task = instance('settings-theme');
    const actions = solution(task);
    const menu = actionsOf(task, steps(click('button', 'Apps'), press('esc')));
    const wandering = [WAIT, ...menu, WAIT, ...actions, WAIT, ...menu];
    expect(hindsight(task, SEED, wandering)?.actions).toEqual(hindsight(task, SEED, actions)?.actions);
  });

  test('finds nothing without a change, or after it was undone', () => {
    const task = instance('settings-theme');
    expect(hindsight(task, SEED, [])).toBeUndefined();
    expect(hindsight(task, SEED, [WAIT, { kind: 'hotkey', keys: [key('esc')] }])).toBeUndefined();
  });

  test('keeps actions in their order and invents none', () => {
    const task = instance('calendar-rename');
    const actions = [WAIT, ...solution(task), WAIT];
    const kept = hindsight(task, SEED, actions)?.actions ?? [];
    let from = 0;
    for (const action of kept) {
      from = actions.indexOf(action, from) + 1;
      expect(from).toBeGreaterThan(0);
    }
    expect(kept.length).toBeGreaterThan(0);
  });

  test('merges characters that were pressed one by one into typed text', () => {
    const task = instance('calculator-sum');
    const actions = actionsOf(task, steps(...[...'12+34='].map(character => click('button', character))));
    expect(hindsight(task, SEED, actions)?.actions).toEqual([{ kind: 'type', text: '12+34=' }]);
  });

  test('is repeatable and does not change the episode', () => {
    const task = instance('calendar-rename');
    const actions = Object.freeze([...solution(task), WAIT]);
    expect(hindsight(task, SEED, actions)).toBeDefined();
    expect(hindsight(task, SEED, actions)).toEqual(hindsight(task, SEED, actions));
  });

  test('leaves out what was needed only because of something else that is left out', () => {
    const task = instance('settings-theme');
    // The second click only closes the menu that the first one opened.
    const actions = actionsOf(
      task,
      steps(click('button', 'Apps'), click('label', 'Theme'), click('checkbox', 'Night light')),
    );
    const kept = hindsight(task, SEED, actions)?.actions ?? [];
    expect(kept.length).toBeGreaterThan(0);
    expect(spare(task, kept)).toEqual([]);
  });
});

test('of random play too the deed stays the same with fewer actions', () => {
  let found = 0;
  for (let play = 0; play < 60; play++) {
    const random = seeded(`random ${play}`);
    const task = instance(NAMED[play % NAMED.length] ?? '');
    const { machine } = startOf(task);
    const actions = Array.from({ length: 8 }, () => {
      const action = randomAction(random, machine.elements(), SCREEN);
      machine.perform(action);
      return action;
    });
    const finding = hindsight(task, SEED, actions);
    if (finding === undefined) continue;
    found += 1;
    expect(deed(task, finding.actions)).toBe(deed(task, actions));
    expect(finding.actions.length).toBeLessThanOrEqual(actions.length);
  }
  expect(found).toBeGreaterThan(3);
});
