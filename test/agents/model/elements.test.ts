// The numbered list of elements: what is listed, how, and within which limits.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  elementList,
  LIST_LIMITS,
  listElements,
  nameOf,
  targetOf,
} from '../../../runtime/agents/model/elements.ts';
import { type Box, contains, type Element, type Screen } from '../../../runtime/core/screen.ts';

const SIZE = { width: 640, height: 480 };
const element = (role: string, name: string, box: Box, more: Partial<Element> = {}): Element => ({
  role,
  name,
  value: '',
  states: [],
  box,
  ...more,
});
const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });
const screenOf = (elements: readonly Element[]): Screen => ({
  pixels: { ...SIZE, layout: 'rgb', data: new Uint8Array(0) },
  elements,
});
const names = (elements: readonly Element[]) => elements.map(({ name }) => name);

describe('the list has', () => {
  test('no element outside the screen or without area', () => {
    const screen = screenOf([
      element('button', 'left of it', box(-50, 10, 40, 20)),
      element('button', 'below it', box(10, 480, 40, 20)),
      element('label', 'empty', box(10, 10, 0, 20)),
      element('button', 'at its edge', box(620, 10, 40, 20)),
    ]);
    expect(names(listElements(screen))).toEqual(['at its edge']);
  });

  test('no element behind a window, a dialog or a menu, but the elements in front of it', () => {
    const screen = screenOf([
      element('window', 'Files', box(0, 0, 300, 300)),
      element('button', 'Delete', box(10, 40, 60, 20)),
      element('button', 'New', box(200, 40, 60, 20)),
      element('dialog', 'Delete?', box(0, 20, 120, 100)),
      element('button', 'Yes', box(10, 90, 40, 20)),
    ]);
    expect(names(listElements(screen))).toEqual(['Files', 'New', 'Delete?', 'Yes']);
  });

  test('role, name, value and states, numbered from 1', () => {
    const list = elementList([
      element('button', 'Save', box(0, 0, 9, 9), { states: ['disabled'] }),
      element('textbox', 'File name', box(0, 0, 9, 9), {
        value: 'say "hi"\n',
        states: ['editable', 'focused'],
      }),
      element('scrollbar', '', box(0, 0, 9, 9)),
    ]);
    expect(list.split('\n')).toEqual([
      '1. button "Save" (disabled)',
      '2. textbox "File name" = "say \\"hi\\"\\n" (editable, focused)',
      '3. scrollbar',
    ]);
  });

  test('long texts cut', () => {
    expect(nameOf(element('label', 'x'.repeat(500), box(0, 0, 9, 9))).length).toBeLessThan(100);
  });
});

test('without elements the list is empty', () => {
  expect(listElements({ pixels: { ...SIZE, layout: 'rgb', data: new Uint8Array(0) } })).toEqual([]);
});

const arbitraryElement: fc.Arbitrary<Element> = fc.record({
  role: fc.constantFrom('button', 'window', 'dialog', 'label'),
  name: fc.string({ maxLength: 200 }),
  value: fc.string({ maxLength: 200 }),
  states: fc.constantFrom([], ['focused'] as const),
  box: fc.record({
    x: fc.integer({ min: -100, max: 700 }),
    y: fc.integer({ min: -100, max: 500 }),
    width: fc.integer({ min: 0, max: 300 }),
    height: fc.integer({ min: 0, max: 300 }),
  }),
});

test('law: within all limits, in the order of the screen, and every target is on the screen and in its element', () => {
  fc.assert(
    fc.property(fc.array(arbitraryElement, { maxLength: 300 }), elements => {
      const listed = listElements(screenOf(elements));
      expect(listed.length).toBeLessThanOrEqual(LIST_LIMITS.elements);
      expect(elementList(listed).length).toBeLessThanOrEqual(LIST_LIMITS.characters);
      expect(elements.filter(each => listed.includes(each))).toEqual(listed);
      for (const { box: within } of listed) {
        const target = targetOf(within, SIZE);
        expect(target !== undefined && contains(within, target)).toBe(true);
        expect(target !== undefined && contains({ x: 0, y: 0, ...SIZE }, target)).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});

test('the front elements are kept if there are too many', () => {
  const many = Array.from({ length: 400 }, (_, index) => element('button', `b${index}`, box(index, 0, 1, 1)));
  const listed = listElements(screenOf(many));
  expect(listed.at(-1)?.name).toBe('b399');
  expect(listed).toHaveLength(LIST_LIMITS.elements);
});
