// Tasks about the trash: empty it, and restore a file from it.

import { all, fileMoved, inWorld, onlyChanged, stateIs } from '../conditions.ts';
import type { Draw } from '../draw.ts';
import { emptyTrash } from '../outcomes/files.ts';
import { choose, drag, openApp, press, steps } from '../scripted-user.ts';
import { file, folder, put } from '../setup.ts';
import { type PocketTemplate, template } from '../template.ts';
import { deleteFile, showFolder } from './scripts.ts';

const apps = ['files'];
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

export const TRASH_TASKS: readonly PocketTemplate[] = [
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
