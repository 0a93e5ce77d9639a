// Tasks in which a file is to be found first: by its size, by its name, far down in a list. And one that is not there.

import { type Folder, joined, nameOf } from '../../world.ts';
import type { Draw } from '../draw.ts';
import {
  file,
  fileName,
  folder,
  onlyFiles,
  put,
  sentence,
  similarName,
  thrownAway,
  topFolders,
} from '../filing.ts';
import { toDeleteBySize } from '../phrases.ts';
import type { ScriptedUser } from '../scripted-user.ts';
import { all, fileIs, infeasible, noFile, type PocketTemplate } from '../template.ts';

const APPS = ['files'];

const go = (hand: ScriptedUser, path: string) => hand.click('treeitem', nameOf(path));

/** Whether Files is open already; where it is not, an agent opens it first. */
const perhapsOpen = (draw: Draw) => (draw.chance(0.5) ? [{ app: 'files' }] : []);

const deleteBySize: PocketTemplate = {
  id: 'files-delete-by-size',
  tier: 2,
  apps: APPS,
  make: draw => {
    const names = Array.from({ length: 4 }, () => draw.fresh(draw.words.thing)).map(thing => `${thing}.txt`);
    const world = draw.world();
    const [into] = topFolders(draw);
    // Far enough apart that no choice of sentences makes two alike.
    const lengths = draw.some([1, 3, 5, 9], 4);
    const texts = names.map((_, index) =>
      Array<string>(lengths[index] ?? 1)
        .fill(sentence(draw))
        .join(' '),
    );
    world.root.entries[nameOf(into)] = folder(
      Object.fromEntries(names.map((name, index) => [name, file(texts[index] ?? '')])),
    );
    const [most, least] = [9, 1].map(length => names[lengths.indexOf(length)] ?? '');
    const largest = draw.chance(0.5);
    const [wanted = '', opposite = ''] = largest ? [most, least] : [least, most];
    const size = largest ? 'largest' : 'smallest';
    const remove = (name: string) => (hand: ScriptedUser) => {
      go(hand, into);
      hand.click('row', name);
      hand.keys('delete');
      hand.keys('enter');
    };
    return {
      instruction: draw.say(...toDeleteBySize(size, nameOf(into))),
      world,
      open: [{ app: 'files' }],
      evaluator: all(...thrownAway(joined(into, wanted), texts[names.indexOf(wanted)] ?? '')),
      solve: remove(wanted),
      misses: {
        'the other extreme': remove(opposite),
        'another file as well': hand => {
          remove(wanted)(hand);
          remove(opposite)(hand);
        },
      },
    };
  },
};

const findAndRename: PocketTemplate = {
  id: 'files-find-rename',
  tier: 3,
  apps: APPS,
  make: draw => {
    const [name, wanted] = [fileName(draw), fileName(draw)];
    const inner = draw.fresh(draw.words.folder);
    const world = draw.world();
    const place = draw.one([`/Documents/${inner}`, `/Downloads/${inner}`, `/Pictures/${inner}`]);
    const other = similarName(draw, name);
    const text = sentence(draw);
    put(world.root, joined(place, name), file(text));
    put(world.root, joined('/Downloads', other), file(text));
    const renamed = (which: string, from: string, to: string) => (hand: ScriptedUser) => {
      hand.open('Files');
      hand.keys('ctrl', 'f');
      hand.type(which);
      hand.click('row', `${from.slice(1)}/${which}`);
      hand.keys('f2');
      hand.type(`${to}\n`);
    };
    return {
      instruction: draw.say(
        `Somewhere there is a file "${name}". Find it and rename it to "${wanted}".`,
        `I do not know which folder "${name}" is in. It should be called "${wanted}".`,
        `Look for the file "${name}" and give it the name "${wanted}".`,
      ),
      world,
      open: perhapsOpen(draw),
      evaluator: all(
        noFile(joined(place, name)),
        fileIs(joined(place, wanted), text),
        onlyFiles(joined(place, name), joined(place, wanted)),
      ),
      solve: renamed(name, place, wanted),
      misses: {
        'the similar file': renamed(other, '/Downloads', wanted),
        'a name that is only alike': renamed(name, place, `${wanted} 2`),
        'moved out of its folder as well': hand => {
          renamed(name, place, wanted)(hand);
          go(hand, '/Home');
          hand.keys('ctrl', 'f');
          hand.type(wanted);
          hand.drag('row', `${place.slice(1)}/${wanted}`, 'treeitem', 'Notes');
        },
      },
    };
  },
};

