// Demonstrations on desktops whose programs do not always need the same time: a moment that a person leaves them and a replay does not, or a
// wait of the person that a replay does not need.

import { expect, test } from 'vitest';
import type { Action } from '../../runtime/core/action.ts';
import type { Desktop } from '../../runtime/core/desktop.ts';
import { desktopId, seed, taskId } from '../../runtime/core/ids.ts';
import type { Screen } from '../../runtime/core/screen.ts';
import { PocketDesktop } from '../../runtime/environments/pocket/desktop.ts';
import { POCKET, solutionOf } from '../../runtime/environments/pocket/tasks/suite.ts';
import { live } from './live.ts';

const TASK = 'settings-language';

/** The calls that concern no screen. */
const unchanged = (pocket: PocketDesktop): Pick<Desktop, 'id' | 'query' | 'setup' | 'judge' | 'close'> => ({
  id: pocket.id,
  query: getter => pocket.query(getter),
  setup: step => pocket.setup(step),
  judge: ending => pocket.judge(ending),
  close: () => pocket.close(),
});

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
    ...unchanged(pocket),
  };
  return { desktop, looks: () => looks };
}

/** Its programs show the effect of an action late in the recording, and at once in a replay. Its screens are not drawn again. */
function quickening() {
  const pocket = new PocketDesktop(desktopId('quickening'));
  let resets = 0;
  let [effect, looks] = [undefined as Screen | undefined, 0];
  const kept = (screen: Screen): Screen => ({
    ...screen,
    pixels: { ...screen.pixels, data: Uint8Array.from(screen.pixels.data) },
  });
  const desktop: Desktop = {
    reset: async (task, number) => {
      resets += 1;
      effect = kept(await pocket.reset(task, number));
      return effect;
    },
    act: async action => {
      const before = effect;
      effect = kept(await pocket.act(action));
      return resets === 1 && before !== undefined ? before : effect;
    },
    look: async () => {
      looks += 1;
      return effect ?? Promise.reject(new Error('It has not started.'));
    },
    ...unchanged(pocket),
  };
  return { desktop, looks: () => looks };
}

const INSTANCE = { task: taskId(TASK), seed: seed(0) };
const { actions: SOLUTION } = solutionOf(POCKET, POCKET.task(TASK, INSTANCE.seed), INSTANCE.seed);

/** A person solves the task, and looks once after each action. `rests`: then the pointer rests. Resolves with the kinds of the actions that are kept. */
async function recorded(
  { desktop, looks }: { readonly desktop: Desktop; readonly looks: () => number },
  rests = false,
) {
  const { recording, kept, until, act } = live([], {
    ...{ isAlone: true, task: POCKET.task(TASK, INSTANCE.seed), instance: INSTANCE },
    open: async () => ({ desktop, close: async () => undefined }),
  });
  await until(({ phase }) => phase === 'acting');
  for (const action of SOLUTION) {
    await act(action);
    const before = looks();
    for (let frame = 0; looks() === before; )
      ({
        result: { frame },
      } = await recording.look(frame, recording.state.change));
    if (rests) await act({ kind: 'move', at: { x: 1, y: 1 } });
  }
  await recording.finish('finished', undefined);
  expect(recording.state).toMatchObject({ isDeterministic: false, judgement: { success: true } });
  const said = recording.state.steps.map(({ says }) => says);
  await recording.save([]);
  await until(({ phase }) => phase !== 'checking');
  expect(recording.state.problem).toBeUndefined();
  expect(recording.state.note).toContain('policy learns from it.');
  return { said, kinds: kept[0]?.trajectory.steps.map(({ action }) => action.kind) };
}

test('a moment that a person leaves a program is a wait before each step of a replay', async () => {
  expect(SOLUTION.length).toBeGreaterThan(1);
  const { kinds } = await recorded(hasty());
  const done = SOLUTION.flatMap(({ kind }, index) => (index === 0 ? [kind] : ['wait', kind]));
  expect(kinds).toEqual([...done, 'wait', 'finished']);
});

test('a wait of the person that a replay does not need is left out', async () => {
  const { said, kinds } = await recorded(quickening());
  expect(said).toContain('wait until the screen has changed');
  expect(kinds).toEqual([...SOLUTION.map(({ kind }) => kind), 'finished']);
});

test('a pointer that rests does not end the wait of the person', async () => {
  const { said, kinds } = await recorded(quickening(), true);
  expect(said).toContain('wait until the screen has changed');
  expect(kinds).toEqual([...SOLUTION.map(({ kind }) => kind), 'finished']);
});
