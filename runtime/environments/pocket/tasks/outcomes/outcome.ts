// What every deed is made of, and what may be said of one: the words of an instruction have to be clear at
// the start, and short and plain enough to be an instruction at all.

import type { AppOpening } from '../../getters.ts';
import { entryAt, type PocketWorld, parentOf } from '../../world.ts';

/**
 * An episode, as far as a deed can be seen in it: what was there, what is there now, and what was open at the
 * start.
 */
export interface WorldChange {
  readonly start: PocketWorld;
  readonly end: PocketWorld;
  readonly openings: readonly AppOpening[];
}

/** Something done that has a name. */
export interface WorldOutcome {
  /** As 'mail-star': mostly the id of the template that asks for it. */
  readonly kind: string;
  /** All instructions that would have asked for exactly this. */
  readonly ways: readonly string[];
}

/** Names one kind of change, and says nothing of all others. */
export type Recogniser<Change> = (change: Change, told: WorldChange) => WorldOutcome | undefined;

export function firstOutcome<Change>(
  namers: readonly Recogniser<Change>[],
  change: Change,
  told: WorldChange,
): WorldOutcome | undefined {
  for (const namer of namers) {
    const deed = namer(change, told);
    if (deed !== undefined) return deed;
  }
  return undefined;
}

/** A deed that can be said in at least one way. */
export const said = (kind: string, ...ways: readonly string[]): WorldOutcome | undefined =>
  ways.length === 0 ? undefined : { kind, ways };

/** Nobody asks for more than this in one line. */
const LONGEST = 60;

/** Whether a text that was written can be asked for between quotes: one line, nothing unseen at its ends. */
export const isPlain = (text: string): boolean =>
  text !== '' && text.length <= LONGEST && text === text.trim() && !/["\p{Cc}]/u.test(text);

/** What the application in front was opened with; undefined where another one is in front. */
function inFront({ openings }: WorldChange, app: string): { readonly what: string | undefined } | undefined {
  if (openings.at(-1)?.app !== app) return undefined;
  return { what: openings.findLast(each => each.app === app && each.what !== undefined)?.what };
}

const isFile = (path: string, { root }: PocketWorld): boolean => entryAt(root, path)?.kind === 'file';

/** The folder that 'here' means; undefined where Files is not in front. */
export function folderHere(told: WorldChange): string | undefined {
  const shown = inFront(told, 'files');
  if (shown?.what === undefined) return shown && '/';
  return isFile(shown.what, told.start) ? parentOf(shown.what) : shown.what;
}

/** The file that is selected in Files at the start. */
export function fileSelected(told: WorldChange): string | undefined {
  const what = inFront(told, 'files')?.what;
  return what !== undefined && isFile(what, told.start) ? what : undefined;
}

/** The note that 'this note' means. */
export const noteHere = (told: WorldChange): string | undefined => inFront(told, 'notes')?.what;
