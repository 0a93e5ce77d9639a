// Tasks about one file or folder: create, rename, move, copy, delete.

import { all, fileIs, fileMoved, fileTrashed, inWorld, onlyFiles, stateIs } from '../conditions.ts';
import { copyFile, deleteFile, makeFolder, moveFile, renameFile } from '../outcomes/files.ts';
import { choose, drag, press, steps, write } from '../scripted-user.ts';
import { inFront, putFile } from '../setup.ts';
import { type PocketTemplate, template } from '../template.ts';
import * as scripts from './scripts.ts';

const apps = ['files'];

export const newFolder = (name: string) => steps(press('ctrl', 'n'), write(`${name}\n`));
const copyInto = (name: string, folder: string) =>
  steps(choose('row', name, 'Copy'), choose('treeitem', folder, 'Paste'));

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
        'in another folder': steps(scripts.showFolder(elsewhere), newFolder(name)),
        'under another name': newFolder(name.toLowerCase()),
        'made and then thrown away': steps(newFolder(name), scripts.deleteSelected),
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
      solve: scripts.deleteSelected,
      misses: {
        'asked and then kept': steps(press('delete'), press('esc')),
        'the other file': scripts.deleteFile(other),
        'moved elsewhere': drag('row', name, 'treeitem', 'Home'),
        'from the trash too': steps(
          scripts.deleteSelected,
          scripts.showFolder('Trash'),
          scripts.deleteFile(name),
        ),
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
    const beginRename = (which: string) =>
      steps(scripts.showFolder(place), choose('row', which, 'Rename...'));
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
    const copy = (into: string) => steps(isShown ? steps() : scripts.showFolder(from), copyInto(name, into));
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
        'moved instead': steps(scripts.showFolder(from), drag('row', name, 'treeitem', to)),
        'into another folder': copy(elsewhere),
        twice: steps(copy(to), choose('treeitem', to, 'Paste')),
      },
    };
  }),
];
