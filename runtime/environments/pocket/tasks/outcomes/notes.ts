// Deeds in Notes: a new note, and what was written in one that was there. Blanks at the end of a note, which
// nobody sees, do not count.

import { nameOf, parentOf } from '../../world.ts';
import { toAddLine, toPutLineOnTop, toPutLineOnTopHere, toRewriteNote, toWriteNote } from '../phrases.ts';
import { type FileChanges, only } from './difference.ts';
import {
  firstOutcome,
  isPlain,
  noteHere,
  type Recogniser,
  said,
  type WorldChange,
  type WorldOutcome,
} from './outcome.ts';

type Rewritten = FileChanges['rewritten'][number];

const NOTES = '/Notes';
/** The name that Notes suggests for a new note. */
const SUGGESTED_NAME = 'untitled.txt';

export const noteMade: Recogniser<FileChanges> = ({ came, gone }) => {
  const made = only(came);
  if (made?.entry.kind !== 'file' || gone.length > 0 || parentOf(made.path) !== NOTES) return undefined;
  const [name, text] = [nameOf(made.path), made.entry.text.trimEnd()];
  const isSuggested = name === SUGGESTED_NAME;
  if (!isPlain(name)) return undefined;
  if (text === '') {
    return said(
      'notes-empty',
      ...(isSuggested
        ? [
            'Save an empty note under the name that is suggested.',
            'Save a new note without any text. Its name does not matter.',
          ]
        : [`Save an empty note as "${name}".`, `Make a note called "${name}" without any text.`]),
    );
  }
  if (!isPlain(text)) return undefined;
  if (!isSuggested) return said('notes-write', ...toWriteNote(text, name));
  return said(
    'notes-write-as-suggested',
    `Write a new note that says "${text}" and save it under the name that is suggested.`,
    `Save "${text}" in a new note, whatever it is called.`,
    `Note down: "${text}". The name of the note does not matter.`,
  );
};

/** What a note is called where Notes lists it, or where it is the open one. */
const nameIn = ({ path }: Rewritten, told: WorldChange): string | undefined =>
  parentOf(path) === NOTES || noteHere(told) === path ? nameOf(path) : undefined;

/** Ways to speak of a note by its name, and others where it is the open one. */
function saidOf(
  kind: string,
  note: Rewritten,
  told: WorldChange,
  { here = [], byName }: { here?: readonly string[]; byName: (name: string) => readonly string[] },
): WorldOutcome | undefined {
  const name = nameIn(note, told);
  const isOpen = noteHere(told) === note.path;
  return said(kind, ...(isOpen ? here : []), ...(name === undefined ? [] : byName(name)));
}

/** What stands in front of the old text now; undefined where that is not all that was written. */
function inFrontOf({ before, after }: Rewritten): string | undefined {
  const [old, now] = [before.trimEnd(), after.trimEnd()];
  return old !== '' && now.length > old.length && now.endsWith(old) ? now.slice(0, -old.length) : undefined;
}

/** What stands behind it. */
function behind({ before, after }: Rewritten): string | undefined {
  const [old, now] = [before.trimEnd(), after.trimEnd()];
  return old !== '' && now.length > old.length && now.startsWith(old) ? now.slice(old.length) : undefined;
}

const lineOnTop: Recogniser<Rewritten> = (note, told) => {
  const written = inFrontOf(note);
  const line = written?.endsWith('\n') ? written.slice(0, -1) : '';
  if (!isPlain(line)) return undefined;
  return saidOf('notes-line-on-top', note, told, {
    here: toPutLineOnTopHere(line),
    byName: name => toPutLineOnTop(line, name),
  });
};

const lastLine: Recogniser<Rewritten> = (note, told) => {
  const written = behind(note);
  const line = written?.startsWith('\n') ? written.slice(1) : '';
  if (!isPlain(line)) return undefined;
  return saidOf('notes-add-line', note, told, { byName: name => toAddLine(line, name) });
};

// Stepping stones: what no template asks for, in words of their own.

const blankOnTop: Recogniser<Rewritten> = (note, told) =>
  inFrontOf(note) === '\n'
    ? saidOf('notes-blank-line', note, told, {
        here: ['Put an empty line at the top of the open note and save it.'],
        byName: name => [
          `Put an empty line above everything else in "${name}", and save it.`,
          `Let the note "${name}" begin with an empty line. Save it.`,
        ],
      })
    : undefined;

const textInFront: Recogniser<Rewritten> = (note, told) => {
  const written = inFrontOf(note) ?? '';
  if (!isPlain(written)) return undefined;
  return saidOf('notes-text-in-front', note, told, {
    here: [`Write "${written}" at the very beginning of the open note and save it.`],
    byName: name => [
      `Write "${written}" right before the first word of the note "${name}", and save it.`,
      `Let the first line of "${name}" begin with "${written}". Save the note.`,
    ],
  });
};

const textBehind: Recogniser<Rewritten> = (note, told) => {
  const written = behind(note) ?? '';
  if (!isPlain(written)) return undefined;
  return saidOf('notes-text-behind', note, told, {
    here: [`Write "${written}" at the very end of the open note and save it.`],
    byName: name => [
      `Write "${written}" right behind the last word of the note "${name}", and save it.`,
      `Let the last line of "${name}" end with "${written}". Save the note.`,
    ],
  });
};

const cleared: Recogniser<Rewritten> = (note, told) =>
  note.after.trimEnd() === '' && note.before.trimEnd() !== ''
    ? saidOf('notes-clear', note, told, {
        here: ['Delete all of the text of the open note and save it.'],
        byName: name => [
          `Delete all that the note "${name}" says, and save it.`,
          `Save the note "${name}" without any text.`,
        ],
      })
    : undefined;

/** Last: whatever else was written leaves a part of the old text. */
const rewritten: Recogniser<Rewritten> = (note, told) => {
  const text = note.after.trimEnd();
  if (!isPlain(text)) return undefined;
  return saidOf('notes-rewrite', note, told, { byName: name => toRewriteNote(text, name) });
};

const NAMERS = [lineOnTop, lastLine, blankOnTop, textInFront, textBehind, cleared, rewritten] as const;

export const noteDeed = (note: Rewritten, told: WorldChange): WorldOutcome | undefined =>
  firstOutcome(NAMERS, note, told);
