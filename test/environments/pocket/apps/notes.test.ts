// Notes: editing, files, search, and the question before unsaved changes are lost.

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
    Documents: folder({ 'budget.txt': file('rent 800') }),
    Notes: folder({ 'ideas.txt': file('one two\none'), 'shopping.txt': file('bread') }),
  });
}

function notes(note?: string): Hand {
  const hand = new Hand(fill);
  hand.open('Notes');
  if (note !== undefined) hand.click(note, 'listitem');
  return hand;
}

const at = (hand: Hand, path: string) => entryAt(hand.world.root, path);
const text = (hand: Hand) => hand.element('Text', 'textarea').value;

describe('writing', () => {
  test('a new window has the focus in its text, and its title shows unsaved changes', () => {
    const hand = notes();
    hand.type('hello\nthere');
    expect(text(hand)).toBe('hello\nthere');
    expect(hand.find('Notes - untitled*', 'window')).toBeDefined();
    expect(hand.find('Line 2, column 6')).toBeDefined();
    expect(hand.find('2 words')).toBeDefined();
  });

  test('a text that is copied into itself again and again has a limit', () => {
    const hand = notes('ideas.txt');
    for (let step = 0; step < 10; step++) {
      hand.keys('ctrl+end');
      hand.type(text(hand) ?? '');
    }
    expect(text(hand)).toHaveLength(4000);
    hand.type('\n'.repeat(50_000));
    expect(text(hand)).toHaveLength(4000);
    hand.keys('backspace');
    hand.type('!');
    expect(text(hand)?.at(-1)).toBe('!');
  });

  test('each change can be undone and redone', () => {
    const hand = notes('shopping.txt');
    hand.keys('ctrl+end');
    hand.type(' and');
    hand.type(' milk');
    hand.keys('ctrl+z');
    expect(text(hand)).toBe('bread and');
    hand.keys('ctrl+z');
    expect(text(hand)).toBe('bread');
    expect(hand.find('Notes - shopping.txt', 'window')).toBeDefined();
    hand.keys('ctrl+y');
    expect(text(hand)).toBe('bread and');
  });

  test('the Edit menu selects, cuts and pastes, and returns the focus to the text', () => {
    const hand = notes('shopping.txt');
    for (const item of ['Select All', 'Cut', 'Paste', 'Paste']) {
      hand.click('Edit', 'menu');
      hand.click(item, 'menuitem');
    }
    hand.type('!');
    expect(text(hand)).toBe('breadbread!');
  });

  test('the wheel scrolls a long text, and typing scrolls back to the caret', () => {
    const hand = notes();
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n');
    hand.type(lines);
    expect(hand.element('Text scroll', 'scrollbar').value).toBe('100');
    hand.scroll('Text', 'up', 30);
    expect(hand.element('Text scroll', 'scrollbar').value).toBe('0');
    hand.type('!');
    expect(text(hand)).toBe(`${lines}!`);
    expect(hand.element('Text scroll', 'scrollbar').value).toBe('100');
  });
});

