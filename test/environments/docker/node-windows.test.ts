// Nodes of applications that draw themselves, and the windows that show them.

import { expect, test } from 'vitest';
import type { ElementNode, ElementTree } from '../../../runtime/environments/docker/element-tree.ts';
import { withNodeWindows } from '../../../runtime/environments/docker/node-windows.ts';

type Corners = [number, number, number, number];

const node = (name: string, depth: number, box: Corners, w = 1): ElementNode => ({
  ...{ w, role: 'menu', name, value: '', states: [], box, depth },
});
const treeOf = (
  windows: readonly { xid: number; inner: Corners; pid: number }[],
  nodes: ElementNode[],
): ElementTree => ({
  windows: windows.map(({ xid, inner, pid }) => ({ xid, title: '', box: inner, inner, pid })),
  ...{ nodes, late: [], busy: [], active: 1 },
});

const MAIN: Corners = [0, 0, 600, 400];
const POPUP: Corners = [50, 60, 100, 120];
const NODES = [
  node('main', 0, MAIN),
  node('before', 1, [0, 0, 50, 20]),
  node('popup', 1, [51, 60, 99, 120]),
  node('item', 2, [55, 65, 90, 20]),
  node('after', 1, [0, 380, 600, 20]),
];
const owners = (tree: ElementTree) => withNodeWindows(tree).nodes.map(({ w }) => w);

test('a menu belongs to its own window, with the nodes below it', () => {
  const windows = [
    { xid: 1, inner: MAIN, pid: 7 },
    { xid: 2, inner: POPUP, pid: 7 },
  ];
  expect(owners(treeOf(windows, NODES))).toEqual([1, 1, 2, 2, 1]);
});

test('a window of another application or with nodes of its own receives none', () => {
  const foreign = [
    { xid: 1, inner: MAIN, pid: 7 },
    { xid: 2, inner: POPUP, pid: 8 },
  ];
  expect(owners(treeOf(foreign, NODES))).toEqual([1, 1, 1, 1, 1]);
  const windows = [
    { xid: 1, inner: MAIN, pid: 7 },
    { xid: 2, inner: POPUP, pid: 7 },
  ];
  expect(owners(treeOf(windows, [...NODES, node('own', 0, POPUP, 2)]))).toEqual([1, 1, 1, 1, 1, 2]);
});

test('a second window at the top of the tree gets its nodes', () => {
  const windows = [
    { xid: 1, inner: MAIN, pid: 7 },
    { xid: 2, inner: POPUP, pid: 7 },
  ];
  const nodes = [node('main', 0, MAIN), node('second', 0, POPUP), node('field', 1, [60, 70, 20, 20])];
  expect(owners(treeOf(windows, nodes))).toEqual([1, 2, 2]);
});
