// What outcomes consist of, and what an instruction may refer to: it must be unambiguous at the start of the episode, and
// short enough for one line.

import type { AppOpening } from '../../getters.ts';
import { entryAt, type PocketWorld, parentOf } from '../../world.ts';

/** An episode as far as outcomes depend on it. */
export interface WorldChange {
  readonly start: PocketWorld;
  readonly end: PocketWorld;
  readonly openings: readonly AppOpening[];
}

export interface WorldOutcome {
  /** Such as 'mail-star'; usually the id of the template that asks for it. */
  readonly kind: string;
  /** Every instruction that asks for exactly this outcome. */
  readonly ways: readonly string[];
}

export const outcome = (kind: string, ways: readonly string[]): WorldOutcome => ({ kind, ways });

/** Declares a kind of outcome by its instructions. Templates draw theirs from it, and recognisers return it. */
export const defineOutcome =
  <Values extends readonly unknown[]>(kind: string, waysOf: (...values: Values) => readonly string[]) =>
  (...values: Values): WorldOutcome => ({ kind, ways: waysOf(...values) });

/** Ways that hold under a condition only. */
export const when = (holds: boolean, ways: readonly string[]): readonly string[] => (holds ? ways : []);

/** The first candidate that applies and that at least one instruction asks for. */
export const firstOf = (
  ...candidates: readonly (WorldOutcome | false | undefined)[]
): WorldOutcome | undefined =>
  candidates.find(each => each !== undefined && each !== false && each.ways.length > 0) || undefined;

const MAX_QUOTE_LENGTH = 60;

/** Whether an instruction can quote this text: one short line without outer whitespace. */
export const isQuotable = (text: string): boolean =>
  text !== '' && text.length <= MAX_QUOTE_LENGTH && text === text.trim() && !/["\p{Cc}]/u.test(text);

/** What the front window was opened with, if it belongs to this application. */
function frontWindow(
  { openings }: WorldChange,
  app: string,
): { readonly what: string | undefined } | undefined {
  if (openings.at(-1)?.app !== app) return undefined;
  return { what: openings.findLast(each => each.app === app && each.what !== undefined)?.what };
}

const isFile = (path: string, { root }: PocketWorld): boolean => entryAt(root, path)?.kind === 'file';

/** The folder that 'here' means: the one that Files shows at the start, if Files is in front. */
export function folderHere(episode: WorldChange): string | undefined {
  const window = frontWindow(episode, 'files');
  if (window?.what === undefined) return window && '/';
  return isFile(window.what, episode.start) ? parentOf(window.what) : window.what;
}

/** The file that is selected in Files at the start. */
export function selectedFile(episode: WorldChange): string | undefined {
  const what = frontWindow(episode, 'files')?.what;
  return what !== undefined && isFile(what, episode.start) ? what : undefined;
}

/** The note that 'this note' means. */
export const openNote = (episode: WorldChange): string | undefined => frontWindow(episode, 'notes')?.what;