describe('files', () => {
  test('the first note is saved in /Notes, which is created', () => {
    const hand = new Hand();
    hand.open('Notes');
    hand.type('hello');
    hand.keys('ctrl+s');
    hand.type('first.txt\n');
    expect(at(hand, '/Notes/first.txt')).toEqual(file('hello'));
    expect(hand.find('Notes - first.txt', 'window')).toBeDefined();
    expect(hand.names('listitem')).toEqual(['first.txt']);
  });

  test('a saved note appears in Files', () => {
    const hand = notes();
    hand.open('Files');
    hand.click('Notes', 'treeitem');
    hand.keys('alt+tab');
    hand.type('x');
    hand.keys('ctrl+s');
    hand.type('new.txt\n');
    hand.keys('alt+tab');
    expect(hand.names('row')).toContain('new.txt');
  });

  test('Save writes to the open file', () => {
    const hand = notes('shopping.txt');
    hand.keys('ctrl+end');
    hand.type('!');
    expect(at(hand, '/Notes/shopping.txt')).toEqual(file('bread'));
    hand.keys('ctrl+s');
    expect(at(hand, '/Notes/shopping.txt')).toEqual(file('bread!'));
    expect(hand.find("Saved 'shopping.txt'", 'alert')).toBeDefined();
  });

  test('Open navigates the folders', () => {
    const hand = notes();
    hand.keys('ctrl+o');
    hand.click('Up', 'button');
    hand.double('Documents', 'listitem');
    hand.double('budget.txt', 'listitem');
    expect(text(hand)).toBe('rent 800');
    expect(hand.find('Notes - budget.txt', 'window')).toBeDefined();
  });

  test('Open rejects a missing file with a reason', () => {
    const hand = notes();
    hand.keys('ctrl+o');
    hand.type('nothing.txt\n');
    expect(hand.find("There is no 'nothing.txt' here.", 'label')).toBeDefined();
  });

  test('Save As asks before it replaces a file', () => {
    const hand = notes('shopping.txt');
    hand.click('File', 'menu');
    hand.click('Save As...', 'menuitem');
    hand.click('ideas.txt', 'listitem');
    hand.click('Save', 'button');
    hand.click('Cancel', 'button');
    expect(at(hand, '/Notes/ideas.txt')).toEqual(file('one two\none'));
    hand.click('Save', 'button');
    hand.click('Replace', 'button');
    expect(at(hand, '/Notes/ideas.txt')).toEqual(file('bread'));
    expect(at(hand, '/Notes/shopping.txt')).toEqual(file('bread'));
  });

  test('Save As takes a typed name after navigation and selection', () => {
    const inRoot = (...opened: readonly string[]): Hand => {
      const hand = notes('shopping.txt');
      hand.keys('ctrl+shift+s');
      hand.click('Up', 'button');
      for (const name of opened) hand.double(name, 'listitem');
      return hand;
    };
    const up = inRoot();
    up.type('plan.txt\n');
    expect(at(up, '/plan.txt')).toEqual(file('bread'));
    const opened = inRoot('Documents');
    opened.type('plan.txt\n');
    expect(at(opened, '/Documents/plan.txt')).toEqual(file('bread'));
    const chosen = inRoot('Documents');
    chosen.click('budget.txt', 'listitem');
    chosen.type('plan.txt\n');
    expect(at(chosen, '/Documents/plan.txt')).toEqual(file('bread'));
  });

  test('Enter opens the pressed folder in Save As', () => {
    const hand = notes('shopping.txt');
    hand.keys('ctrl+shift+s');
    hand.click('Up', 'button');
    hand.click('Documents', 'listitem');
    hand.keys('enter');
    expect(hand.find('/Documents', 'label')).toBeDefined();
  });

  test.each(['ctrl+n', 'ctrl+w', 'alt+f4'])('%s asks about unsaved changes', stroke => {
    const hand = notes('shopping.txt');
    hand.type('x');
    hand.keys(stroke);
    hand.click('Cancel', 'button');
    expect(text(hand)).toBe('xbread');
    hand.keys(stroke);
    hand.click('Discard', 'button');
    expect(at(hand, '/Notes/shopping.txt')).toEqual(file('bread'));
    expect(hand.find('Text', 'textarea')?.value).toBe(stroke === 'alt+f4' ? undefined : '');
  });

  test('a file that another one replaced is opened again', () => {
    const hand = new Hand(world => {
      world.root = folder({
        Documents: folder({ 'plan.txt': file('new') }),
        Notes: folder({ 'plan.txt': file('old') }),
      });
    });
    hand.open('Notes');
    hand.click('plan.txt', 'listitem');
    hand.open('Files');
    hand.click('Documents', 'treeitem');
    hand.drag(hand.at('plan.txt', 'row'), hand.at('Notes', 'treeitem'));
    hand.click('Replace', 'button');
    hand.click('Notes', 'treeitem');
    hand.double('plan.txt', 'row');
    expect(text(hand)).toBe('new');
    hand.type('my ');
    hand.keys('ctrl+s');
    expect(at(hand, '/Notes/plan.txt')).toEqual(file('my new'));
  });

  test('a file that is opened in Files closes the Save As dialog of the last one', () => {
    const hand = notes('shopping.txt');
    hand.keys('ctrl+shift+s');
    hand.open('Files');
    hand.click('Notes', 'treeitem');
    hand.double('ideas.txt', 'row');
    expect(hand.find('Save As', 'dialog')).toBeUndefined();
    hand.type('!');
    expect(text(hand)).toBe('!one two\none');
  });

  test('a reserved name is rejected with a reason', () => {
    const hand = notes('shopping.txt');
    hand.keys('ctrl+shift+s');
    hand.type('__proto__\n');
    expect(hand.find("'__proto__' is a reserved name.", 'label')).toBeDefined();
  });

  test('Save in that question saves and then opens the other note', () => {
    const hand = notes('shopping.txt');
    hand.type('x');
    hand.click('ideas.txt', 'listitem');
    hand.click('Save', 'button');
    expect(at(hand, '/Notes/shopping.txt')).toEqual(file('xbread'));
    expect(text(hand)).toBe('one two\none');
  });
});

