// What scripted solutions do can be told by a policy's choices, and those choices solve the task: of every task, step by step.

import { expect, test } from 'vitest';
import { actionOf, choicesFor } from '../../../runtime/agents/compact/act.ts';
import { splitIntoActions } from '../../../runtime/agents/compact/action-parts.ts';
import { ScreenObserver } from '../../../runtime/agents/compact/screen-observer.ts';
import { tokenAt } from '../../../runtime/agents/compact/token-at.ts';
import type { Tokens } from '../../../runtime/agents/compact/token-features.ts';
import type { Action } from '../../../runtime/core/action.ts';
import { desktopId, seed } from '../../../runtime/core/ids.ts';
import { isInfeasible, type Task } from '../../../runtime/core/task.ts';
import { PocketDesktop } from '../../../runtime/environments/pocket/desktop.ts';
import { startOf } from '../../../runtime/environments/pocket/getters.ts';
import { ScriptedUser } from '../../../runtime/environments/pocket/tasks/scripted-user.ts';
import { POCKET } from '../../../runtime/environments/pocket/tasks/suite.ts';
import { Episode } from '../../../runtime/rollout/episode.ts';

const desktop = new PocketDesktop(desktopId('scripted'));

/** The scripted solution, with a last word that says no more than a policy can. */
function scripted(task: Task, number: number): readonly Action[] {
  const hand = new ScriptedUser(startOf(task).machine);
  POCKET.instance(task.id, number).solve(hand);
  const acted = hand.actions.filter(({ kind }) => kind !== 'finished' && kind !== 'fail');
  return [...acted, isInfeasible(task) ? { kind: 'fail', why: '' } : { kind: 'finished', answer: '' }];
}

/** What is scrolled may be a list whose middle another thing covers: then that thing is meant as well. */
const meant = (tokens: Tokens, action: Action): unknown =>
  action.kind === 'scroll' ? { ...action, at: tokenAt(tokens, action.at) } : action;

/** Plays a scripted solution by choices; whether all of it could be told. */
async function playedByChoices(task: Task, number: number): Promise<boolean> {
  const options = { task, seed: seed(number), maxSteps: Number.POSITIVE_INFINITY };
  const episode = await Episode.start(desktop, options);
  const observer = new ScreenObserver(episode.instruction, 'screenshot_a11y_tree', episode.screen);
  for (const action of scripted(task, number)) {
    const parts = splitIntoActions(observer.tokens, episode.instruction, action);
    if (parts === undefined) {
      // Only a text can be beyond what is copied: one that stands nowhere as a whole.
      expect(action.kind).toBe('type');
      return false;
    }
    for (const part of parts) {
      const { instruction } = episode;
      const { tokens } = observer;
      const choices = choicesFor(tokens, instruction, part);
      if (choices === undefined)
        throw new Error(`${task.instruction} No choices for ${JSON.stringify(part)}.`);
      const made = actionOf(tokens, instruction, choices);
      expect(meant(tokens, made), task.instruction).toEqual(meant(tokens, part));
      await episode.act(made);
      if (episode.end === undefined) observer.acted(made, episode.screen);
    }
  }
  expect(episode.end?.verdict.score, task.instruction).toBe(1);
  return true;
}

test.each([0, 1000])(
  'choices make each scripted step, and solve most tasks, of instance %i',
  async number => {
    const told: string[] = [];
    for (const { id } of POCKET.templates)
      if (await playedByChoices(POCKET.task(id, seed(number)), number)) told.push(id);
    expect(told.length).toBeGreaterThan(0.7 * POCKET.templates.length);
    // All that needs one application can be told, but for dates that nothing on the screen writes.
    const single = POCKET.templates.filter(
      ({ apps, id }) => apps.length === 1 && !id.startsWith('calendar-'),
    );
    expect(single.map(({ id }) => id).filter(id => !told.includes(id))).toEqual([]);
  },
);
