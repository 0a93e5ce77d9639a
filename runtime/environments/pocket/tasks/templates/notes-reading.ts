// Tasks about notes in which the text of one note decides what to write.

import { onlyFileIs } from '../conditions.ts';
import { click, press, steps } from '../scripted-user.ts';
import { file, folder, inFront, putFile } from '../setup.ts';
import { type PocketTemplate, template } from '../template.ts';
import { append, copyAll, paste, save } from './scripts.ts';

const apps = ['notes'];

export const NOTES_READING: readonly PocketTemplate[] = [
  template('notes-add-to-saying', { tier: 3, apps }, draw => {
    const names = Array.from({ length: 3 }, () => draw.noteName()).sort();
    const world = draw.world();
    const sentences = draw.sample(draw.words.sentence, 3);
    world.root.entries['Notes'] = folder(
      Object.fromEntries(names.map((name, index) => [name, file(`${sentences[index]}.`)])),
    );
    const index = draw.integer(0, 2);
    const [name = '', sentence] = [names[index], sentences[index]];
    const other = names[(index + 1) % 3] ?? '';
    const line = `Tell ${draw.pick(draw.words.first)}`;
    const add = (which: string, what: string) => steps(click('listitem', which), append(what), save);
    return {
      instruction: draw.phrase(
        `One of the notes says "${sentence}." Add "${line}" on a new line at its end, and save it.`,
        `Find the note that says "${sentence}." and write "${line}" as its last line. Save it.`,
        `Where it says "${sentence}." in my notes, put "${line}" on the line below, and save the note.`,
      ),
      world,
      open: inFront('notes'),
      evaluator: onlyFileIs(`/Notes/${name}`, `${sentence}.\n${line}`),
      // The names do not show which note it is: the solution opens one after the other.
      solve: steps(...names.slice(0, index).map(each => click('listitem', each)), add(name, `\n${line}`)),
      misses: {
        'another note': add(other, `\n${line}`),
        'on the same line': add(name, ` ${line}`),
        'in both': steps(add(name, `\n${line}`), add(other, `\n${line}`)),
      },
    };
  }),

  template('notes-merge', { tier: 3, apps, unseen: true }, draw => {
    const [from, to] = [draw.noteName(), draw.noteName()];
    const world = draw.world();
    const [source, target] = [draw.list(), draw.list()];
    putFile(world.root, `/Notes/${from}`, source);
    putFile(world.root, `/Notes/${to}`, target);
    const copy = (which: string, into: string) =>
      steps(
        click('listitem', which),
        copyAll,
        click('listitem', into),
        press('ctrl', 'end'),
        press('enter'),
        paste,
      );
    return {
      instruction: draw.phrase(
        `Copy all lines of the note "${from}" to the end of the note "${to}", and save it.`,
        `Add what "${from}" says below the last line of "${to}". Save the note and leave "${from}" as it is.`,
        `"${to}" should end with all that is in "${from}", beginning on a new line. Save it.`,
      ),
      world,
      open: inFront('notes'),
      evaluator: onlyFileIs(`/Notes/${to}`, `${target}\n${source}`),
      solve: steps(copy(from, to), save),
      misses: {
        'the wrong way round': steps(copy(to, from), save),
        'not saved': copy(from, to),
        'without the line break': steps(copy(from, to), press('ctrl', 'z'), press('backspace'), paste, save),
      },
    };
  }),
];
