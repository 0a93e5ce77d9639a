// Tasks about files and folders: create, rename, move, copy, delete, find, and the trash.

import {
  all,
  fileIs,
  fileMoved,
  fileTrashed,
  inWorld,
  noFile,
  onlyChanged,
  onlyFiles,
  stateIs,
} from '../conditions.ts';
import { type Draw, itemAt } from '../draw.ts';
import { copyFile, deleteFile, emptyTrash, makeFolder, moveFile, renameFile } from '../outcomes/files.ts';
import { choose, click, drag, openApp, press, scrollTo, steps, write } from '../scripted-user.ts';
import { file, folder, inFront, put, putFile } from '../starting-world.ts';
import { type PocketTemplate, template } from '../template.ts';
import { deleteSelected, showFolder, trashFile } from './scripts.ts';

const apps = ['files'];

const newFolder = (name: string) => steps(press('ctrl', 'n'), write(`${name}\n`));
const copyInto = (name: string, folder: string) =>
  steps(choose('row', name, 'Copy'), choose('treeitem', folder, 'Paste'));

const search = (text: string) => steps(press('ctrl', 'f'), write(text));

/** A folder whose files have these texts, by name. */
const folderOf = (names: readonly string[], textOf: (index: number) => string) =>
  folder(Object.fromEntries(names.map((name, index) => [name, file(textOf(index))])));

/** Documents is not first: with the files of these tasks its list would not fit on the screen. */
function foldersWithRoom(draw: Draw): readonly [string, string, string] {
  const [first, second, third] = draw.topFolders();
  return first === 'Documents' ? [second, first, third] : [first, second, third];
}

const showTrash = steps(openApp('Files'), showFolder('Trash'));
const askToEmpty = steps(openApp('Files'), choose('treeitem', 'Trash', 'Empty Trash...'));

/** A world with these files in the trash, and the path at which each was before. */
function withTrash(draw: Draw, names: readonly string[]) {
  const world = draw.world();
  const origins = names.map(name => {
    const origin = `/${draw.pick(draw.topFolders())}/${name}`;
    put(world.root, `/Trash/${name}`, file(`${draw.sentence()}.`, origin));
    return origin;
  });
  return { world, origins };
}

