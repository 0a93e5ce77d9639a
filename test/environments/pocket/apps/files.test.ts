// Files: the effect of each action on the world and on the window.

import { describe, expect, test } from 'vitest';
import {
  entryAt,
  type FileEntry,
  type Folder,
  type PocketWorld,
} from '../../../../runtime/environments/pocket/world.ts';
import { Hand } from '../hand.ts';

const file = (text: string): FileEntry => ({ kind: 'file', text });
const folder = (entries: Record<string, FileEntry> = {}): Folder => ({ kind: 'folder', entries });

function fill(world: PocketWorld): void {
  world.root = folder({
    Documents: folder({
      Work: folder({ 'plan.txt': file('plan'), Old: folder() }),
      Letters: folder(),
      'budget.txt': file('rent 800'),
      'Todo.txt': file('milk'),
    }),
    Downloads: folder({ 'budget.txt': file('other') }),
    Notes: folder({ 'ideas.txt': file('one\ntwo') }),
    Pictures: folder(),
    Trash: folder({ 'old.txt': file('old') }),
  });
}

/** A driver with Files open in a folder of the root. */
function inFolder(name: string): Hand {
  const hand = new Hand(fill);
  hand.open('Files');
  if (name !== 'Home') hand.click(name, 'treeitem');
  return hand;
}

const at = (hand: Hand, path: string) => entryAt(hand.world.root, path);

describe('looking around', () => {
  test('the list has folders first, then files, by name ignoring case, with their sizes', () => {
    const hand = inFolder('Documents');
    expect(hand.names('row')).toEqual(['Letters', 'Work', 'budget.txt', 'Todo.txt']);
    expect(hand.element('budget.txt', 'row').value).toBe('8');
    expect(hand.element('Work', 'row').value).toBe('2 items');
    expect(hand.find('/Documents', 'label')).toBeDefined();
  });

  test('a double click and Enter open a folder; Up and Backspace leave it and select it', () => {
    const hand = inFolder('Documents');
    hand.double('Work', 'row');
    expect(hand.find('/Documents/Work')).toBeDefined();
    hand.keys('backspace');
    expect(hand.element('Work', 'row').states).toContain('selected');
    hand.keys('enter');
    expect(hand.find('/Documents/Work')).toBeDefined();
    hand.click('Up');
    hand.click('Up');
    expect(hand.find('Files - Home', 'window')).toBeDefined();
    expect(hand.element('Up').states).toContain('disabled');
  });

  test('the arrow keys select rows and scroll to them', () => {
    const hand = new Hand(world => {
      const names = Array.from({ length: 20 }, (_, index) => `file ${String(index).padStart(2, '0')}`);
      world.root = folder(Object.fromEntries(names.map(name => [name, file(name)])));
    });
    hand.open('Files');
    for (let count = 0; count < 12; count++) hand.keys('down');
    expect(hand.element('file 11', 'row').states).toEqual(['selected', 'focused']);
    expect(hand.element('file 11', 'row').box.height).toBe(13);
    hand.keys('end');
    expect(hand.element('file 19', 'row').box.height).toBe(13);
    hand.keys('home');
    expect(hand.element('file 00', 'row').states).toContain('selected');
  });

  test('keys open and close tree nodes and move between them', () => {
    const hand = inFolder('Documents');
    expect(hand.find('Work', 'treeitem')).toBeUndefined();
    hand.keys('right');
    expect(hand.element('Documents', 'treeitem').states).toContain('expanded');
    hand.keys('down');
    expect(hand.find('/Documents/Letters')).toBeDefined();
    hand.keys('up');
    hand.keys('left');
    expect(hand.find('Work', 'treeitem')).toBeUndefined();
  });

  test('a text file opens in Notes', () => {
    const hand = inFolder('Documents');
    hand.double('budget.txt', 'row');
    expect(hand.find('Notes - budget.txt', 'window')).toBeDefined();
    expect(hand.element('Text', 'textarea').value).toBe('rent 800');
  });

  test('the search finds names at any depth below the folder, and Escape ends it', () => {
    const hand = inFolder('Documents');
    hand.keys('ctrl+f');
    hand.type('L');
    expect(hand.names('row')).toEqual(['Letters', 'Work/Old', 'Work/plan.txt']);
    hand.keys('enter');
    expect(hand.element('Letters', 'row').states).toContain('selected');
    hand.double('Work/plan.txt', 'row');
    expect(hand.find('Notes - plan.txt', 'window')).toBeDefined();
    hand.keys('alt+tab');
    hand.keys('esc');
    expect(hand.names('row')).toEqual(['Letters', 'Work', 'budget.txt', 'Todo.txt']);
  });
});

