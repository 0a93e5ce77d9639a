// Tasks about notes that take dialogs, replacing or another folder.

import { joined, nameOf } from '../../world.ts';
import { file, fileName, folder, listOf, onlyFiles, put, similarName } from '../filing.ts';
import type { ScriptedUser } from '../scripted-user.ts';
import { all, fileIs, type PocketTemplate } from '../template.ts';

const APPS = ['notes'];
const save = (hand: ScriptedUser) => hand.keys('ctrl', 's');
const closedOrOpen = (isOpen: boolean, app: string) => (isOpen ? [{ app }] : []);

const replaceWord: PocketTemplate = {
  id: 'notes-replace',
  tier: 3,
  apps: APPS,
  make: draw => {
    const name = `${draw.fresh(draw.words.thing)}.txt`;
    const other = `${draw.fresh(draw.words.thing)}.txt`;
    const [before, after] = [draw.fresh(draw.words.first), draw.fresh(draw.words.first)];
    const world = draw.world();
    // Every sentence has the word once, and no other word has it within.
    const sentences = [
      `Ask ${before} about the ${draw.one(draw.words.topic)}.`,
      `${before} brings the ${draw.one(draw.words.thing)}.`,
      `The bill goes to ${before}.`,
      `Meet ${before} at ${draw.time()}.`,
    ];
    const text = draw.some(sentences, draw.whole(3, 4)).join('\n');
    put(world.root, `/Notes/${name}`, file(text));
    put(world.root, `/Notes/${other}`, file(`${before} was here.`));
    const isOpen = draw.chance(0.5);
    const change = (which: string, press: string) => (hand: ScriptedUser) => {
      hand.open('Notes');
      hand.click('listitem', which);
      hand.keys('ctrl', 'h');
      hand.type(before);
      hand.click('textfield', 'Replace with');
      hand.type(after);
      hand.click('button', press);
    };
    return {
      instruction: draw.say(
        `In the note "${name}", replace ${before} by ${after} everywhere and save it.`,
        `${after} takes over from ${before}. Change the name throughout the note "${name}", and save.`,
        `Wherever "${name}" says "${before}", it should say "${after}". Save the note.`,
      ),
      world,
      open: closedOrOpen(isOpen, 'notes'),
      evaluator: all(fileIs(`/Notes/${name}`, text.replaceAll(before, after)), onlyFiles(`/Notes/${name}`)),
      solve: hand => {
        change(name, 'Replace all')(hand);
        save(hand);
      },
      misses: {
        'not saved': change(name, 'Replace all'),
        'the first only': hand => {
          change(name, 'Replace')(hand);
          hand.click('button', 'Replace');
          save(hand);
        },
        'another note': hand => {
          change(other, 'Replace all')(hand);
          save(hand);
        },
      },
    };
  },
};

const saveAs: PocketTemplate = {
  id: 'notes-save-as',
  tier: 3,
  apps: APPS,
  make: draw => {
    const [name, wanted] = [`${draw.fresh(draw.words.thing)}.txt`, fileName(draw)];
    const inner = draw.fresh(draw.words.folder);
    const world = draw.world();
    const [to = 'Documents', elsewhere = 'Pictures'] = draw.some(
      ['Documents', 'Downloads', 'Pictures', inner],
      2,
    );
    const text = listOf(draw);
    put(world.root, `/${inner}`, folder());
    put(world.root, `/Notes/${name}`, file(text));
    const isOpen = draw.chance(0.5);
    const copy = (under: string, into: string) => (hand: ScriptedUser) => {
      hand.open('Notes');
      hand.click('listitem', name);
      hand.keys('ctrl', 'shift', 's');
      hand.type(under);
      hand.click('button', 'Up');
      hand.double('listitem', into);
      hand.click('button', 'Save');
    };
    return {
      instruction: draw.say(
        `Save the note "${name}" in ${to} too, under the name "${wanted}".`,
        `Put a copy of the note "${name}" into the folder ${to}, called "${wanted}".`,
        `I want the note "${name}" as "${wanted}" in ${to}. Leave the one in Notes as it is.`,
      ),
      world,
      open: closedOrOpen(isOpen, 'notes'),
      evaluator: all(fileIs(`/${to}/${wanted}`, text), onlyFiles(`/${to}/${wanted}`)),
      solve: copy(wanted, to),
      misses: {
        'into another folder': copy(wanted, elsewhere),
        'under the old name': copy(name, to),
        'beside the note': hand => {
          hand.open('Notes');
          hand.click('listitem', name);
          hand.keys('ctrl', 'shift', 's');
          hand.type(`${wanted}\n`);
        },
      },
    };
  },
};

const addElsewhere: PocketTemplate = {
  id: 'notes-add-in-folder',
  tier: 3,
  apps: ['files', 'notes'],
  make: draw => {
    const name = fileName(draw);
    const world = draw.world();
    const place = `/${draw.one(['Documents', 'Downloads', 'Pictures'])}`;
    const text = listOf(draw);
    const item = draw.one(draw.words.thing);
    const [path, other] = [joined(place, name), similarName(draw, name)];
    put(world.root, path, file(text));
    put(world.root, joined(place, other), file(text));
    const isOpen = draw.chance(0.5);
    const add = (which: string, what: string) => (hand: ScriptedUser) => {
      hand.open('Files');
      hand.click('treeitem', nameOf(place));
      hand.double('row', which);
      hand.keys('ctrl', 'end');
      hand.type(what);
      save(hand);
    };
    return {
      instruction: draw.say(
        `Add "${item}" as a new last line to the file "${name}" in ${nameOf(place)}, and save it.`,
        `"${name}" in ${nameOf(place)} is a list. Put "${item}" on a line of its own at the end and save.`,
        `Open "${name}" from ${nameOf(place)}, write "${item}" under its last line, and save it.`,
      ),
      world,
      open: closedOrOpen(isOpen, 'files'),
      evaluator: all(fileIs(path, `${text}\n${item}`), onlyFiles(path)),
      solve: add(name, `\n${item}`),
      misses: {
        'the similar file': add(other, `\n${item}`),
        'on the last line': add(name, item),
        'as a new note': hand => {
          hand.open('Notes');
          hand.type(`${text}\n${item}`);
          save(hand);
          hand.type(`${name}\n`);
        },
      },
    };
  },
};

export const NOTES_EDITING: readonly PocketTemplate[] = [replaceWord, saveAs, addElsewhere];
