// Outcomes in the calendar: one event added, deleted, or changed in one field.

import { dayOf } from '../../apps/calendar/dates.ts';
import type { CalendarEvent, PocketWorld } from '../../world.ts';
import { dayText } from '../starting-world.ts';
import {
  type Changed,
  changesOf,
  defineOutcome,
  firstOf,
  isQuotable,
  outcome,
  single,
  type WorldChange,
  type WorldOutcome,
  when,
} from './outcome.ts';

/** For an event of today; only one that moves to a later day is put off. */
export const moveTodaysEvent = defineOutcome(
  'calendar-move-today',
  ({ title, date }: CalendarEvent, to: string) => [
    `Move today's "${title}" to ${dayText(to)}.`,
    `"${title}" is not today but on ${dayText(to)}, at the same time. Correct the calendar.`,
    ...when(to > date, [`Put off "${title}" from today to ${dayText(to)}.`]),
  ],
);

export const moveEvent = defineOutcome('calendar-move', ({ title, date }: CalendarEvent, to: string) => [
  `Move "${title}" from ${dayText(date)} to ${dayText(to)}.`,
  `"${title}" is on ${dayText(to)} instead of ${dayText(date)}, at the same time. Change it in the calendar.`,
  `Put "${title}", which is on ${dayText(date)}, on ${dayText(to)}.`,
]);

export const deleteEvent = defineOutcome('calendar-delete', ({ title, date }: CalendarEvent) => [
  `Delete "${title}" on ${dayText(date)}.`,
  `"${title}" on ${dayText(date)} does not take place. Remove it from the calendar.`,
  `Take "${title}" out of the calendar; it is on ${dayText(date)}.`,
]);

export const renameEvent = defineOutcome(
  'calendar-rename',
  ({ title, date }: CalendarEvent, wanted: string) => [
    `Rename "${title}" on ${dayText(date)} to "${wanted}".`,
    `On ${dayText(date)} there is "${title}" in the calendar. It should be called "${wanted}".`,
    `Change the title of "${title}" (${dayText(date)}) to "${wanted}".`,
  ],
);

const changeTime = defineOutcome(
  'calendar-other-time',
  ({ title, date, time }: CalendarEvent, wanted: string) => [
    `Let "${title}" on ${dayText(date)} begin at ${wanted}.`,
    `"${title}" on ${dayText(date)} is at ${wanted}, not at ${time}. Set the time.`,
    `Give "${title}" on ${dayText(date)} the time ${wanted}.`,
  ],
);

const addEvent = defineOutcome('calendar-new', ({ title, date, time }: CalendarEvent) => [
  `Make an event "${title}" on ${dayText(date)} at ${time}.`,
  `There should be a "${title}" in the calendar, on ${dayText(date)} at ${time}.`,
]);

/** Instructions name days without their year. */
const isThisYear = (date: string, { now }: PocketWorld): boolean =>
  dayOf(date) !== undefined && date.slice(0, 4) === now.slice(0, 4);

/** Whether title and day identify the event. */
const isClear = ({ title, date }: CalendarEvent, { start }: WorldChange): boolean =>
  isThisYear(date, start) &&
  start.events.filter(each => each.title === title && each.date === date).length === 1;

/** Moving an event to another month belongs to a template that is never trained, so it has no outcome. */
function movedEvent(event: CalendarEvent, to: string, { start }: WorldChange): WorldOutcome | undefined {
  if (event.date.slice(0, 7) !== to.slice(0, 7)) return undefined;
  const moved = moveEvent(event, to);
  if (event.date !== start.now.slice(0, 10)) return moved;
  const { kind, ways } = moveTodaysEvent(event, to);
  return outcome(kind, [...ways, ...moved.ways]);
}

function changedEvent({ before, after, fields }: Changed<CalendarEvent>, episode: WorldChange) {
  if (!isClear(before, episode)) return undefined;
  const field = single(fields);
  if (field === 'date') return movedEvent(before, after.date, episode);
  if (field === 'title' && isQuotable(after.title)) return renameEvent(before, after.title);
  return field === 'time' ? changeTime(before, after.time) : undefined;
}

export function calendarOutcome(episode: WorldChange): WorldOutcome | undefined {
  const { start, end } = episode;
  const changes = changesOf(start.events, end.events, ({ id }) => id);
  if (changes === undefined) return undefined;
  const [added, removed, changed] = [single(changes.added), single(changes.removed), single(changes.changed)];
  if (changes.added.length + changes.removed.length + changes.changed.length !== 1) return undefined;
  return firstOf(
    changed && changedEvent(changed, episode),
    removed && isClear(removed, episode) && deleteEvent(removed),
    added && isQuotable(added.title) && isThisYear(added.date, start) && addEvent(added),
  );
}
