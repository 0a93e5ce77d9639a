import fc from 'fast-check';
import { expect, test } from 'vitest';
import { includedTests, type TestNode, type TestSuite, testNodes } from '../../../extension/testing/tree.ts';

const SUITES: readonly TestSuite[] = [
  {
    kind: 'web',
    tasks: [
      { task: 'b', tier: 2, split: 'test' },
      { task: 'a', tier: 1, split: 'unseen' },
      { task: 'mine', tier: 2, split: 'test', file: 'tasks/mine.json' },
    ],
  },
  { kind: 'pocket', tasks: [{ task: 'b', tier: 1, split: 'test' }] },
  { kind: 'guest', problem: 'The folder is missing.' },
];
const NODES = testNodes(SUITES);

const outline = (nodes: readonly TestNode[]): readonly unknown[] =>
  nodes.map(({ label, children }) => (children.length === 0 ? label : [label, ...outline(children)]));

test('the tests are kinds of desktops, tiers and tasks in the order of the suite', () => {
  expect(outline(NODES)).toEqual([
    ['Web desktops', ['Tier 1: single steps', 'a (never trained)'], ['Tier 2: several steps', 'b', 'mine']],
    ['Pocket desktop', ['Tier 1: single steps', 'b']],
    'Guests',
  ]);
  expect(NODES[2]).toMatchObject({ problem: 'The folder is missing.' });
});

const all = (nodes: readonly TestNode[]): readonly TestNode[] =>
  nodes.flatMap(node => [node, ...all(node.children)]);

test('a task of the user has its file, and an unseen task is marked', () => {
  const node = (label: string) => all(NODES).find(each => each.label === label);
  expect(node('mine')).toMatchObject({ file: 'tasks/mine.json', test: { kind: 'web', task: 'mine' } });
  expect(node('a (never trained)')).toMatchObject({ test: { task: 'a', split: 'unseen' } });
});

test('ids are unique, also for equal tasks of several kinds', () => {
  const ids = all(NODES).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a run has exactly the tasks with an included and without an excluded ancestor, each once', () => {
  const ids = all(NODES).map(({ id }) => id);
  const some = fc.uniqueArray(fc.constantFrom(...ids, 'gone'));
  fc.assert(
    fc.property(fc.option(some, { nil: undefined }), some, (include, exclude) => {
      const isBelow = (id: string, among: readonly string[]): boolean =>
        among.some(each => id === each || id.startsWith(`${each}/`));
      const expected = all(NODES).flatMap(({ id, test: each }) =>
        each !== undefined && (include === undefined || isBelow(id, include)) && !isBelow(id, exclude)
          ? [each]
          : [],
      );
      expect(includedTests(NODES, include && new Set(include), new Set(exclude))).toEqual(expected);
    }),
  );
});
