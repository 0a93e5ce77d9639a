// Tasks about writing notes: new ones, and changes to existing ones.

import { infeasible, onlyFileIs } from '../conditions.ts';
import type { Draw } from '../draw.ts';
import { addLine, putLineOnTop, rewriteNote, writeNote } from '../outcomes/notes.ts';
import { click, openApp, type PocketScript, press, steps, write } from '../scripted-user.ts';
import { inFront, putFile } from '../setup.ts';
import { type PocketTemplate, template } from '../template.ts';
import { append, save, saveNoteAs, selectAll } from './scripts.ts';

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
      evaluator: infeasible(),
      solve: steps(),
      misses: { 'something else instead': steps(click('listitem', name), write('bold\n'), save) },
    };
  }),
];
