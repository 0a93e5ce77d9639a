// The scripts without a browser: on screens made by hand.

import { describe, expect, test } from 'vitest';
import type { Element, Pixels, Screen } from '../../../../../runtime/core/screen.ts';
import { KNOWN_PAGES } from '../../../../../runtime/environments/web/miniwob/catalogue.ts';
import {
  miniwobOracle,
  ORACLE_PAGES,
} from '../../../../../runtime/environments/web/miniwob/oracle/oracles.ts';

const SIZE = { width: 160, height: 210 };

const PIXELS: Pixels = {
  ...SIZE,
  layout: 'rgb',
  data: new Uint8Array(SIZE.width * SIZE.height * 3).fill(255),
};

function element(role: string, name: string, y: number, more: Partial<Element> = {}): Element {
  return { role, name, value: '', states: [], box: { x: 10, y, width: 20, height: 10 }, ...more };
}

const screen = (...elements: readonly Element[]): Screen => ({ pixels: PIXELS, elements });

function oracle(page: string, instruction: string) {
  const found = miniwobOracle(page, instruction);
  if (found === undefined) throw new Error(`${page} has no oracle`);
  return found;
}

test('at least 40 known pages have a script, others have none', () => {
  expect(ORACLE_PAGES.length).toBeGreaterThanOrEqual(40);
  expect(ORACLE_PAGES.filter(page => !KNOWN_PAGES.includes(page))).toEqual([]);
  expect(miniwobOracle('drag-cube', 'Move the cube.')).toBeUndefined();
});

test('a script ends with the action finished', () => {
  const act = oracle('click-test', 'Click the button.');
  const shown = screen(element('button', 'Click Me!', 80));
  expect(act(shown)).toEqual({ kind: 'click', at: { x: 20, y: 85 } });
  expect(act(shown)).toEqual({ kind: 'finished', answer: '' });
});

test('a script ignores the words of the instruction on the screen', () => {
  const act = oracle('click-link', 'Click on the link "sit".');
  const shown = screen(element('label', 'sit', 5), element('label', 'sit', 70));
  expect(act(shown)).toMatchObject({ at: { y: 75 } });
});

test('a script follows what the screen shows after its actions', () => {
  const act = oracle('click-tab-2', 'Switch between the tabs to find and click on the link "sed".');
  const tabs = ['Tab #1', 'Tab #2', 'Tab #3'].map((name, index) =>
    element('tab', name, 55, { box: { x: 10 + 40 * index, y: 55, width: 30, height: 10 } }),
  );
  const first = screen(
    ...tabs.map((tab, index) => (index === 0 ? { ...tab, states: ['selected'] as const } : tab)),
  );
  expect(act(first)).toMatchObject({ at: { x: 65 } });
  expect(act(first)).toMatchObject({ at: { x: 105 } });
  expect(act(screen(...tabs, element('label', 'sed', 120)))).toMatchObject({ at: { y: 125 } });
});

describe('a script that cannot continue', () => {
  test.each([
    ['an instruction of another page', 'Do something else.', [], /does not match/],
    [
      'a missing element',
      'Click on the "ok" button.',
      [element('button', 'no', 80)],
      /does not show a button named "ok"/,
    ],
  ])('fails the task, not the agent: %s', (_, instruction, elements, message) => {
    const act = oracle('click-button', instruction);
    expect(() => act(screen(...elements))).toThrow(message);
    expect(() => oracle('click-button', instruction)(screen(...elements))).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ boundary: 'task' }) }),
    );
  });
});
