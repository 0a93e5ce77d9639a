// Tasks about one file or folder: make, name, move, copy, throw away.

import { joined, nameOf } from '../../world.ts';
import {
  file,
  fileName,
  inWorld,
  listOf,
  onlyFiles,
  put,
  sentence,
  similarName,
  thrownAway,
  topFolders,
} from '../filing.ts';
import {
  toCopyFile,
  toDeleteFile,
  toDeleteSelected,
  toMakeFolder,
  toMakeFolderHere,
  toMoveFile,
  toMoveFileFrom,
  toRenameFile,
} from '../phrases.ts';
import type { ScriptedUser } from '../scripted-user.ts';
import { all, fileIs, noFile, type PocketTemplate, stateIs } from '../template.ts';

const APPS = ['files'];

const makeFolder = (hand: ScriptedUser, name: string) => {
  hand.keys('ctrl', 'n');
  hand.type(`${name}\n`);
};

const go = (hand: ScriptedUser, folder: string) => hand.click('treeitem', nameOf(folder));

const newFolder: PocketTemplate = {
  id: 'files-new-folder',
  tier: 1,
  apps: APPS,
  make: draw => {
    const name = draw.fresh(draw.words.folder);
    const world = draw.world();
    const [into, elsewhere] = topFolders(draw);
    const path = joined(into, name);
    return {
      instruction: draw.say(...toMakeFolderHere(name), ...toMakeFolder(name, nameOf(into))),
      world,
      open: [{ app: 'files', what: into }],
      evaluator: all(stateIs(inWorld(path), { kind: 'folder', entries: {} }), onlyFiles(path)),
      solve: hand => makeFolder(hand, name),
      misses: {
        'in another folder': hand => {
          go(hand, elsewhere);
          makeFolder(hand, name);
        },
        'under another name': hand => makeFolder(hand, name.toLowerCase()),
        'made and then thrown away': hand => {
          makeFolder(hand, name);
          hand.keys('delete');
          hand.keys('enter');
        },
      },
    };
  },
};

const deleteChosen: PocketTemplate = {
  id: 'files-delete-selected',
  tier: 1,
  apps: APPS,
  make: draw => {
    const name = fileName(draw);
    const world = draw.world();
    const [into] = topFolders(draw);
    const [path, other] = [joined(into, name), similarName(draw, name)];
    const text = sentence(draw);
    put(world.root, path, file(text));
    put(world.root, joined(into, other), file(sentence(draw)));
    return {
      instruction: draw.say(...toDeleteSelected(), ...toDeleteFile(name)),
      world,
      open: [{ app: 'files', what: path }],
      evaluator: all(...thrownAway(path, text)),
      solve: hand => {
        hand.keys('delete');
        hand.keys('enter');
      },
      misses: {
        'asked and then kept': hand => {
          hand.keys('delete');
          hand.keys('esc');
        },
        'the other file': hand => {
          hand.click('row', other);
          hand.keys('delete');
          hand.keys('enter');
        },
        'moved elsewhere': hand => hand.drag('row', name, 'treeitem', 'Home'),
        'from the trash too': hand => {
          hand.keys('delete');
          hand.keys('enter');
          hand.click('treeitem', 'Trash');
          hand.click('row', name);
          hand.keys('delete');
          hand.keys('enter');
        },
      },
    };
  },
};

const moveHere: PocketTemplate = {
  id: 'files-move',
  tier: 1,
  apps: APPS,
  make: draw => {
    const name = fileName(draw);
    const world = draw.world();
    const [from, to, elsewhere] = topFolders(draw);
    const other = similarName(draw, name);
    const text = sentence(draw);
    put(world.root, joined(from, name), file(text));
    put(world.root, joined(from, other), file(text));
    const move = (which: string, where: string) => (hand: ScriptedUser) =>
      hand.drag('row', which, 'treeitem', nameOf(where));
    return {
      instruction: draw.say(
        ...toMoveFile(name, nameOf(to)),
        ...toMoveFileFrom(name, nameOf(from), nameOf(to)),
      ),
      world,
      open: [{ app: 'files', what: from }],
      evaluator: all(
        noFile(joined(from, name)),
        fileIs(joined(to, name), text),
        onlyFiles(joined(from, name), joined(to, name)),
      ),
      solve: move(name, to),
      misses: {
        'into another folder': move(name, elsewhere),
        'another file': move(other, to),
        'copied instead': hand => {
          hand.choose('row', name, 'Copy');
          hand.choose('treeitem', nameOf(to), 'Paste');
        },
      },
    };
  },
};

const rename: PocketTemplate = {
  id: 'files-rename',
  tier: 2,
  apps: APPS,
  make: draw => {
    const [name, wanted] = [fileName(draw), fileName(draw)];
    const world = draw.world();
    const [folder] = topFolders(draw);
    const other = similarName(draw, name);
    const text = sentence(draw);
    put(world.root, joined(folder, name), file(text));
    put(world.root, joined(folder, other), file(sentence(draw)));
    const named = (which: string, to: string) => (hand: ScriptedUser) => {
      go(hand, folder);
      hand.choose('row', which, 'Rename...');
      hand.type(`${to}\n`);
    };
    return {
      instruction: draw.say(...toRenameFile(name, nameOf(folder), wanted)),
      world,
      open: [{ app: 'files' }],
      evaluator: all(
        noFile(joined(folder, name)),
        fileIs(joined(folder, wanted), text),
        onlyFiles(joined(folder, name), joined(folder, wanted)),
      ),
      solve: named(name, wanted),
      misses: {
        'another file': named(other, wanted),
        'without its ending': named(name, wanted.replace('.txt', '')),
        'the old name left before the new one': hand => {
          go(hand, folder);
          hand.choose('row', name, 'Rename...');
          hand.keys('end');
          hand.type(`${wanted}\n`);
        },
      },
    };
  },
};

const copy: PocketTemplate = {
  id: 'files-copy',
  tier: 2,
  apps: APPS,
  make: draw => {
    const name = fileName(draw);
    const world = draw.world();
    const [from, to, elsewhere] = topFolders(draw);
    const text = listOf(draw);
    put(world.root, joined(from, name), file(text));
    const isThere = draw.chance(0.5);
    const paste = (hand: ScriptedUser, where: string) => {
      if (!isThere) go(hand, from);
      hand.choose('row', name, 'Copy');
      hand.choose('treeitem', nameOf(where), 'Paste');
    };
    return {
      instruction: draw.say(...toCopyFile(name, nameOf(from), nameOf(to))),
      world,
      open: [{ app: 'files', ...(isThere && { what: from }) }],
      evaluator: all(
        fileIs(joined(from, name), text),
        fileIs(joined(to, name), text),
        onlyFiles(joined(to, name)),
      ),
      solve: hand => paste(hand, to),
      misses: {
        'moved instead': hand => {
          go(hand, from);
          hand.drag('row', name, 'treeitem', nameOf(to));
        },
        'into another folder': hand => paste(hand, elsewhere),
        twice: hand => {
          paste(hand, to);
          hand.choose('treeitem', nameOf(to), 'Paste');
        },
      },
    };
  },
};

export const FILES: readonly PocketTemplate[] = [newFolder, deleteChosen, moveHere, rename, copy];
