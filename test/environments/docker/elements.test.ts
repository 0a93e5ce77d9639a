// Elements from a tree of the hub: visible ones only, in the policy's pixels and vocabulary.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contains, type Element, elementAt } from '../../../runtime/core/screen.ts';
import type { ElementNode, ElementTree } from '../../../runtime/environments/docker/element-tree.ts';
import { elementsOf } from '../../../runtime/environments/docker/elements.ts';
import { onScreen } from '../../../runtime/environments/docker/screen-size.ts';

type Corners = [number, number, number, number];

const SCREEN = { width: 640, height: 480 };
const node = (w: number, box: Corners, rest: Partial<ElementNode> = {}): ElementNode => ({
  ...{ w, role: 'push button', name: 'OK', value: '', states: ['sensitive'], box, depth: 1 },
  ...rest,
});
const tree = (boxes: readonly Corners[], nodes: readonly ElementNode[]): ElementTree => ({
  windows: boxes.map((box, index) => ({
    xid: index + 1,
    title: `${index + 1}`,
    box,
    inner: box,
    pid: index + 1,
  })),
  nodes: [...nodes],
  late: [],
  busy: [],
  active: 1,
});
const seen = (boxes: readonly Corners[], nodes: readonly ElementNode[], scale = 2): readonly Element[] =>
  elementsOf(tree(boxes, nodes), { width: SCREEN.width / scale, height: SCREEN.height / scale }, scale);
const boxes = (elements: readonly Element[]) =>
  elements.map(({ box: { x, y, width, height } }) => [x, y, width, height]);

test("roles, states and boxes are converted to the policy's vocabulary and pixels", () => {
  expect(
    seen(
      [[0, 0, 640, 480]],
      [
        node(1, [10, 20, 100, 40]),
        node(1, [10, 80, 100, 30], {
          role: 'check menu item',
          name: 'Wrap   ',
          states: ['checked', 'enabled'],
        }),
        node(1, [10, 120, 100, 30], { role: 'push button', name: 'Undo', states: ['showing'] }),
        node(1, [10, 160, 600, 200], {
          role: 'text',
          name: '',
          value: 'a\nb',
          states: ['editable', 'sensitive', 'focused'],
        }),
        node(1, [10, 400, 600, 30], { role: 'text', name: 'Find', value: 'x', states: ['sensitive'] }),
        node(1, [10, 440, 100, 20], { role: 'label', name: 'Same', value: 'Same' }),
      ],
    ),
  ).toEqual([
    { role: 'button', name: 'OK', value: '', states: [], box: { x: 5, y: 10, width: 50, height: 20 } },
    {
      role: 'menuitem',
      name: 'Wrap',
      value: '',
      states: ['checked'],
      box: { x: 5, y: 40, width: 50, height: 15 },
    },
    {
      role: 'button',
      name: 'Undo',
      value: '',
      states: ['disabled'],
      box: { x: 5, y: 60, width: 50, height: 15 },
    },
    {
      role: 'textarea',
      name: '',
      value: 'a\nb',
      states: ['editable', 'focused'],
      box: { x: 5, y: 80, width: 300, height: 100 },
    },
    {
      role: 'textfield',
      name: 'Find',
      value: 'x',
      states: [],
      box: { x: 5, y: 200, width: 300, height: 15 },
    },
    { role: 'label', name: 'Same', value: '', states: [], box: { x: 5, y: 220, width: 50, height: 10 } },
  ]);
});

test('containers, empty texts and tiny pieces are left out', () => {
  expect(
    seen(
      [[0, 0, 640, 480]],
      [
        node(1, [0, 0, 640, 480], { role: 'filler', name: 'box' }),
        node(1, [0, 0, 200, 20], { role: 'label', name: ' ' }),
        node(1, [0, 40, 20, 2]),
      ],
    ),
  ).toEqual([]);
});

test('a covered element keeps its largest uncovered piece', () => {
  const elements = seen(
    [
      [0, 0, 640, 480],
      [100, 0, 200, 480],
    ],
    [
      node(1, [0, 100, 640, 100]),
      node(1, [120, 300, 100, 100], { name: 'hidden' }),
      node(2, [100, 0, 200, 480]),
    ],
  );
  expect(boxes(elements)).toEqual([
    [150, 50, 170, 50],
    [50, 0, 100, 240],
  ]);
});

test('nodes off the screen are left out', () => {
  expect(seen([[0, 0, 640, 480]], [node(9, [0, 0, 100, 100]), node(1, [640, 0, 100, 100])])).toEqual([]);
  expect(boxes(seen([[600, 440, 200, 200]], [node(1, [600, 440, 200, 200])]))).toEqual([[300, 220, 20, 20]]);
});

test('elements are clipped to their parents, except menus, which are windows', () => {
  const elements = seen(
    [
      [0, 0, 640, 480],
      [0, 30, 200, 300],
    ],
    [
      node(1, [0, 100, 300, 100], { role: 'scroll pane', depth: 1 }),
      node(1, [0, 150, 300, 100], { name: 'half', depth: 2 }),
      node(1, [0, 250, 300, 100], { name: 'scrolled away', depth: 2 }),
      node(1, [0, 0, 60, 30], { name: 'File', role: 'menu', depth: 1 }),
      node(2, [0, 30, 200, 40], { name: 'Save', role: 'menu item', depth: 2 }),
      node(1, [300, 400, 60, 40], { name: 'after', depth: 1 }),
    ],
  );
  expect(elements.map(({ name }) => name)).toEqual(['half', 'File', 'after', 'Save']);
  // The menu covers its left part.
  expect(elements[0]?.box).toEqual({ x: 100, y: 75, width: 50, height: 25 });
});

