// Tasks in which several files are handled at once.

import { joined, nameOf } from '../../world.ts';
import type { Draw } from '../draw.ts';
import {
  file,
  fileName,
  folder,
  inWorld,
  onlyFiles,
  put,
  sentence,
  similarName,
  topFolders,
} from '../filing.ts';
import type { ScriptedUser } from '../scripted-user.ts';
import { all, fileIs, noFile, type PocketTemplate, stateIs } from '../template.ts';

const APPS = ['files'];

const go = (hand: ScriptedUser, path: string) => hand.click('treeitem', nameOf(path));

/** Whether Files is open already; where it is not, an agent opens it first. */
const perhapsOpen = (draw: Draw) => (draw.chance(0.5) ? [{ app: 'files' }] : []);

/** With what these tasks add, Documents would not be shown whole. */
const sparseFirst = ([first, second, third]: ReturnType<typeof topFolders>) =>
  first === '/Documents' ? ([second, first, third] as const) : ([first, second, third] as const);

const moveByEnding: PocketTemplate = {
  id: 'files-move-by-ending',
  tier: 3,
  apps: APPS,
  make: draw => {
    const ending = draw.one(['md', 'csv', 'log', 'html']);
    const names = Array.from({ length: draw.whole(2, 3) }, () => fileName(draw, ending));
    const world = draw.world();
    const [from, to, elsewhere] = sparseFirst(topFolders(draw));
    const text = sentence(draw);
    const likeIt = `${draw.one(draw.words.thing)} ${ending}.txt`;
    for (const name of names) put(world.root, joined(from, name), file(text));
    put(world.root, joined(from, likeIt), file(text));
    const paths = names.flatMap(name => [joined(from, name), joined(to, name)]);
    const move = (which: readonly string[], where: string) => (hand: ScriptedUser) => {
      hand.open('Files');
      go(hand, from);
      for (const name of which) hand.drag('row', name, 'treeitem', nameOf(where));
    };
    return {
      instruction: draw.say(
        `Move all .${ending} files from ${nameOf(from)} to ${nameOf(to)}.`,
        `Every file in ${nameOf(from)} whose name ends in .${ending} belongs in ${nameOf(to)}. Move them.`,
        `Tidy up ${nameOf(from)}: put its .${ending} files into ${nameOf(to)} and leave the others.`,
      ),
      world,
      open: perhapsOpen(draw),
      evaluator: all(
        ...names.map(name => noFile(joined(from, name))),
        ...names.map(name => fileIs(joined(to, name), text)),
        onlyFiles(...paths),
      ),
      solve: move(names, to),
      misses: {
        'one is left': move(names.slice(1), to),
        'one that only looks so as well': move([...names, likeIt], to),
        'into another folder': move(names, elsewhere),
      },
    };
  },
};

const intoNewFolder: PocketTemplate = {
  id: 'files-into-new-folder',
  tier: 3,
  apps: APPS,
  make: draw => {
    const [first, second] = [fileName(draw), fileName(draw)];
    const name = draw.fresh(draw.words.folder);
    const world = draw.world();
    const [place] = sparseFirst(topFolders(draw));
    const text = sentence(draw);
    const other = similarName(draw, first);
    for (const each of [first, second, other]) put(world.root, joined(place, each), file(text));
    const path = joined(place, name);
    const gather = (which: readonly string[], into: string) => (hand: ScriptedUser) => {
      hand.open('Files');
      go(hand, place);
      hand.keys('ctrl', 'n');
      hand.type(`${into}\n`);
      for (const each of which) hand.drag('row', each, 'row', into);
    };
    return {
      instruction: draw.say(
        `In ${nameOf(place)}, create a folder "${name}" and move "${first}" and "${second}" into it.`,
        `Put "${first}" and "${second}" from ${nameOf(place)} into a new folder there, called "${name}".`,
        `"${first}" and "${second}" in ${nameOf(place)} belong together. Move both into a new folder "${name}" there.`,
      ),
      world,
      open: perhapsOpen(draw),
      evaluator: all(
        stateIs(inWorld(path), folder({ [first]: file(text), [second]: file(text) })),
        noFile(joined(place, first)),
        noFile(joined(place, second)),
        onlyFiles(path, joined(place, first), joined(place, second)),
      ),
      solve: gather([first, second], name),
      misses: {
        'one file only': gather([first], name),
        'one file too many': gather([first, second, other], name),
        'the similar file': gather([other, second], name),
        'a folder of another name': gather([first, second], `New ${name}`),
      },
    };
  },
};

export const MANY_FILES: readonly PocketTemplate[] = [moveByEnding, intoNewFolder];
