// A demonstration on a desktop whose programs need a moment after each action, which a person leaves them and a replay does not.

import { expect, test } from 'vitest';
import type { Action } from '../../runtime/core/action.ts';
import type { Desktop } from '../../runtime/core/desktop.ts';
import { desktopId, seed, taskId } from '../../runtime/core/ids.ts';
import type { Screen } from '../../runtime/core/screen.ts';
import { PocketDesktop } from '../../runtime/environments/pocket/desktop.ts';
import { POCKET, solutionOf } from '../../runtime/environments/pocket/tasks/suite.ts';
import { live } from './live.ts';

const TASK = 'settings-language';

/** It loses an action that follows another one without a wait or a look. Its screens are not drawn again. */
function hasty() {
  const pocket = new PocketDesktop(desktopId('hasty'));
  let [isReady, looks] = [true, 0];
  let shown: Screen | undefined;
  const perform = async (action: Action): Promise<Screen> => {
    if (!isReady && action.kind !== 'wait' && shown !== undefined) return shown;
    isReady = action.kind === 'wait';
    shown = await pocket.act(action);
    return shown;
  };
  const desktop: Desktop = {
    id: pocket.id,
    reset: async (task, number) => {
      isReady = true;
      const first = await pocket.reset(task, number);
      shown = first;
      return first;
    },
    act: perform,
    look: async () => {
      [isReady, looks] = [true, looks + 1];
      return shown ?? Promise.reject(new Error('It has not started.'));
    },
    query: getter => pocket.query(getter),
    setup: step => pocket.setup(step),
    judge: ending => pocket.judge(ending),
    close: () => pocket.close(),
  };
  return { desktop, looks: () => looks };
}

test('is replayed with a wait before each step, and the policy learns from it', async () => {
  const { desktop, looks } = hasty();
  const instance = { task: taskId(TASK), seed: seed(0) };
  const task = POCKET.task(TASK, instance.seed);
  const { actions } = solutionOf(POCKET, task, instance.seed);
  expect(actions.length).toBeGreaterThan(1);
  const { recording, kept, until, act } = live([], {
    ...{ isAlone: true, task, instance, open: async () => ({ desktop, close: async () => undefined }) },
  });
  await until(({ phase }) => phase === 'acting');
  for (const action of actions) {
    await act(action);
    const before = looks();
    for (let frame = 0; looks() === before; )
      ({
        result: { frame },
      } = await recording.look(frame, recording.state.change));
  }
  await recording.finish('finished', undefined);
  expect(recording.state).toMatchObject({ isDeterministic: false, judgement: { success: true } });
  await recording.save([]);
  await until(({ phase }) => phase !== 'checking');
  expect(recording.state.problem).toBeUndefined();
  const kinds = kept[0]?.trajectory.steps.map(({ action }) => action.kind) ?? [];
  const done = actions.flatMap(({ kind }, index) => (index === 0 ? [kind] : ['wait', kind]));
  expect(kinds).toEqual([...done, 'wait', 'finished']);
  expect(recording.state.note).toContain('policy learns from it.');
});
