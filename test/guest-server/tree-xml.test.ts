// The tree of a desktop as XML: a guest reads the same elements from it as a Docker desktop.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ElementTree } from '../../runtime/environments/docker/element-tree.ts';
import { elementsOf } from '../../runtime/environments/docker/elements.ts';
import { elementsOfTree } from '../../runtime/environments/guest/accessibility.ts';
import { treeXml } from '../../runtime/guest-server/tree-xml.ts';

const SCREEN = { width: 640, height: 480 };

const box = fc.tuple(
  fc.integer({ min: -50, max: 600 }),
  fc.integer({ min: -50, max: 450 }),
  fc.integer({ min: 0, max: 640 }),
  fc.integer({ min: 0, max: 480 }),
);
/** Without characters that XML does not allow: those are left out of the tree. */
const text = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .map(value => value.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ''));
const role = fc.constantFrom(
  ...['frame', 'filler', 'push button', 'text', 'entry', 'label', 'slider', 'menu item', 'table cell'],
  ...['check menu item', 'scroll bar', 'page tab', 'dialog', 'image'],
);
const state = fc.constantFrom(
  ...[
    'showing',
    'sensitive',
    'enabled',
    'editable',
    'focused',
    'checked',
    'multi line',
    'active',
    'selected',
  ],
);

const trees = fc
  .array(
    fc.record({
      window: fc.record({ title: text, box }),
      nodes: fc.array(
        fc.record({
          ...{ role, name: text, value: text, box },
          states: fc.uniqueArray(state, { maxLength: 5 }),
          depth: fc.integer({ min: 1, max: 5 }),
        }),
        { maxLength: 12 },
      ),
    }),
    { maxLength: 4 },
  )
  .map(
    (windows): ElementTree => ({
      windows: windows.map(({ window }, index) => ({
        ...{ xid: index + 1, title: window.title, box: window.box, inner: window.box, pid: 0 },
      })),
      nodes: windows.flatMap(({ nodes }, index) =>
        nodes.map((node, at) => ({ ...node, w: index + 1, depth: at === 0 ? 0 : node.depth })),
      ),
      ...{ late: [], busy: [], active: 0 },
    }),
  );

/** A frame whose value is one blank. */
const ONE_BLANK: ElementTree = {
  windows: [{ xid: 1, title: '', box: [0, 0, 24, 2], inner: [0, 0, 24, 2], pid: 0 }],
  nodes: [{ w: 1, role: 'frame', name: '', value: ' ', states: [], box: [0, 0, 24, 2], depth: 0 }],
  ...{ late: [], busy: [], active: 0 },
};

test('a guest reads the elements that a Docker desktop has', () => {
  fc.assert(
    fc.property(trees, tree => {
      expect(elementsOfTree(treeXml(tree, SCREEN), SCREEN)).toEqual(elementsOf(tree, SCREEN, 1));
    }),
    { examples: [[ONE_BLANK]] },
  );
});

test('the tree has the tags, namespaces and states of OSWorld', () => {
  const tree: ElementTree = {
    windows: [{ xid: 7, title: 'a "note"', box: [0, 0, 100, 100], inner: [0, 10, 100, 90], pid: 3 }],
    nodes: [
      { w: 7, role: 'frame', name: 'a', value: '', states: ['active'], box: [0, 0, 100, 100], depth: 0 },
      {
        w: 7,
        role: 'text',
        name: '',
        value: 'x < y',
        states: ['multi line'],
        box: [0, 20, 50, 50],
        depth: 2,
      },
      { w: 7, role: 'slider', name: 's', value: '3', states: [], box: [0, 200, 50, 5], depth: 1 },
    ],
    ...{ late: [], busy: [], active: 7 },
  };
  expect(treeXml(tree, SCREEN).replaceAll(/ xmlns:\w+="[^"]*"/g, '')).toBe(
    '<desktop-frame><application name="a &quot;note&quot;">' +
      '<frame name="a" st:visible="true" st:showing="true" st:active="true" cp:screencoord="(0, 10)" cp:size="(100, 90)">' +
      '<text name="" st:visible="true" st:showing="true" st:multi_line="true" cp:screencoord="(0, 20)" cp:size="(50, 50)">' +
      'x &lt; y</text>' +
      '<slider name="s" val:value="3"></slider>' +
      '</frame></application></desktop-frame>',
  );
  expect(treeXml(tree, SCREEN)).toContain('xmlns:st="https://accessibility.ubuntu.example.org/ns/state"');
});

test('characters that XML does not allow are left out', () => {
  const windows: ElementTree['windows'] = [
    { xid: 1, title: 'a\u0000b\ud800c\u001b', box: [0, 0, 9, 9], inner: [0, 0, 9, 9], pid: 0 },
  ];
  const xml = treeXml({ windows, nodes: [], late: [], busy: [], active: 0 }, SCREEN);
  expect(xml).toContain('<application name="abc">');
});