describe('finding', () => {
  test('Find steps through the matches, ignores case and wraps around', () => {
    const hand = notes('ideas.txt');
    hand.keys('ctrl+f');
    hand.type('ONE\n');
    expect(hand.find('1 of 2', 'label')).toBeDefined();
    hand.click('Next');
    expect(hand.find('Line 2, column 4')).toBeDefined();
    hand.keys('f3');
    expect(hand.find('1 of 2', 'label')).toBeDefined();
    hand.keys('esc');
    expect(hand.find('Find', 'textfield')).toBeUndefined();
    hand.type('1');
    expect(text(hand)).toBe('1 two\none');
  });

  test('Replace changes the selected match, Replace all the others too', () => {
    const hand = notes('ideas.txt');
    hand.keys('ctrl+h');
    hand.type('one\n');
    hand.click('Replace with');
    hand.type('1');
    hand.click('Replace', 'button');
    expect(text(hand)).toBe('1 two\none');
    hand.click('Replace all');
    expect(text(hand)).toBe('1 two\n1');
    hand.keys('ctrl+z');
    expect(text(hand)).toBe('1 two\none');
  });

  test('Replace all changes nothing if the note would become too long', () => {
    const hand = notes('ideas.txt');
    hand.keys('ctrl+a');
    hand.type(`${'a'.repeat(3989)} `);
    hand.keys('ctrl+h');
    hand.type('a');
    hand.click('Replace with');
    hand.type('bb');
    hand.click('Replace all');
    expect(text(hand)).toBe(`${'a'.repeat(3989)} `);
    expect(hand.find('The note would exceed 4,000 characters', 'alert')).toBeDefined();
    hand.click('Find', 'textfield');
    hand.keys('ctrl+a');
    hand.type(' ');
    hand.click('Replace all');
    expect(text(hand)).toBe(`${'a'.repeat(3989)}bb`);
  });

  test('Find finds what is behind a letter that has another length in lower case', () => {
    const hand = new Hand(world => {
      world.root = folder({ Notes: folder({ 'city.txt': file('İİ (one)') }) });
    });
    hand.open('Notes');
    hand.click('city.txt', 'listitem');
    hand.keys('ctrl+h');
    hand.type('(ONE)\n');
    expect(hand.find('1 of 1', 'label')).toBeDefined();
    hand.click('Replace with');
    hand.type('2');
    hand.click('Replace', 'button');
    expect(text(hand)).toBe('İİ 2');
  });

  test('Replace changes nothing if the note would become too long', () => {
    const long = (length: number): Hand => {
      const hand = new Hand(world => {
        world.root = folder({ Notes: folder({ 'long.txt': file(`one${'a'.repeat(length - 3)}`) }) });
      });
      hand.open('Notes');
      hand.click('long.txt', 'listitem');
      hand.keys('ctrl+h');
      hand.type('one\n');
      hand.click('Replace with');
      return hand;
    };
    const full = long(4000);
    full.type('four');
    full.click('Replace', 'button');
    expect(text(full)).toBe(`one${'a'.repeat(3997)}`);
    expect(full.find('The note would exceed 4,000 characters', 'alert')).toBeDefined();
    const tooLong = long(4500);
    tooLong.type('two');
    tooLong.click('Replace', 'button');
    expect(text(tooLong)).toBe(`two${'a'.repeat(4497)}`);
  });

  test('Replace all may keep the length of a note that is too long already', () => {
    const hand = new Hand(world => {
      world.root = folder({ Notes: folder({ 'long.txt': file('a'.repeat(4500)) }) });
    });
    hand.open('Notes');
    hand.click('long.txt', 'listitem');
    hand.keys('ctrl+h');
    hand.type('a');
    hand.click('Replace with');
    hand.type('b');
    hand.click('Replace all');
    expect(text(hand)).toBe('b'.repeat(4500));
  });
});
