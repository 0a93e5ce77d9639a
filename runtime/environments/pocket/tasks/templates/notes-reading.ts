// Tasks about notes in which what one note says decides what is written in it, or in another.

import { file, folder, listOf, onlyFiles, put } from '../filing.ts';
import type { ScriptedUser } from '../scripted-user.ts';
import { all, fileIs, type PocketTemplate } from '../template.ts';

const APPS = ['notes'];
const save = (hand: ScriptedUser) => hand.keys('ctrl', 's');

const addToSaying: PocketTemplate = {
  id: 'notes-add-to-saying',
  tier: 3,
  apps: APPS,
  make: draw => {
    const names = Array.from({ length: 3 }, () => `${draw.fresh(draw.words.thing)}.txt`).sort();
    const world = draw.world();
    const says = draw.some(draw.words.sentence, 3);
    world.root.entries['Notes'] = folder(
      Object.fromEntries(names.map((name, index) => [name, file(`${says[index]}.`)])),
    );
    const at = draw.whole(0, 2);
    const [name = '', said = ''] = [names[at], says[at]];
    const other = names[(at + 1) % 3] ?? '';
    const line = `Tell ${draw.one(draw.words.first)}`;
    const path = `/Notes/${name}`;
    const add = (which: string, what: string) => (hand: ScriptedUser) => {
      hand.click('listitem', which);
      hand.keys('ctrl', 'end');
      hand.type(what);
      save(hand);
    };
    return {
      instruction: draw.say(
        `One of the notes says "${said}." Add "${line}" on a new line at its end, and save it.`,
        `Find the note that says "${said}." and write "${line}" as its last line. Save it.`,
        `Where it says "${said}." in my notes, put "${line}" on the line below, and save the note.`,
      ),
      world,
      open: [{ app: 'notes' }],
      evaluator: all(fileIs(path, `${said}.\n${line}`), onlyFiles(path)),
      solve: hand => {
        // The names do not tell: one note after the other is read.
        for (const each of names.slice(0, at)) hand.click('listitem', each);
        add(name, `\n${line}`)(hand);
      },
      misses: {
        'another note': add(other, `\n${line}`),
        'on the same line': add(name, ` ${line}`),
        'in both': hand => {
          add(name, `\n${line}`)(hand);
          add(other, `\n${line}`)(hand);
        },
      },
    };
  },
};

const merge: PocketTemplate = {
  id: 'notes-merge',
  tier: 3,
  apps: APPS,
  unseen: true,
  make: draw => {
    const [from, to] = [`${draw.fresh(draw.words.thing)}.txt`, `${draw.fresh(draw.words.thing)}.txt`];
    const world = draw.world();
    const [taken, there] = [listOf(draw), listOf(draw)];
    put(world.root, `/Notes/${from}`, file(taken));
    put(world.root, `/Notes/${to}`, file(there));
    const bring = (hand: ScriptedUser, source: string, target: string) => {
      hand.click('listitem', source);
      hand.keys('ctrl', 'a');
      hand.keys('ctrl', 'c');
      hand.click('listitem', target);
      hand.keys('ctrl', 'end');
      hand.keys('enter');
      hand.keys('ctrl', 'v');
    };
    return {
      instruction: draw.say(
        `Copy all lines of the note "${from}" to the end of the note "${to}", and save it.`,
        `Add what "${from}" says below the last line of "${to}". Save the note and leave "${from}" as it is.`,
        `"${to}" should end with all that is in "${from}", beginning on a new line. Save it.`,
      ),
      world,
      open: [{ app: 'notes' }],
      evaluator: all(fileIs(`/Notes/${to}`, `${there}\n${taken}`), onlyFiles(`/Notes/${to}`)),
      solve: hand => {
        bring(hand, from, to);
        save(hand);
      },
      misses: {
        'the wrong way round': hand => {
          bring(hand, to, from);
          save(hand);
        },
        'not saved': hand => bring(hand, from, to),
        'without the line break': hand => {
          bring(hand, from, to);
          hand.keys('ctrl', 'z');
          hand.keys('backspace');
          hand.keys('ctrl', 'v');
          save(hand);
        },
      },
    };
  },
};

export const NOTES_READING: readonly PocketTemplate[] = [addToSaying, merge];
