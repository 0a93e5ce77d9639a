// Patterns of the getter pocket_changes: stars, and names of files with dots.

import { describe, expect, test } from 'vitest';
import { answer } from '../../../runtime/environments/pocket/getters.ts';
import { emptyWorld, type PocketWorld } from '../../../runtime/environments/pocket/world.ts';

const TEXT = 'root.entries.Notes.entries.my.plan.txt.text';
const FILE = 'root.entries.Notes.entries.new.txt';

function worldWith(texts: Readonly<Record<string, string>>): PocketWorld {
  const world = emptyWorld();
  const files = Object.entries(texts).map(([name, text]) => [name, { kind: 'file', text }] as const);
  world.root.entries['Notes'] = { kind: 'folder', entries: Object.fromEntries(files) };
  return world;
}

const changes = (...ignore: readonly string[]): unknown =>
  answer(
    { type: 'pocket_changes', ignore },
    worldWith({ 'my.plan.txt': 'after', 'new.txt': '' }),
    worldWith({ 'my.plan.txt': 'before' }),
  );

test('without a pattern all paths are listed', () => {
  expect(changes()).toEqual([TEXT, FILE]);
});

describe('a pattern', () => {
  test.each<[string, readonly string[]]>([
    ['**', []],
    ['root.**', []],
    ['root.*.**', []],
    ['root.entries.Notes.**', []],
    ['root.entries.Notes.entries.*.**', []],
    ['root.entries.Notes.entries.*', [TEXT]],
    ['root.entries.Notes.entries.*.text', [FILE]],
    ['*.*.*.*.*', [TEXT]],
    [TEXT, [FILE]],
    [`${TEXT}.**`, [FILE]],
    [FILE, [TEXT]],
    ['root.entries.Notes.entries.my.*.txt.text', [FILE]],
    ['root.entries.Notes.entries.*.*.*.text', [FILE]],
    ['root.entries.Notes.entries.new.*', [TEXT]],
    ['root.entries.Notes.entries.my.text', [TEXT, FILE]],
    ['root.entries.Notes.entries.other.txt', [TEXT, FILE]],
    ['root.entries.Notes', [TEXT, FILE]],
    ['*', [TEXT, FILE]],
    ['settings.**', [TEXT, FILE]],
  ])('%s leaves %j', (pattern, left) => {
    expect(changes(pattern)).toEqual(left);
  });
});
