// Tasks about several files at once, and about the trash.

import { all, fileIs, fileMoved, inWorld, noFile, onlyChanged, onlyFiles, stateIs } from '../conditions.ts';
import type { Draw } from '../draw.ts';
import { emptyTrash } from '../outcomes/files.ts';
import { choose, drag, openApp, press, steps } from '../scripted-user.ts';
import { file, folder, put, putFile } from '../setup.ts';
import { type PocketTemplate, template } from '../template.ts';
import { newFolder } from './files.ts';
import { deleteFile, showFolder } from './scripts.ts';

const apps = ['files'];

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

export const MANY_FILES: readonly PocketTemplate[] = [
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
    const [first = ''] = names;
    return {
      instruction: draw.phrase(...emptyTrash(names.length).ways),
      world,
      open: draw.maybeOpen('files'),
      evaluator: all(stateIs(inWorld('/Trash'), folder()), onlyChanged(`${inWorld('/Trash')}.**`)),
      solve: steps(askToEmpty, press('enter')),
      misses: {
        'asked and then kept': steps(askToEmpty, press('esc')),
        'one file only': steps(showTrash, deleteFile(first)),
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
    const [[name = '', other = ''], [origin = '']] = [names, origins];
    const text = `${draw.sentence()}.`;
    put(world.root, `/Trash/${name}`, file(text, origin));
    const restore = (which: string) => steps(showTrash, choose('row', which, 'Restore'));
    const elsewhere = draw.topFolders().find(each => `/${each}/${name}` !== origin) ?? '';
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