describe('naming', () => {
  test('a new folder is created in the current folder and selected', () => {
    const hand = inFolder('Pictures');
    hand.keys('ctrl+n');
    hand.type('Holiday\n');
    expect(at(hand, '/Pictures/Holiday')).toEqual(folder());
    expect(hand.element('Holiday', 'row').states).toContain('selected');
  });

  test('F2 renames the selected entry, with the old name selected', () => {
    const hand = inFolder('Documents');
    hand.click('budget.txt', 'row');
    hand.keys('f2');
    expect(hand.element('Name', 'textfield').value).toBe('budget.txt');
    hand.type('money.txt');
    hand.click('Rename', 'button');
    expect(at(hand, '/Documents/money.txt')).toEqual(file('rent 800'));
    expect(at(hand, '/Documents/budget.txt')).toBeUndefined();
  });

  test.each([
    ['', 'Please enter a name.'],
    ['a/b', "A name cannot contain '/'."],
    ['__proto__', "'__proto__' is a reserved name."],
    ['x'.repeat(41), 'A name has at most 40 characters.'],
    ['Todo.txt', "'Todo.txt' already exists here."],
  ])('the name %j is rejected with a reason', (name, reason) => {
    const hand = inFolder('Documents');
    hand.click('budget.txt', 'row');
    hand.keys('f2');
    hand.keys('delete');
    hand.type(name);
    hand.keys('enter');
    expect(hand.find(reason, 'label')).toBeDefined();
    hand.keys('esc');
    expect(at(hand, '/Documents/budget.txt')).toBeDefined();
    expect(hand.names('dialog')).toEqual([]);
  });

  test('a folder renamed in the tree stays the current folder', () => {
    const hand = inFolder('Documents');
    hand.right('Documents', 'treeitem');
    hand.click('Rename...');
    hand.type('Papers\n');
    expect(hand.find('/Papers', 'label')).toBeDefined();
    expect(hand.names('row')).toContain('budget.txt');
  });
});

