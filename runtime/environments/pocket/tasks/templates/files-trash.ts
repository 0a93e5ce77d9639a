// Tasks about the trash: to empty it, and to bring back what is in it.

import { type Folder, joined, nameOf } from '../../world.ts';
import type { Draw } from '../draw.ts';
import { file, fileName, folder, inWorld, onlyFiles, put, sentence, topFolders } from '../filing.ts';
import { toEmptyTrash, toEmptyTrashOf } from '../phrases.ts';
import type { ScriptedUser } from '../scripted-user.ts';
import { all, fileIs, noFile, onlyChanged, type PocketTemplate, stateIs } from '../template.ts';

const APPS = ['files'];
const TRASH = '/Trash';

/** Files that lie in the trash, and where each was. */
function litter(draw: Draw, root: Folder, names: readonly string[]): ReadonlyMap<string, string> {
  const origins = new Map<string, string>();
  for (const name of names) {
    const origin = joined(draw.one(topFolders(draw)), name);
    put(root, joined(TRASH, name), file(sentence(draw), origin));
    origins.set(name, origin);
  }
  return origins;
}

const empty: PocketTemplate = {
  id: 'files-empty-trash',
  tier: 2,
  apps: APPS,
  make: draw => {
    const names = Array.from({ length: draw.whole(2, 3) }, () => fileName(draw));
    const world = draw.world();
    litter(draw, world.root, names);
    const [first = ''] = names;
    return {
      instruction: draw.say(...toEmptyTrash(), ...toEmptyTrashOf(names.length)),
      world,
      open: draw.chance(0.5) ? [{ app: 'files' }] : [],
      evaluator: all(stateIs(inWorld(TRASH), folder()), onlyChanged(`${inWorld(TRASH)}.**`)),
      solve: hand => {
        hand.open('Files');
        hand.choose('treeitem', 'Trash', 'Empty Trash...');
        hand.keys('enter');
      },
      misses: {
        'asked and then kept': hand => {
          hand.open('Files');
          hand.choose('treeitem', 'Trash', 'Empty Trash...');
          hand.keys('esc');
        },
        'one file only': hand => {
          hand.open('Files');
          hand.click('treeitem', 'Trash');
          hand.click('row', first);
          hand.keys('delete');
          hand.keys('enter');
        },
        'emptied by bringing all back': hand => {
          hand.open('Files');
          hand.click('treeitem', 'Trash');
          for (const name of names) hand.choose('row', name, 'Restore');
        },
      },
    };
  },
};

const restore: PocketTemplate = {
  id: 'files-restore',
  tier: 3,
  apps: APPS,
  unseen: true,
  make: draw => {
    const names = Array.from({ length: 3 }, () => fileName(draw));
    const world = draw.world();
    const origins = litter(draw, world.root, names);
    const [name = '', other = ''] = names;
    const origin = origins.get(name) ?? '';
    const text = sentence(draw);
    put(world.root, joined(TRASH, name), file(text, origin));
    const bringBack = (hand: ScriptedUser, which: string) => {
      hand.open('Files');
      hand.click('treeitem', 'Trash');
      hand.choose('row', which, 'Restore');
    };
    const elsewhere = nameOf(topFolders(draw).find(each => joined(each, name) !== origin) ?? '');
    return {
      instruction: draw.say(
        `I deleted "${name}" by mistake. Bring it back to where it was.`,
        `Restore "${name}" from the trash.`,
        `Get the file "${name}" out of the trash and back into its folder.`,
      ),
      world,
      open: draw.chance(0.5) ? [{ app: 'files' }] : [],
      evaluator: all(
        noFile(joined(TRASH, name)),
        fileIs(origin, text),
        onlyFiles(joined(TRASH, name), origin),
      ),
      solve: hand => bringBack(hand, name),
      misses: {
        'another file': hand => bringBack(hand, other),
        'all of them': hand => {
          for (const each of names) bringBack(hand, each);
        },
        'to another folder': hand => {
          hand.open('Files');
          hand.click('treeitem', 'Trash');
          hand.drag('row', name, 'treeitem', elsewhere);
        },
      },
    };
  },
};

export const TRASH_TASKS: readonly PocketTemplate[] = [empty, restore];
