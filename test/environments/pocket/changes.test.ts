// The boxes to redraw between two scenes: everything that differs, and little more.

import { expect, test } from 'vitest';
import type { Box } from '../../../runtime/core/screen.ts';
import { box } from '../../../runtime/environments/box.ts';
import { changedBetween, type Layer, layerOf } from '../../../runtime/environments/pocket/shell/scene.ts';
import type { Widget } from '../../../runtime/environments/pocket/toolkit/widget.ts';

const ROW = 10;
const measure = () => ({ width: 0, height: 0 });
const paint = () => {};

/** A layer with rows of these paint keys; rows with an empty key draw nothing. */
function layer(id: string, area: Box, looks: readonly string[]): Layer {
  const row = (paintKey: string): Widget => ({ paintKey, measure, ...(paintKey !== '' && { paint }) });
  const root: Widget = {
    paintKey: 'root',
    measure,
    paint,
    children: ({ x, y, width }) =>
      looks.map((look, index) => ({ widget: row(look), box: box(x, y + index * ROW, width, ROW) })),
  };
  return layerOf(id, root, area);
}

const AREA = box(0, 0, 100, 100);
const rowBox = (index: number): Box => box(0, index * ROW, 100, ROW);
const changes = (before: readonly string[], after: readonly string[]) =>
  changedBetween([layer('window', AREA, before)], [layer('window', AREA, after)]);

test('equal scenes need no redraw, even if all widgets are new objects', () => {
  expect(changes(['a', 'b'], ['a', 'b'])).toEqual([]);
});

test('only a changed row is redrawn', () => {
  expect(changes(['a', 'b', 'c'], ['a', 'x', 'c'])).toEqual([rowBox(1)]);
});

test('only the box of a removed row is redrawn', () => {
  expect(changes(['a', 'b', 'c', 'd'], ['x', 'b', 'c'])).toEqual([rowBox(0), rowBox(3)]);
});

test('an item that draws nothing needs no redraw', () => {
  expect(changes(['a', ''], ['a'])).toEqual([]);
});

test('a layer that moved to the front is redrawn where it was covered', () => {
  const [left, right] = [layer('left', box(0, 0, 60, 60), []), layer('right', box(40, 40, 60, 60), [])];
  expect(changedBetween([left, right], [right, left])).toEqual([box(40, 40, 20, 20)]);
});

test('new, removed and moved layers are redrawn entirely', () => {
  const [ground, note] = [layer('ground', AREA, ['a']), layer('note', box(10, 10, 20, 20), [])];
  const moved = layer('note', box(60, 60, 20, 20), []);
  expect(changedBetween([ground], [ground, note])).toEqual([note.box]);
  expect(changedBetween([ground, note], [ground])).toEqual([note.box]);
  expect(changedBetween([ground, note], [ground, moved])).toEqual([moved.box, note.box]);
});
