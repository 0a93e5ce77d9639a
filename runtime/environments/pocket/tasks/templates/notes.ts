// Tasks about notes: write, change, replace, save elsewhere, and merge.

import { onlyFileIs } from '../conditions.ts';
import { type Draw, itemAt } from '../draw.ts';
import { addLine, putLineOnTop, rewriteNote, writeNote } from '../outcomes/notes.ts';
import { click, doubleClick, openApp, type PocketScript, press, steps, write } from '../scripted-user.ts';
import { file, folder, inFront, put, putFile } from '../starting-world.ts';
import { type PocketTemplate, template } from '../template.ts';
import {
  append,
  copyAll,
  newNote,
  openNote,
  paste,
  save,
  saveNoteAs,
  selectAll,
  showFolder,
} from './scripts.ts';

const apps = ['notes'];

/** One line that somebody could write down. */
function drawLine(draw: Draw): string {
  const [first, last] = [draw.pick(draw.words.first), draw.pick(draw.words.last)];
  return draw.pick([
    draw.sentence(),
    `Call ${first} ${last} on ${draw.phone()}`,
    `${draw.pick(draw.words.event)} at ${draw.time()}`,
    `Ask ${first} about the ${draw.pick(draw.words.topic)}`,
    `${draw.integer(2, 12)} x ${draw.pick(draw.words.thing)} for ${first}`,
  ]);
}

/** A world with two notes of a few lines; `text` is that of the first. */
function withNotes(draw: Draw) {
  const [name, other] = [draw.noteName(), draw.noteName()];
  const world = draw.world();
  const text = draw.list();
  putFile(world.root, `/Notes/${name}`, text);
  putFile(world.root, `/Notes/${other}`, draw.list());
  return { name, other, text, world };
}

const saveAs = press('ctrl', 'shift', 's');

