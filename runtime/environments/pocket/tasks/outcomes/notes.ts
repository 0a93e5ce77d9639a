// Outcomes in Notes: a new note, or new text in one note. Whitespace at the end of a note is invisible and ignored.

import { nameOf, parentOf } from '../../world.ts';
import type { PlacedEntry, RewrittenFile } from './outcome.ts';
import {
  defineOutcome,
  firstOf,
  isQuotable,
  openNote,
  type WorldChange,
  type WorldOutcome,
  when,
} from './outcome.ts';

const NOTES = '/Notes';
/** Notes suggests this name for a new note. */
const SUGGESTED_NAME = 'untitled.txt';

export const writeNote = defineOutcome('notes-write', (text: string, note: string) => [
  `Write a new note that says "${text}" and save it as "${note}".`,
  `Save "${text}" in a new note called "${note}".`,
  `Make a note named "${note}" with the text "${text}".`,
  `Note down: "${text}". The note should be called "${note}".`,
]);

const writeUnderSuggestedName = defineOutcome('notes-write-as-suggested', (text: string) => [
  `Write a new note that says "${text}" and save it under the name that is suggested.`,
  `Save "${text}" in a new note, whatever it is called.`,
  `Note down: "${text}". The name of the note does not matter.`,
]);

const saveEmptyNote = defineOutcome('notes-empty', (name: string) =>
  name === SUGGESTED_NAME
    ? [
        'Save an empty note under the name that is suggested.',
        'Save a new note without any text. Its name does not matter.',
      ]
    : [`Save an empty note as "${name}".`, `Make a note called "${name}" without any text.`],
);

export function newNote({ path, entry }: PlacedEntry): WorldOutcome | undefined {
  if (entry.kind !== 'file' || parentOf(path) !== NOTES) return undefined;
  const [name, text] = [nameOf(path), entry.text.trimEnd()];
  if (!isQuotable(name)) return undefined;
  if (text === '') return saveEmptyNote(name);
  if (!isQuotable(text)) return undefined;
  return name === SUGGESTED_NAME ? writeUnderSuggestedName(text) : writeNote(text, name);
}

/** How an instruction may refer to a note: by name if Notes lists it, as 'this note' if it is open. */
interface NoteReference {
  readonly name?: string | undefined;
  readonly isOpen?: boolean;
}

export const putLineOnTop = defineOutcome(
  'notes-line-on-top',
  (line: string, { name, isOpen = false }: NoteReference) => [
    ...when(isOpen, [
      `Put the line "${line}" at the top of this note and save it.`,
      `Write "${line}" as a new first line of the open note, and save.`,
    ]),
    ...when(name !== undefined, [
      `Add "${line}" on a line of its own above everything else in "${name}". Save the note.`,
    ]),
  ],
);

export const addLine = defineOutcome('notes-add-line', (line: string, { name }: NoteReference) =>
  when(name !== undefined, [
    `Add the line "${line}" at the end of the note "${name}" and save it.`,
    `In the note "${name}", write "${line}" as a new last line. Save the note.`,
    `Put "${line}" under the last line of "${name}", and save.`,
  ]),
);

export const rewriteNote = defineOutcome('notes-rewrite', (text: string, { name }: NoteReference) =>
  when(name !== undefined, [
    `Replace all that the note "${name}" says by "${text}", and save it.`,
    `The note "${name}" is out of date. It should say only "${text}". Save it.`,
    `Clear the note "${name}", write "${text}" in it instead, and save.`,
  ]),
);

const putBlankLineOnTop = defineOutcome('notes-blank-line', ({ name, isOpen = false }: NoteReference) => [
  ...when(isOpen, ['Put an empty line at the top of the open note and save it.']),
  ...when(name !== undefined, [
    `Put an empty line above everything else in "${name}", and save it.`,
    `Let the note "${name}" begin with an empty line. Save it.`,
  ]),
]);

const writeInFront = defineOutcome(
  'notes-text-in-front',
  (text: string, { name, isOpen = false }: NoteReference) => [
    ...when(isOpen, [`Write "${text}" at the very beginning of the open note and save it.`]),
    ...when(name !== undefined, [
      `Write "${text}" right before the first word of the note "${name}", and save it.`,
      `Let the first line of "${name}" begin with "${text}". Save the note.`,
    ]),
  ],
);

const writeBehind = defineOutcome(
  'notes-text-behind',
  (text: string, { name, isOpen = false }: NoteReference) => [
    ...when(isOpen, [`Write "${text}" at the very end of the open note and save it.`]),
    ...when(name !== undefined, [
      `Write "${text}" right behind the last word of the note "${name}", and save it.`,
      `Let the last line of "${name}" end with "${text}". Save the note.`,
    ]),
  ],
);

const clearNote = defineOutcome('notes-clear', ({ name, isOpen = false }: NoteReference) => [
  ...when(isOpen, ['Delete all of the text of the open note and save it.']),
  ...when(name !== undefined, [
    `Delete all that the note "${name}" says, and save it.`,
    `Save the note "${name}" without any text.`,
  ]),
]);

export function rewrittenNote({ path, before, after }: RewrittenFile, episode: WorldChange) {
  const isOpen = openNote(episode) === path;
  const note = { name: parentOf(path) === NOTES || isOpen ? nameOf(path) : undefined, isOpen };
  const [old, now] = [before.trimEnd(), after.trimEnd()];
  const grew = old !== '' && now.length > old.length;
  const front = grew && now.endsWith(old) ? now.slice(0, -old.length) : '';
  const back = grew && now.startsWith(old) ? now.slice(old.length) : '';
  const firstLine = front.endsWith('\n') ? front.slice(0, -1) : '';
  const lastLine = back.startsWith('\n') ? back.slice(1) : '';
  return firstOf(
    isQuotable(firstLine) && putLineOnTop(firstLine, note),
    isQuotable(lastLine) && addLine(lastLine, note),
    front === '\n' && putBlankLineOnTop(note),
    isQuotable(front) && writeInFront(front, note),
    isQuotable(back) && writeBehind(back, note),
    now === '' && old !== '' && clearNote(note),
    isQuotable(now) && rewriteNote(now, note),
  );
}