export const FILES: readonly PocketTemplate[] = [
  template('files-new-folder', { tier: 1, apps }, draw => {
    const name = draw.fresh(draw.words.folder);
    const world = draw.world();
    const [place, elsewhere] = draw.topFolders();
    const path = `/${place}/${name}`;
    return {
      instruction: draw.phrase(...makeFolder(name, { place, isHere: true }).ways),
      world,
      open: inFront('files', `/${place}`),
      evaluator: all(stateIs(inWorld(path), { kind: 'folder', entries: {} }), onlyFiles(path)),
      solve: newFolder(name),
      misses: {
        'in another folder': steps(showFolder(elsewhere), newFolder(name)),
        'under another name': newFolder(name.toLowerCase()),
        'made and then thrown away': steps(newFolder(name), deleteSelected),
      },
    };
  }),

  template('files-delete-selected', { tier: 1, apps }, draw => {
    const name = draw.fileName();
    const world = draw.world();
    const [place] = draw.topFolders();
    const [path, other] = [`/${place}/${name}`, draw.similarName(name)];
    const text = `${draw.sentence()}.`;
    putFile(world.root, path, text);
    putFile(world.root, `/${place}/${other}`, `${draw.sentence()}.`);
    return {
      instruction: draw.phrase(...deleteFile({ isSelected: true, name }).ways),
      world,
      open: inFront('files', path),
      evaluator: fileTrashed(path, text),
      solve: deleteSelected,
      misses: {
        'asked and then kept': steps(press('delete'), press('esc')),
        'the other file': trashFile(other),
        'moved elsewhere': drag('row', name, 'treeitem', 'Home'),
        'from the trash too': steps(deleteSelected, showFolder('Trash'), trashFile(name)),
      },
    };
  }),

  template('files-move', { tier: 1, apps }, draw => {
    const name = draw.fileName();
    const world = draw.world();
    const [from, to, elsewhere] = draw.topFolders();
    const other = draw.similarName(name);
    const text = `${draw.sentence()}.`;
    putFile(world.root, `/${from}/${name}`, text);
    putFile(world.root, `/${from}/${other}`, text);
    const move = (which: string, where: string) => drag('row', which, 'treeitem', where);
    return {
      instruction: draw.phrase(...moveFile(name, { from, to, isNameClear: true }).ways),
      world,
      open: inFront('files', `/${from}`),
      evaluator: fileMoved(`/${from}/${name}`, `/${to}/${name}`, text),
      solve: move(name, to),
      misses: {
        'into another folder': move(name, elsewhere),
        'another file': move(other, to),
        'copied instead': copyInto(name, to),
      },
    };
  }),

  template('files-rename', { tier: 2, apps }, draw => {
    const [name, wanted] = [draw.fileName(), draw.fileName()];
    const world = draw.world();
    const [place] = draw.topFolders();
    const other = draw.similarName(name);
    const text = `${draw.sentence()}.`;
    putFile(world.root, `/${place}/${name}`, text);
    putFile(world.root, `/${place}/${other}`, `${draw.sentence()}.`);
    const beginRename = (which: string) => steps(showFolder(place), choose('row', which, 'Rename...'));
    const rename = (which: string, to: string) => steps(beginRename(which), write(`${to}\n`));
    return {
      instruction: draw.phrase(...renameFile(name, place, wanted).ways),
      world,
      open: inFront('files'),
      evaluator: fileMoved(`/${place}/${name}`, `/${place}/${wanted}`, text),
      solve: rename(name, wanted),
      misses: {
        'another file': rename(other, wanted),
        'without its ending': rename(name, wanted.replace('.txt', '')),
        'the old name left before the new one': steps(beginRename(name), press('end'), write(`${wanted}\n`)),
      },
    };
  }),

  template('files-copy', { tier: 2, apps }, draw => {
    const name = draw.fileName();
    const world = draw.world();
    const [from, to, elsewhere] = draw.topFolders();
    const text = draw.list();
    putFile(world.root, `/${from}/${name}`, text);
    const isShown = draw.chance(0.5);
    const copy = (into: string) => steps(isShown ? steps() : showFolder(from), copyInto(name, into));
    return {
      instruction: draw.phrase(...copyFile(name, from, to).ways),
      world,
      open: inFront('files', isShown ? `/${from}` : undefined),
      evaluator: all(
        fileIs(`/${from}/${name}`, text),
        fileIs(`/${to}/${name}`, text),
        onlyFiles(`/${to}/${name}`),
      ),
      solve: copy(to),
      misses: {
        'moved instead': steps(showFolder(from), drag('row', name, 'treeitem', to)),
        'into another folder': copy(elsewhere),
        twice: steps(copy(to), choose('treeitem', to, 'Paste')),
      },
    };
  }),

  template('files-delete-by-size', { tier: 2, apps }, draw => {
    const names = Array.from({ length: 4 }, () => draw.noteName());
    const world = draw.world();
    const [place] = draw.topFolders();
    // The numbers of sentences differ so much that no two files have the same size.
    const lengths = draw.sample([1, 3, 5, 9], 4);
    const texts = lengths.map(length => Array<string>(length).fill(`${draw.sentence()}.`).join(' '));
    world.root.entries[place] = folderOf(names, index => itemAt(texts, index));
    const size = draw.chance(0.5) ? 'largest' : 'smallest';
    const [largest, smallest] = [lengths.indexOf(9), lengths.indexOf(1)];
    const [wanted, other] = size === 'largest' ? [largest, smallest] : [smallest, largest];
    const remove = (index: number) => steps(showFolder(place), trashFile(itemAt(names, index)));
    return {
      instruction: draw.phrase(...deleteFile({ size, place }).ways),
      world,
      open: inFront('files'),
      evaluator: fileTrashed(`/${place}/${names[wanted]}`, itemAt(texts, wanted)),
      solve: remove(wanted),
      misses: {
        'the other extreme': remove(other),
        'another file as well': steps(remove(wanted), remove(other)),
      },
    };
  }),

  template('files-find-rename', { tier: 3, apps }, draw => {
    const [name, wanted] = [draw.fileName(), draw.fileName()];
    const inner = draw.fresh(draw.words.folder);
    const world = draw.world();
    const place = draw.pick([`Documents/${inner}`, `Downloads/${inner}`, `Pictures/${inner}`]);
    const other = draw.similarName(name);
    const text = `${draw.sentence()}.`;
    putFile(world.root, `/${place}/${name}`, text);
    putFile(world.root, `/Downloads/${other}`, text);
    const rename = (which: string, from: string, to: string) =>
      steps(openApp('Files'), search(which), click('row', `${from}/${which}`), press('f2'), write(`${to}\n`));
    return {
      instruction: draw.phrase(
        `Somewhere there is a file "${name}". Find it and rename it to "${wanted}".`,
        `I do not know which folder "${name}" is in. It should be called "${wanted}".`,
        `Look for the file "${name}" and give it the name "${wanted}".`,
      ),
      world,
      open: draw.maybeOpen('files'),
      evaluator: fileMoved(`/${place}/${name}`, `/${place}/${wanted}`, text),
      solve: rename(name, place, wanted),
      misses: {
        'the similar file': rename(other, 'Downloads', wanted),
        'a name that is only alike': rename(name, place, `${wanted} 2`),
        'moved out of its folder as well': steps(
          rename(name, place, wanted),
          showFolder('Home'),
          search(wanted),
          drag('row', `${place}/${wanted}`, 'treeitem', 'Notes'),
        ),
      },
    };
  }),

  template('files-delete-far', { tier: 3, apps }, draw => {
    const thing = draw.fresh(draw.words.thing);
    const world = draw.world();
    const [place] = draw.topFolders();
    const count = draw.integer(14, 24);
    const nameOf = (number: number) => `${thing} ${String(number).padStart(2, '0')}.txt`;
    const names = Array.from({ length: count }, (_, index) => nameOf(index + 1));
    world.root.entries[place] = folderOf(names, index => `${thing} ${index + 1}`);
    const number = draw.integer(11, count - 1);
    const name = nameOf(number);
    const scroll = (to: string) => steps(openApp('Files'), showFolder(place), scrollTo('row', to, nameOf(4)));
    const remove = (which: string) => steps(scroll(which), trashFile(which));
    return {
      instruction: draw.phrase(
        `Delete "${name}" from ${place}.`,
        `Throw away the file "${name}" in ${place}.`,
        `There are many files in ${place}. Only "${name}" should go to the trash.`,
      ),
      world,
      open: draw.maybeOpen('files'),
      evaluator: fileTrashed(`/${place}/${name}`, `${thing} ${number}`),
      solve: remove(name),
      misses: {
        'the file below it': remove(nameOf(number + 1)),
        'the file above it': remove(nameOf(number - 1)),
        'moved elsewhere': steps(scroll(name), drag('row', name, 'treeitem', 'Home')),
      },
    };
  }),

  template('files-infeasible', { tier: 1, apps }, draw => {
    const [name, wanted] = [draw.fileName(), draw.fileName()];
    const world = draw.world();
    const [place, to] = draw.topFolders();
    const other = draw.chance(0.5) ? draw.similarName(name) : `${draw.pick(draw.words.topic)}.txt`;
    putFile(world.root, `/${place}/${other}`, `${draw.sentence()}.`);
    return {
      instruction: draw.phrase(
        `Rename "${name}" in ${place} to "${wanted}".`,
        `Delete "${name}" from ${place}.`,
        `Copy "${name}" from ${place} to ${to}.`,
        `Move the file "${name}" from ${place} into ${to}.`,
        `I do not know which folder "${name}" is in. It should be called "${wanted}".`,
      ),
      world,
      open: draw.maybeOpen('files'),
      misses: { 'another file instead': steps(openApp('Files'), showFolder(place), trashFile(other)) },
    };
  }),

  template('files-move-by-ending', { tier: 3, apps }, draw => {
    const ending = draw.pick(['md', 'csv', 'log', 'html']);
    const names = Array.from({ length: draw.integer(2, 3) }, () => draw.fileName(ending));
    const world = draw.world();
    const [from, to, elsewhere] = foldersWithRoom(draw);
    const text = `${draw.sentence()}.`;
    const decoy = `${draw.pick(draw.words.thing)} ${ending}.txt`;
    for (const name of [...names, decoy]) putFile(world.root, `/${from}/${name}`, text);
    const move = (which: readonly string[], where: string) =>
      steps(openApp('Files'), showFolder(from), ...which.map(name => drag('row', name, 'treeitem', where)));
    return {
      instruction: draw.phrase(
        `Move all .${ending} files from ${from} to ${to}.`,
        `Every file in ${from} whose name ends in .${ending} belongs in ${to}. Move them.`,
        `Tidy up ${from}: put its .${ending} files into ${to} and leave the others.`,
      ),
      world,
      open: draw.maybeOpen('files'),
      evaluator: all(
        ...names.map(name => noFile(`/${from}/${name}`)),
        ...names.map(name => fileIs(`/${to}/${name}`, text)),
        onlyFiles(...names.flatMap(name => [`/${from}/${name}`, `/${to}/${name}`])),
      ),
      solve: move(names, to),
      misses: {
        'one is left': move(names.slice(1), to),
        'one that only looks so as well': move([...names, decoy], to),
        'into another folder': move(names, elsewhere),
      },
    };
  }),

  template('files-into-new-folder', { tier: 3, apps }, draw => {
    const [first, second] = [draw.fileName(), draw.fileName()];
    const name = draw.fresh(draw.words.folder);
    const world = draw.world();
    const [place] = foldersWithRoom(draw);
    const text = `${draw.sentence()}.`;
    const other = draw.similarName(first);
    for (const each of [first, second, other]) putFile(world.root, `/${place}/${each}`, text);
    const path = `/${place}/${name}`;
    const gather = (which: readonly string[], into: string) =>
      steps(
        openApp('Files'),
        showFolder(place),
        newFolder(into),
        ...which.map(each => drag('row', each, 'row', into)),
      );
    return {
      instruction: draw.phrase(
        `In ${place}, create a folder "${name}" and move "${first}" and "${second}" into it.`,
        `Put "${first}" and "${second}" from ${place} into a new folder there, called "${name}".`,
        `"${first}" and "${second}" in ${place} belong together. Move both into a new folder "${name}" there.`,
      ),
      world,
      open: draw.maybeOpen('files'),
      evaluator: all(
        stateIs(inWorld(path), folder({ [first]: file(text), [second]: file(text) })),
        noFile(`/${place}/${first}`),
        noFile(`/${place}/${second}`),
        onlyFiles(path, `/${place}/${first}`, `/${place}/${second}`),
      ),
      solve: gather([first, second], name),
      misses: {
        'one file only': gather([first], name),
        'one file too many': gather([first, second, other], name),
        'the similar file': gather([other, second], name),
        'a folder of another name': gather([first, second], `New ${name}`),
      },
    };
  }),

  template('files-empty-trash', { tier: 2, apps }, draw => {
    const names = Array.from({ length: draw.integer(2, 3) }, () => draw.fileName());
    const { world } = withTrash(draw, names);
    const first = itemAt(names, 0);
    return {
      instruction: draw.phrase(...emptyTrash(names.length).ways),
      world,
      open: draw.maybeOpen('files'),
      evaluator: all(stateIs(inWorld('/Trash'), folder()), onlyChanged(`${inWorld('/Trash')}.**`)),
      solve: steps(askToEmpty, press('enter')),
      misses: {
        'asked and then kept': steps(askToEmpty, press('esc')),
        'one file only': steps(showTrash, trashFile(first)),
        'emptied by bringing all back': steps(
          showTrash,
          ...names.map(name => choose('row', name, 'Restore')),
        ),
      },
    };
  }),

  template('files-restore', { tier: 3, apps, unseen: true }, draw => {
    const names = Array.from({ length: 3 }, () => draw.fileName());
    const { world, origins } = withTrash(draw, names);
    const [name, other, origin] = [itemAt(names, 0), itemAt(names, 1), itemAt(origins, 0)];
    const text = `${draw.sentence()}.`;
    put(world.root, `/Trash/${name}`, file(text, origin));
    const restore = (which: string) => steps(showTrash, choose('row', which, 'Restore'));
    const elsewhere = itemAt(
      draw.topFolders().filter(each => `/${each}/${name}` !== origin),
      0,
    );
    return {
      instruction: draw.phrase(
        `I deleted "${name}" by mistake. Bring it back to where it was.`,
        `Restore "${name}" from the trash.`,
        `Get the file "${name}" out of the trash and back into its folder.`,
      ),
      world,
      open: draw.maybeOpen('files'),
      evaluator: fileMoved(`/Trash/${name}`, origin, text),
      solve: restore(name),
      misses: {
        'another file': restore(other),
        'all of them': steps(...names.map(restore)),
        'to another folder': steps(showTrash, drag('row', name, 'treeitem', elsewhere)),
      },
    };
  }),
];