/** A folder of many files that are numbered: the one wanted is out of sight. */
function numbered(root: Folder, path: string, thing: string, count: number): (index: number) => string {
  const name = (index: number) => `${thing} ${String(index).padStart(2, '0')}.txt`;
  root.entries[nameOf(path)] = folder(
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [name(index + 1), file(`${thing} ${index + 1}`)]),
    ),
  );
  return name;
}

const deleteFar: PocketTemplate = {
  id: 'files-delete-far',
  tier: 3,
  apps: APPS,
  make: draw => {
    const thing = draw.fresh(draw.words.thing);
    const world = draw.world();
    const [place] = topFolders(draw);
    const count = draw.whole(14, 24);
    const name = numbered(world.root, place, thing, count);
    const number = draw.whole(11, count - 1);
    const remove = (which: string) => (hand: ScriptedUser) => {
      hand.open('Files');
      go(hand, place);
      hand.scrollTo(hand.seen('row', name(4)), 'row', which);
      hand.click('row', which);
      hand.keys('delete');
      hand.keys('enter');
    };
    return {
      instruction: draw.say(
        `Delete "${name(number)}" from ${nameOf(place)}.`,
        `Throw away the file "${name(number)}" in ${nameOf(place)}.`,
        `There are many files in ${nameOf(place)}. Only "${name(number)}" should go to the trash.`,
      ),
      world,
      open: perhapsOpen(draw),
      evaluator: all(...thrownAway(joined(place, name(number)), `${thing} ${number}`)),
      solve: remove(name(number)),
      misses: {
        'the file below it': remove(name(number + 1)),
        'the file above it': remove(name(number - 1)),
        'moved elsewhere': hand => {
          hand.open('Files');
          go(hand, place);
          hand.scrollTo(hand.seen('row', name(4)), 'row', name(number));
          hand.drag('row', name(number), 'treeitem', 'Home');
        },
      },
    };
  },
};

const missing: PocketTemplate = {
  id: 'files-infeasible',
  tier: 1,
  apps: APPS,
  make: draw => {
    const [name, wanted] = [fileName(draw), fileName(draw)];
    const world = draw.world();
    const [place, to] = topFolders(draw);
    const other = draw.chance(0.5) ? similarName(draw, name) : `${draw.one(draw.words.topic)}.txt`;
    put(world.root, joined(place, other), file(sentence(draw)));
    return {
      instruction: draw.say(
        `Rename "${name}" in ${nameOf(place)} to "${wanted}".`,
        `Delete "${name}" from ${nameOf(place)}.`,
        `Copy "${name}" from ${nameOf(place)} to ${nameOf(to)}.`,
        `Move the file "${name}" from ${nameOf(place)} into ${nameOf(to)}.`,
        `I do not know which folder "${name}" is in. It should be called "${wanted}".`,
      ),
      world,
      open: perhapsOpen(draw),
      evaluator: infeasible(),
      solve: () => undefined,
      misses: {
        'another file instead': hand => {
          hand.open('Files');
          go(hand, place);
          hand.click('row', other);
          hand.keys('delete');
          hand.keys('enter');
        },
      },
    };
  },
};

export const FINDING_FILES: readonly PocketTemplate[] = [deleteBySize, findAndRename, deleteFar, missing];