describe('moving and copying', () => {
  test('copy and paste in the same folder makes a copy under a free name', () => {
    const hand = inFolder('Documents');
    hand.click('budget.txt', 'row');
    hand.keys('ctrl+c');
    hand.keys('ctrl+v');
    hand.keys('ctrl+v');
    expect(at(hand, '/Documents/budget copy.txt')).toEqual(file('rent 800'));
    expect(at(hand, '/Documents/budget copy 2.txt')).toEqual(file('rent 800'));
  });

  test('a folder is copied with its contents, but not into itself', () => {
    const hand = inFolder('Documents');
    hand.click('Work', 'row');
    hand.keys('ctrl+c');
    hand.double('Work', 'row');
    hand.keys('ctrl+v');
    expect(hand.find("'Work' cannot go into itself.", 'alert')).toBeDefined();
    hand.click('Pictures', 'treeitem');
    hand.keys('ctrl+v');
    expect(at(hand, '/Pictures/Work')).toEqual(at(hand, '/Documents/Work'));
    expect(at(hand, '/Pictures/Work')).not.toBe(at(hand, '/Documents/Work'));
  });

  test('cut and paste of the context menus moves an entry', () => {
    const hand = inFolder('Documents');
    hand.right('Todo.txt', 'row');
    hand.click('Cut', 'menuitem');
    hand.right('Pictures', 'treeitem');
    hand.click('Paste', 'menuitem');
    expect(at(hand, '/Pictures/Todo.txt')).toEqual(file('milk'));
    expect(at(hand, '/Documents/Todo.txt')).toBeUndefined();
  });

  test.each([
    ['Replace', 'rent 800', undefined],
    ['Keep both', 'other', 'rent 800'],
    ['Cancel', 'other', undefined],
  ])('a move onto a taken name asks: %s', (answer, there, beside) => {
    const hand = inFolder('Documents');
    hand.drag(hand.at('budget.txt', 'row'), hand.at('Downloads', 'treeitem'));
    hand.click(answer, 'button');
    expect(at(hand, '/Downloads/budget.txt')).toEqual(file(there));
    expect(at(hand, '/Downloads/budget copy.txt')).toEqual(beside === undefined ? undefined : file(beside));
    expect(at(hand, '/Documents/budget.txt') !== undefined).toBe(answer === 'Cancel');
  });

  test('an entry dragged onto a folder of the list goes into it', () => {
    const hand = inFolder('Documents');
    hand.drag(hand.at('Todo.txt', 'row'), hand.at('Work', 'row'));
    expect(at(hand, '/Documents/Work/Todo.txt')).toEqual(file('milk'));
  });

  test('a search result dropped among the results does not move', () => {
    const hand = inFolder('Home');
    hand.keys('ctrl+f');
    hand.type('budget');
    const [one, other] = ['Documents/budget.txt', 'Downloads/budget.txt'];
    hand.drag(hand.at(one, 'row'), hand.at(other, 'row'));
    expect(at(hand, `/${one}`)).toEqual(file('rent 800'));
    expect(at(hand, '/budget.txt')).toBeUndefined();
  });

  test('a folder cannot be dragged into its own subfolder', () => {
    const hand = inFolder('Documents');
    hand.keys('right');
    hand.drag(hand.at('Documents', 'treeitem'), hand.at('Work', 'treeitem'));
    expect(hand.find("'Documents' cannot go into itself.", 'alert')).toBeDefined();
    expect(at(hand, '/Documents/Work')).toBeDefined();
  });
});

describe('the trash', () => {
  test('Delete asks and moves to the trash; Restore moves back to the old folder', () => {
    const hand = inFolder('Documents');
    const before = structuredClone(hand.world.root);
    hand.click('budget.txt', 'row');
    hand.keys('delete');
    hand.keys('esc');
    expect(hand.world.root).toEqual(before);
    hand.keys('delete');
    hand.click('Delete', 'button');
    expect(at(hand, '/Documents/budget.txt')).toBeUndefined();
    expect(at(hand, '/Trash/budget.txt')).toMatchObject(file('rent 800'));
    hand.click('Trash', 'treeitem');
    hand.right('budget.txt', 'row');
    hand.click('Restore', 'menuitem');
    expect(hand.world.root).toEqual(before);
  });

  test('Delete inside the trash asks and erases', () => {
    const hand = inFolder('Trash');
    hand.click('old.txt', 'row');
    hand.keys('delete');
    expect(hand.find('Delete forever?', 'dialog')).toBeDefined();
    hand.keys('enter');
    expect(at(hand, '/Trash')).toEqual(folder());
  });

  test('Empty Trash asks and keeps the folder', () => {
    const hand = inFolder('Home');
    hand.right('Trash', 'treeitem');
    hand.click('Empty Trash...');
    hand.click('Empty', 'button');
    expect(at(hand, '/Trash')).toEqual(folder());
  });

  test('the trash is created when needed, and cannot be deleted or renamed', () => {
    const hand = new Hand(world => {
      world.root = folder({ 'a.txt': file('a') });
    });
    hand.open('Files');
    hand.click('a.txt', 'row');
    hand.keys('delete');
    hand.keys('enter');
    expect(at(hand, '/Trash/a.txt')).toMatchObject(file('a'));
    hand.click('Trash', 'row');
    hand.keys('delete');
    expect(hand.names('dialog')).toEqual([]);
    expect(hand.find('Trash stays as it is', 'alert')).toBeDefined();
  });
});
