// Merging the actions of a person: on pocket desktops with random input, the merged steps lead to the same state as the raw actions.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action } from '../../runtime/core/action.ts';
import { desktopId, seed } from '../../runtime/core/ids.ts';
import { key } from '../../runtime/core/key.ts';
import { centre, type Element, type Screen } from '../../runtime/core/screen.ts';
import { PocketDesktop } from '../../runtime/environments/pocket/desktop.ts';
import { SCREEN } from '../../runtime/environments/pocket/getters.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { NO_INPUT, nextInput, type PersonEvent } from '../../runtime/person/input.ts';
import { PersonDesktop } from '../../runtime/person/person-desktop.ts';
import { type PersonStep, withAction } from '../../runtime/person/steps.ts';

const TASKS = POCKET.templates.map(({ id }) => id);

/** The next gesture of a hand; a number between 0 and 1 picks the element. */
const gesture = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('click' as const),
      place: fc.double({ min: 0, max: 0.999, noNaN: true }),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('right' as const),
      place: fc.double({ min: 0, max: 0.999, noNaN: true }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('drag' as const),
      place: fc.double({ min: 0, max: 0.999, noNaN: true }),
      to: fc.double({ min: 0, max: 0.999, noNaN: true }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('wheel' as const),
      place: fc.double({ min: 0, max: 0.999, noNaN: true }),
      turns: fc.integer({ min: -5, max: 5 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('text' as const),
      text: fc.constantFrom('a', 'Ada', ' ', '12', '+', '\n', 'x y', '='),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('keys' as const),
      name: fc.constantFrom('tab', 'enter', 'esc', 'backspace', 'down', 'delete'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('rest' as const),
      place: fc.double({ min: 0, max: 0.999, noNaN: true }),
    }),
  },
);
type Gesture = typeof gesture extends fc.Arbitrary<infer G> ? G : never;

function eventsOf(made: Gesture, elements: readonly Element[]): readonly PersonEvent[] {
  const pointAt = (share: number) => {
    const element = elements[Math.floor(share * elements.length)];
    const at = element === undefined ? { x: 5, y: 5 } : centre(element.box);
    return { x: Math.min(at.x, SCREEN.width - 1), y: Math.min(at.y, SCREEN.height - 1) };
  };
  switch (made.kind) {
    case 'click': {
      const at = pointAt(made.place);
      return Array.from({ length: made.times }, () => [
        { kind: 'press', button: 'left', at } as const,
        { kind: 'release', button: 'left', at } as const,
      ]).flat();
    }
    case 'right':
      return (['press', 'release'] as const).map(kind => ({
        kind,
        button: 'right',
        at: pointAt(made.place),
      }));
    case 'drag':
      return [
        { kind: 'press', button: 'left', at: pointAt(made.place) },
        { kind: 'release', button: 'left', at: pointAt(made.to) },
      ];
    case 'wheel':
      return [{ kind: 'wheel', at: pointAt(made.place), x: 0, y: 120 * made.turns }];
    case 'text':
      return [...made.text].map(text => ({ kind: 'text', text }));
    case 'keys':
      return [{ kind: 'keys', keys: [key(made.name)] }];
    case 'rest':
      return [{ kind: 'rest', at: pointAt(made.place) }];
  }
}

const started = async (id: string, number: number) => {
  const desktop = new PocketDesktop(desktopId('person'));
  const task = POCKET.task(id, seed(number));
  return { desktop, task, screen: await desktop.reset(task, seed(number)) };
};

/** After a `wait`, which removes a notice on the screen. */
async function endOf(desktop: PocketDesktop, screen: Screen) {
  const { elements } = await desktop.act({ kind: 'wait' });
  const { score } = await desktop.judge('finished');
  return {
    elements,
    score,
    changes: await desktop.query({ type: 'pocket_changes' }),
    size: screen.pixels.width,
  };
}

describe('the merged steps', () => {
  test('lead to the same state as the actions of the person, whatever the input', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...TASKS),
        fc.integer({ min: 0, max: 31 }),
        fc.array(gesture, { minLength: 6, maxLength: 24 }),
        async (id, number, gestures) => {
          const { desktop, task } = await started(id, number);
          const { person } = await PersonDesktop.start(desktop, {
            ...{ task, seed: seed(number), clock: { now: () => 0, sleep: async () => undefined } },
          });
          let [input, time] = [NO_INPUT, 0];
          let steps: readonly PersonStep[] = [];
          for (const made of gestures)
            for (const event of eventsOf(made, person.screen.elements ?? [])) {
              time += 50;
              const { state, actions } = nextInput(input, { event, time });
              input = state;
              for (const action of actions) {
                const performed = await person.perform(action, steps);
                if (performed !== undefined) steps = withAction(steps, { ...performed, frame: 0 });
              }
            }
          const raw = await endOf(desktop, person.screen);
          const again = await started(id, number);
          let last = again.screen;
          for (const { action } of steps) last = await again.desktop.act(action);
          expect(await endOf(again.desktop, last)).toEqual(raw);
        },
      ),
      { numRuns: 200 },
    );
  });

  const all = (...actions: readonly [Action, (2 | 3)?][]): readonly Action[] =>
    actions
      .reduce<readonly PersonStep[]>(
        (steps, [action, press]) =>
          withAction(steps, { action, ...(press && { press }), frame: 0, elements: [] }),
        [],
      )
      .map(({ action }) => action);
  const at = { x: 3, y: 4 };

  test('join letters to one text, and presses to a double and a triple click', () => {
    expect(all([{ kind: 'type', text: 'a' }], [{ kind: 'type', text: 'b' }])).toEqual([
      { kind: 'type', text: 'ab' },
    ]);
    const click = { kind: 'click', at } as const;
    expect(all([click], [click, 2])).toEqual([{ kind: 'double_click', at }]);
    expect(all([click], [click, 2], [click, 3])).toEqual([{ kind: 'triple_click', at }]);
    expect(all([click], [click])).toEqual([click, click]);
  });

  test('never join a press with an action other than the click that it continues', () => {
    const click = { kind: 'click', at } as const;
    expect(all([{ kind: 'wait' }], [click, 2])).toEqual([{ kind: 'wait' }, click]);
  });
});