export const NOTES: readonly PocketTemplate[] = [
  template('notes-line-on-top', { tier: 1, apps }, draw => {
    const { name, text, world } = withNotes(draw);
    const line = drawLine(draw);
    return {
      instruction: draw.phrase(...putLineOnTop(line, { name, isOpen: true }).ways),
      world,
      open: inFront('notes', `/Notes/${name}`),
      evaluator: onlyFileIs(`/Notes/${name}`, `${line}\n${text}`),
      solve: steps(write(`${line}\n`), save),
      misses: {
        'not saved': write(`${line}\n`),
        'before the first line instead of above it': steps(write(line), save),
        'at the end': steps(append(`\n${line}`), save),
      },
    };
  }),

  template('notes-write', { tier: 2, apps }, draw => {
    const wanted = draw.fileName();
    const { name: existing, world } = withNotes(draw);
    const text = drawLine(draw);
    const start = draw.pick(['closed', 'new note', 'other note'] as const);
    const begin = steps(openApp('Notes'), start === 'other note' ? press('ctrl', 'n') : steps());
    const writeAs = (what: string, name: string) => steps(begin, write(what), saveNoteAs(name));
    return {
      instruction: draw.phrase(...writeNote(text, wanted).ways),
      world,
      open:
        start === 'closed' ? [] : inFront('notes', start === 'other note' ? `/Notes/${existing}` : undefined),
      evaluator: onlyFileIs(`/Notes/${wanted}`, text),
      solve: writeAs(text, wanted),
      misses: {
        'not saved': steps(begin, write(text)),
        'under another name': writeAs(text, wanted.replace('.txt', '')),
        'a part of the text': writeAs(text.slice(0, -1), wanted),
        'over another note': steps(writeAs(text, existing), press('enter')),
      },
    };
  }),

  template('notes-add-line', { tier: 2, apps }, draw => {
    const { name, other, text, world } = withNotes(draw);
    const line = drawLine(draw);
    const start = draw.pick(['empty', 'other']);
    const add = (which: string, what: string) => steps(click('listitem', which), append(what), save);
    return {
      instruction: draw.phrase(...addLine(line, { name }).ways),
      world,
      open: inFront('notes', start === 'other' ? `/Notes/${other}` : undefined),
      evaluator: onlyFileIs(`/Notes/${name}`, `${text}\n${line}`),
      solve: add(name, `\n${line}`),
      misses: {
        'another note': add(other, `\n${line}`),
        'behind the last line instead of under it': add(name, line),
        'not saved': steps(click('listitem', name), append(`\n${line}`)),
        'saved and then taken back': steps(add(name, `\n${line}`), press('ctrl', 'z'), save),
      },
    };
  }),

  template('notes-rewrite', { tier: 2, apps }, draw => {
    const { name, other, text: old, world } = withNotes(draw);
    const text = drawLine(draw);
    const rewrite = (which: string, select: PocketScript, what = text) =>
      steps(click('listitem', which), select, write(what), save);
    return {
      instruction: draw.phrase(...rewriteNote(text, { name }).ways),
      world,
      open: inFront('notes'),
      evaluator: onlyFileIs(`/Notes/${name}`, text),
      solve: rewrite(name, selectAll),
      misses: {
        'another note': rewrite(other, selectAll),
        'the old text left': rewrite(name, steps()),
        'its last line left': rewrite(
          name,
          steps(press('ctrl', 'end'), selectAll),
          `${text}\n${old.split('\n').at(-1)}`,
        ),
      },
    };
  }),

  template('notes-infeasible', { tier: 1, apps }, draw => {
    const { name, text, world } = withNotes(draw);
    const line = text.split('\n')[0];
    const isOpen = draw.chance(0.5);
    return {
      instruction: draw.phrase(
        `Make the line "${line}" in the note "${name}" bold and save it.`,
        `Print the note "${name}".`,
        `Lock the note "${name}" with a password.`,
        `Show the text of "${name}" in a larger font.`,
        `Put a picture under the last line of "${name}", and save.`,
        `Write the line "${line}" of the note "${name}" in red.`,
        `Have the note "${name}" read out aloud.`,
      ),
      world,
      open: inFront('notes', isOpen ? `/Notes/${name}` : undefined),
      misses: { 'something else instead': steps(click('listitem', name), write('bold\n'), save) },
    };
  }),

  template('notes-replace', { tier: 3, apps }, draw => {
    const [name, other] = [draw.noteName(), draw.noteName()];
    const [before, after] = [draw.fresh(draw.words.first), draw.fresh(draw.words.first)];
    const world = draw.world();
    // Every sentence has the word once, and no other word contains it.
    const sentences = [
      `Ask ${before} about the ${draw.pick(draw.words.topic)}.`,
      `${before} brings the ${draw.pick(draw.words.thing)}.`,
      `The bill goes to ${before}.`,
      `Meet ${before} at ${draw.time()}.`,
    ];
    const text = draw.sample(sentences, draw.integer(3, 4)).join('\n');
    putFile(world.root, `/Notes/${name}`, text);
    putFile(world.root, `/Notes/${other}`, `${before} was here.`);
    const open = draw.maybeOpen('notes');
    const replace = (which: string, button: string) =>
      steps(
        openNote(which),
        press('ctrl', 'h'),
        write(before),
        click('textfield', 'Replace with'),
        write(after),
        click('button', button),
      );
    return {
      instruction: draw.phrase(
        `In the note "${name}", replace ${before} by ${after} everywhere and save it.`,
        `${after} takes over from ${before}. Change the name throughout the note "${name}", and save.`,
        `Wherever "${name}" says "${before}", it should say "${after}". Save the note.`,
      ),
      world,
      open,
      evaluator: onlyFileIs(`/Notes/${name}`, text.replaceAll(before, after)),
      solve: steps(replace(name, 'Replace all'), save),
      misses: {
        'not saved': replace(name, 'Replace all'),
        'the first only': steps(replace(name, 'Replace'), click('button', 'Replace'), save),
        'another note': steps(replace(other, 'Replace all'), save),
      },
    };
  }),

  template('notes-save-as', { tier: 3, apps }, draw => {
    const [name, wanted] = [draw.noteName(), draw.fileName()];
    const inner = draw.fresh(draw.words.folder);
    const world = draw.world();
    const [to, elsewhere] = draw.sample(['Documents', 'Downloads', 'Pictures', inner], 2);
    const text = draw.list();
    put(world.root, `/${inner}`, folder());
    putFile(world.root, `/Notes/${name}`, text);
    const open = draw.maybeOpen('notes');
    const copy = (as: string, into: string) =>
      steps(
        openNote(name),
        saveAs,
        write(as),
        click('button', 'Up'),
        doubleClick('listitem', into),
        click('button', 'Save'),
      );
    return {
      instruction: draw.phrase(
        `Save the note "${name}" in ${to} too, under the name "${wanted}".`,
        `Put a copy of the note "${name}" into the folder ${to}, called "${wanted}".`,
        `I want the note "${name}" as "${wanted}" in ${to}. Leave the one in Notes as it is.`,
      ),
      world,
      open,
      evaluator: onlyFileIs(`/${to}/${wanted}`, text),
      solve: copy(wanted, to),
      misses: {
        'into another folder': copy(wanted, elsewhere),
        'under the old name': copy(name, to),
        'beside the note': steps(openNote(name), saveAs, write(`${wanted}\n`)),
      },
    };
  }),

  template('notes-add-in-folder', { tier: 3, apps: ['files', 'notes'] }, draw => {
    const name = draw.fileName();
    const world = draw.world();
    const place = draw.pick(['Documents', 'Downloads', 'Pictures']);
    const text = draw.list();
    const item = draw.pick(draw.words.thing);
    const other = draw.similarName(name);
    putFile(world.root, `/${place}/${name}`, text);
    putFile(world.root, `/${place}/${other}`, text);
    const open = draw.maybeOpen('files');
    const add = (which: string, what: string) =>
      steps(openApp('Files'), showFolder(place), doubleClick('row', which), append(what), save);
    return {
      instruction: draw.phrase(
        `Add "${item}" as a new last line to the file "${name}" in ${place}, and save it.`,
        `"${name}" in ${place} is a list. Put "${item}" on a line of its own at the end and save.`,
        `Open "${name}" from ${place}, write "${item}" under its last line, and save it.`,
      ),
      world,
      open,
      evaluator: onlyFileIs(`/${place}/${name}`, `${text}\n${item}`),
      solve: add(name, `\n${item}`),
      misses: {
        'the similar file': add(other, `\n${item}`),
        'on the last line': add(name, item),
        'as a new note': newNote(`${text}\n${item}`, name),
      },
    };
  }),

  template('notes-add-to-saying', { tier: 3, apps }, draw => {
    const names = Array.from({ length: 3 }, () => draw.noteName()).sort();
    const world = draw.world();
    const sentences = draw.sample(draw.words.sentence, 3);
    world.root.entries['Notes'] = folder(
      Object.fromEntries(names.map((name, index) => [name, file(`${sentences[index]}.`)])),
    );
    const index = draw.integer(0, 2);
    const [name, sentence] = [itemAt(names, index), sentences[index]];
    const other = itemAt(names, (index + 1) % 3);
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
