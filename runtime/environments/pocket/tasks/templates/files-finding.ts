// Tasks about a file that has to be found first: by size, by name, or far down a list; and about one that does not exist.

import { fileMoved, fileTrashed, infeasible } from '../conditions.ts';
import { deleteFile as deleteFileOutcome } from '../outcomes/files.ts';
import { click, drag, openApp, press, scrollTo, steps, write } from '../scripted-user.ts';
import { file, folder, inFront, putFile } from '../setup.ts';
import { type PocketTemplate, template } from '../template.ts';
import { deleteFile, showFolder } from './scripts.ts';

const apps = ['files'];
const search = (text: string) => steps(press('ctrl', 'f'), write(text));

/** A folder whose files have these texts, by name. */
const folderOf = (names: readonly string[], textOf: (index: number) => string) =>
  folder(Object.fromEntries(names.map((name, index) => [name, file(textOf(index))])));

export const FINDING_FILES: readonly PocketTemplate[] = [
  template('files-delete-by-size', { tier: 2, apps }, draw => {
    const names = Array.from({ length: 4 }, () => draw.noteName());
    const world = draw.world();
    const [place] = draw.topFolders();
    // The numbers of sentences differ so much that no two files have the same size.
    const lengths = draw.sample([1, 3, 5, 9], 4);
    const texts = lengths.map(length => Array<string>(length).fill(`${draw.sentence()}.`).join(' '));
    world.root.entries[place] = folderOf(names, index => texts[index] ?? '');
    const size = draw.chance(0.5) ? 'largest' : 'smallest';
    const [largest, smallest] = [lengths.indexOf(9), lengths.indexOf(1)];
    const [wanted, other] = size === 'largest' ? [largest, smallest] : [smallest, largest];
    const remove = (index: number) => steps(showFolder(place), deleteFile(names[index] ?? ''));
    return {
      instruction: draw.phrase(...deleteFileOutcome({ size, place }).ways),
      world,
      open: inFront('files'),
      evaluator: fileTrashed(`/${place}/${names[wanted]}`, texts[wanted] ?? ''),
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
    const remove = (which: string) => steps(scroll(which), deleteFile(which));
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
      evaluator: infeasible(),
      solve: steps(),
      misses: { 'another file instead': steps(openApp('Files'), showFolder(place), deleteFile(other)) },
    };
  }),
];
