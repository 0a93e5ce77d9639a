// The desktop that a person uses: double clicks of every kind of desktop, moves without an effect, and pictures.

import { describe, expect, test } from 'vitest';
import type { Action } from '../../runtime/core/action.ts';
import { seed } from '../../runtime/core/ids.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { PersonDesktop } from '../../runtime/person/person-desktop.ts';
import { type PersonStep, withAction } from '../../runtime/person/steps.ts';
import { compressRows } from '../../runtime/rollout/film.ts';
import { CountedDesktop } from './counted-desktop.ts';

const TASK = POCKET.task(POCKET.tasks('train')[0] ?? '', seed(0));
const NOW = { time: 0 };
const CLOCK = {
  now: () => NOW.time,
  sleep: async (ms: number) => {
    NOW.time += ms;
  },
};
const INSTANCE = { task: TASK, seed: seed(0), clock: CLOCK };
const AT = { x: 1, y: 1 };
const CLICK: Action = { kind: 'click', at: AT };

async function started(change: (desktop: CountedDesktop) => void = () => undefined) {
  const desktop = new CountedDesktop();
  change(desktop);
  let compressed = 0;
  const { person } = await PersonDesktop.start(desktop, {
    ...INSTANCE,
    compress: (...of) => {
      compressed += 1;
      return compressRows(...of);
    },
  });
  desktop.calls.length = 0;
  let steps: readonly PersonStep[] = [];
  const perform = async (action: Action, press?: 2 | 3) => {
    const performed = await person.perform({ action, ...(press && { press }) }, steps);
    if (performed !== undefined) steps = withAction(steps, { ...performed, frame: person.frame });
  };
  return {
    desktop,
    person,
    perform,
    compressed: () => compressed,
    kinds: () => steps.map(({ action }) => action.kind),
  };
}

describe('a second press', () => {
  test('is another click on a desktop that counts quick clicks itself', async () => {
    const { desktop, perform, kinds } = await started();
    await perform(CLICK);
    await perform(CLICK, 2);
    expect(desktop.calls).toEqual(['click', 'click']);
    expect(kinds()).toEqual(['double_click']);
  });

  test('repeats all presses if the desktop has begun to count anew', async () => {
    const { desktop, perform, kinds } = await started();
    await perform(CLICK);
    NOW.time += 1000;
    await perform(CLICK, 2);
    NOW.time += 1000;
    await perform(CLICK, 3);
    expect(desktop.calls).toEqual(['click', 'double_click', 'triple_click']);
    expect(kinds()).toEqual(['triple_click']);
  });

  test('repeats all presses only when the desktop surely counts anew', async () => {
    const { desktop, perform, kinds } = await started();
    await perform(CLICK);
    const clicked = NOW.time;
    NOW.time += 350;
    const acted = new Promise<number>(resolve => {
      desktop.act = async action => {
        resolve(NOW.time - clicked);
        return desktop.shown(action.kind);
      };
    });
    await perform(CLICK, 2);
    expect(await acted).toBe(600);
    expect(desktop.calls).toEqual(['click', 'double_click']);
    expect(kinds()).toEqual(['double_click']);
  });

  test('is passed on as such to a desktop that offers it', async () => {
    const { desktop, perform, kinds } = await started(made => {
      made.clickAgain = async (_, press) => made.shown(`press ${press}`);
    });
    await perform(CLICK);
    await perform(CLICK, 2);
    await perform(CLICK, 3);
    expect(desktop.calls).toEqual(['click', 'press 2', 'press 3']);
    expect(kinds()).toEqual(['triple_click']);
  });

  test('replaces the first on a desktop that repeats its states', async () => {
    const { desktop, perform } = await started(made => {
      made.renderer = 'exact';
    });
    await perform({ kind: 'wait' });
    await perform(CLICK);
    await perform(CLICK, 2);
    expect(desktop.calls).toEqual(['wait', 'click', 'reset', 'wait', 'double_click']);
  });

  test('on a button is a click of its own', async () => {
    const box = { x: 0, y: 0, width: 2, height: 2 };
    const { perform, kinds } = await started(made => {
      made.elements = [{ role: 'button', name: '1', value: '', states: [], box }];
    });
    await perform(CLICK);
    await perform(CLICK, 2);
    await perform(CLICK, 3);
    expect(kinds()).toEqual(['click', 'click', 'click']);
  });
});

test('a move of the pointer that changes nothing is no step', async () => {
  const { perform, kinds } = await started();
  await perform({ kind: 'move', at: AT });
  expect(kinds()).toEqual([]);
});

test('nothing is compressed unless somebody looks, and then each screen once', async () => {
  const { person, perform, compressed } = await started();
  for (let count = 0; count < 5; count++) await perform(CLICK);
  expect(compressed()).toBe(0);
  const first = person.picture();
  expect(person.picture()).toBe(first);
  expect(compressed()).toBe(1);
  await perform(CLICK);
  expect(person.frame).toBe(first.frame + 1);
  expect(compressed()).toBe(1);
});

test('the picture that a person saw stays until no step needs it', async () => {
  const { person, perform } = await started();
  const seen = person.picture();
  for (let count = 0; count < 20; count++) {
    await perform(CLICK);
    person.picture();
  }
  person.forget([{ action: CLICK, frame: seen.frame, says: '' }]);
  expect(person.pictureOf(seen.frame)).toBe(seen);
  person.forget([]);
  expect(person.pictureOf(seen.frame)).not.toBe(seen);
});

test('a screen that changed clearly by itself since the last action was waited for, a small change was not', async () => {
  const { desktop, person, perform } = await started(made => {
    made.look = async () => made.shown('look');
  });
  await perform(CLICK);
  expect(person.hasWaited).toBe(false);
  await person.look();
  expect(person.hasWaited).toBe(true);
  await perform(CLICK);
  expect(person.hasWaited).toBe(false);
  desktop.look = async () => desktop.shown('look', true);
  await person.look();
  expect(person.hasWaited).toBe(false);
});