test('any depths of a faulty element module end', () => {
  const found = seen(
    [[0, 0, 640, 480]],
    [-1, 3, -5, 0].map(depth => node(1, [0, 0, 50, 50], { depth })),
  );
  expect(found).toHaveLength(4);
});

test('of thousands of elements the front ones are kept', () => {
  const many = Array.from({ length: 3000 }, (_, index) => node(1, [0, 0, 50, 50], { name: `${index}` }));
  const elements = seen([[0, 0, 640, 480]], many);
  expect(elements).toHaveLength(512);
  expect(elements.at(-1)?.name).toBe('2999');
});

test.each([1, 2, 4])(
  'at scale %i a click on any pixel of an element hits its node and no window above it',
  scale => {
    const corners = fc
      .tuple(fc.integer({ min: -50, max: 660 }), fc.integer({ min: -50, max: 500 }), fc.nat(300), fc.nat(300))
      .map(([x, y, width, height]): Corners => [x, y, width, height]);
    const within = ([x, y, width, height]: Corners, at: { x: number; y: number }): boolean =>
      contains({ x, y, width, height }, at);
    fc.assert(
      fc.property(
        fc.array(corners, { minLength: 1, maxLength: 4 }),
        fc.array(corners, { maxLength: 6 }),
        (windows, inner) => {
          const nodes = inner.map((box, index) =>
            node((index % windows.length) + 1, box, { name: `${index}` }),
          );
          for (const { name, box } of seen(windows, nodes, scale)) {
            const of = nodes[Number(name)];
            if (of === undefined) throw new Error('an element of no node');
            for (const corner of [
              { x: 0, y: 0 },
              { x: box.width - 1, y: box.height - 1 },
            ]) {
              const at = onScreen({ x: box.x + corner.x, y: box.y + corner.y }, scale);
              expect(contains({ x: 0, y: 0, ...SCREEN }, at)).toBe(true);
              expect(within(of.box as Corners, at)).toBe(true);
              expect(windows.findLastIndex(window => within(window, at))).toBe(of.w - 1);
            }
          }
        },
      ),
    );
  },
);

test('the front element at a point belongs to the front window', () => {
  const elements = seen(
    [
      [0, 0, 640, 480],
      [0, 0, 320, 480],
    ],
    [node(2, [0, 0, 320, 480], { name: 'front' }), node(1, [0, 0, 640, 480], { name: 'back' })],
  );
  expect(elementAt(elements, { x: 10, y: 10 })?.name).toBe('front');
  expect(elementAt(elements, { x: 300, y: 10 })?.name).toBe('back');
});

/** Rows of 50 cells, 10 × 10 pixels each. */
const tableOf = (cells: number, textOf: (index: number) => string, focused: readonly number[] = []) =>
  seen(
    [[0, 0, 640, 480]],
    [
      node(1, [0, 0, 50, 20], { name: 'File' }),
      ...Array.from({ length: cells }, (_, index) =>
        node(1, [10 * (index % 50), 100 + 10 * Math.floor(index / 50), 10, 10], {
          ...{ role: 'table cell', name: `${index}`, value: textOf(index) },
          ...(focused.includes(index) && { states: ['sensitive', 'focused'] }),
        }),
      ),
    ],
    1,
  ).map(({ name }) => name);
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}`);

test('with many elements the last empty cells that touch no filled or focused cell are dropped', () => {
  const names = tableOf(1000, index => (index < 20 || index === 900 ? 'text' : ''));
  expect(names).toEqual(['File', ...range(0, 120), ...['850', '851', '900', '901', '950', '951']]);
  expect(tableOf(1000, () => '', [975])).toEqual([
    ...['File', ...range(0, 120)],
    ...['924', '925', '926', '974', '975', '976'],
  ]);
  expect(tableOf(127, () => '')).toHaveLength(128);
});

test('of cells that touch filled ones the last empty ones are dropped first, so that the content and the menus remain', () => {
  const names = tableOf(1000, index => (index % 2 === 0 && index < 600 ? 'text' : ''));
  expect(names).toHaveLength(512);
  const even = range(0, 598).filter(name => Number(name) % 2 === 0);
  expect(names).toEqual(expect.arrayContaining(['File', ...even]));
  expect(names).toContain('421');
  expect(names).not.toContain('423');
});

test('a section with text and without parts is a label, other sections only arrange', () => {
  const elements = seen(
    [[0, 0, 640, 480]],
    [
      node(1, [0, 0, 600, 100], { role: 'section', name: '', value: 'Outer' }),
      node(1, [0, 20, 600, 40], { role: 'section', name: '', value: 'Please pay.\n', depth: 2 }),
      node(1, [0, 60, 600, 40], { role: 'section', name: '', value: '', depth: 2 }),
    ],
  );
  expect(elements.map(({ role, value }) => [role, value])).toEqual([['label', 'Please pay.']]);
});
