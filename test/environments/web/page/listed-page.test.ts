import { expect, test } from 'vitest';
import {
  elementsFrom,
  type ListedPage,
  listedPage,
} from '../../../../runtime/environments/web/page/listed-page.ts';

const SCREEN = { x: 0, y: 0, width: 160, height: 210 };
const pageOf = (...elements: ListedPage['elements']): ListedPage => ({
  goesOn: false,
  elements,
  frames: [],
});

test('elements have the roles and states of the policies', () => {
  expect(elementsFrom(pageOf(['textbox', 'Name', 'Ann', 'ef', 10, 20, 60, 40]), SCREEN)).toEqual([
    {
      role: 'textfield',
      name: 'Name',
      value: 'Ann',
      states: ['editable', 'focused'],
      box: { x: 10, y: 20, width: 50, height: 20 },
    },
  ]);
});

test('boxes are clipped to the screen, and elements outside it are left out', () => {
  const listed = pageOf(['button', 'a', '', '', -10, -10, 20, 20], ['button', 'b', '', '', 160, 0, 200, 20]);
  expect(elementsFrom(listed, SCREEN).map(({ name, box }) => [name, box])).toEqual([
    ['a', { x: 0, y: 0, width: 20, height: 20 }],
  ]);
});

test('elements of a frame are placed on the screen, without what is scrolled off it', () => {
  const listed = pageOf(['link', 'x', '', '', 5, 5, 15, 15], ['link', 'gone', '', '', 5, 30, 15, 40]);
  const visible = { x: 0, y: 8, width: 50, height: 12 };
  expect(elementsFrom(listed, visible, 100, -8).map(({ name, box }) => [name, box])).toEqual([
    ['x', { x: 105, y: 0, width: 10, height: 7 }],
  ]);
});

test('a value that repeats the name is left out', () => {
  const [found] = elementsFrom(pageOf(['dropdown', 'Pear', 'Pear', '', 0, 0, 9, 9]), SCREEN);
  expect(found?.value).toBe('');
});

test('a page that reports too much or the wrong types is rejected', () => {
  const row = ['button', 'a', '', '', 0, 0, 9, 9];
  const isTaken = (...elements: readonly unknown[]) =>
    listedPage.safeParse(JSON.stringify(pageOf(...(elements as ListedPage['elements'])))).success;
  expect(isTaken(row)).toBe(true);
  expect(isTaken(...Array(513).fill(row))).toBe(false);
  expect(isTaken([...row.slice(0, 7), 1.5])).toBe(false);
  expect(isTaken(['button', 'x'.repeat(2001), ...row.slice(2)])).toBe(false);
  expect(listedPage.safeParse(undefined).success).toBe(false);
});

test('half a character becomes the replacement character, and whole ones stay', () => {
  const row: ListedPage['elements'][0] = ['button', 'a\ud83d', '\ude00b', '', 0, 0, 9, 9];
  const whole: ListedPage['elements'][0] = ['link', 'c\ud83d\ude00', '', '', 0, 0, 9, 9];
  const { elements } = listedPage.parse(JSON.stringify(pageOf(row, whole)));
  expect(elements.map(([, name, value]) => [name, value])).toEqual([
    ['a\ufffd', '\ufffdb'],
    ['c\ud83d\ude00', ''],
  ]);
});
