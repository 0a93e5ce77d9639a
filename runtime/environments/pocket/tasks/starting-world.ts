// The parts of the starting world of a task of the pocket desktop.

import { dayOf, MONTHS } from '../apps/calendar/dates.ts';
import { madeFolder } from '../apps/files/entries.ts';
import type { AppOpening } from '../getters.ts';
import {
  type CalendarEvent,
  type FileEntry,
  type Folder,
  nameOf,
  type PocketWorld,
  parentOf,
  type TextFile,
} from '../world.ts';

/** The parts of the world that a template sets. The rest equals an empty world. */
export interface StartingWorld extends Partial<Omit<PocketWorld, 'settings'>> {
  readonly settings?: Partial<PocketWorld['settings']>;
}

export const file = (text: string, trashedFrom?: string): TextFile => ({
  kind: 'file',
  text,
  ...(trashedFrom !== undefined && { trashedFrom }),
});

export const folder = (entries: Readonly<Record<string, FileEntry>> = {}): Folder => ({
  kind: 'folder',
  entries: { ...entries },
});

/** Adds an entry, and the folders above it where they are missing. */
export function put(root: Folder, path: string, entry: FileEntry): void {
  const parent = madeFolder(root, parentOf(path));
  if (parent === undefined)
    throw new RangeError(`Cannot put '${path}' into the world: a file is in its way.`);
  parent.entries[nameOf(path)] = entry;
}

export const putFile = (root: Folder, path: string, text: string): void => put(root, path, file(text));

/** Adds an event with the next free number. */
export function putEvent(events: CalendarEvent[], event: Omit<CalendarEvent, 'id'>): CalendarEvent {
  const added = { id: Math.max(0, ...events.map(({ id }) => id)) + 1, ...event };
  events.push(added);
  return added;
}

/** The world with some settings replaced. */
export const withSettings = (
  { settings, ...world }: StartingWorld,
  fields: Partial<PocketWorld['settings']>,
): StartingWorld => ({ ...world, settings: { ...settings, ...fields } });

/** Days of the month that the calendar shows at the start. */
export const MARCH: readonly string[] = Array.from(
  { length: 28 },
  (_, index) => `2026-03-${String(index + 1).padStart(2, '0')}`,
);

/** '17 March' */
export function dayText(date: string): string {
  const day = dayOf(date);
  if (day === undefined) throw new RangeError(`'${date}' is not a date such as 2026-03-17.`);
  return `${day.day} ${MONTHS[day.month - 1]}`;
}

/** The application is in front. */
export const inFront = (app: string, what?: string): readonly AppOpening[] => [
  { app, ...(what !== undefined && { what }) },
];
