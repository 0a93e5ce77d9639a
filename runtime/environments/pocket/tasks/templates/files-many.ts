// Tasks about several files at once.

import { all, fileIs, inWorld, noFile, onlyFiles, stateIs } from '../conditions.ts';
import type { Draw } from '../draw.ts';
import { drag, openApp, steps } from '../scripted-user.ts';
import { file, folder, putFile } from '../setup.ts';
import { type PocketTemplate, template } from '../template.ts';
import { newFolder } from './files.ts';
import { showFolder } from './scripts.ts';

const apps = ['files'];

/** Documents is not first: with the files of these tasks its list would not fit on the screen. */
function foldersWithRoom(draw: Draw): readonly [string, string, string] {
  const [first, second, third] = draw.topFolders();
  return first === 'Documents' ? [second, first, third] : [first, second, third];
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
];
