// Deeds in the calendar: one event that came, went, or was changed in one thing.

import { dayOf } from '../../apps/calendar/dates.ts';
import type { CalendarEvent, PocketWorld } from '../../world.ts';
import { toDeleteEvent, toMoveEvent, toMoveToday, toRenameEvent } from '../phrases.ts';
import { dayText } from '../templates/chores.ts';
import { type Changes, changesOf, only } from './difference.ts';
import {
  firstOutcome,
  isPlain,
  type Recogniser,
  said,
  type WorldChange,
  type WorldOutcome,
} from './outcome.ts';

type EventChanges = Changes<CalendarEvent>;

const today = ({ now }: PocketWorld): string => now.slice(0, 10);

/** Days are said without their year. */
const isSayable = (date: string, world: PocketWorld): boolean =>
  dayOf(date) !== undefined && date.slice(0, 4) === today(world).slice(0, 4);

/** Whether a title and a day were enough to tell an event from all others. */
const isClear = ({ title, date }: CalendarEvent, { start }: WorldChange): boolean =>
  isSayable(date, start) &&
  start.events.filter(each => each.title === title && each.date === date).length === 1;

/** The event that was changed in this field and no other. */
function changedIn(changes: EventChanges, field: keyof CalendarEvent, told: WorldChange) {
  const change = only(changes.changed);
  if (change === undefined || only(change.fields) !== field) return undefined;
  return isClear(change.before, told) ? change : undefined;
}

const moved: Recogniser<EventChanges> = (changes, told) => {
  const change = changedIn(changes, 'date', told);
  if (change === undefined) return undefined;
  const { before, after } = change;
  // To put an event off to another month is a task that is never trained.
  if (before.date.slice(0, 7) !== after.date.slice(0, 7)) return undefined;
  const [from, to] = [dayText(before.date), dayText(after.date)];
  const isToday = before.date === today(told.start);
  return said(
    isToday ? 'calendar-move-today' : 'calendar-move',
    ...(isToday ? toMoveToday(before.title, to, after.date > before.date) : []),
    ...toMoveEvent(before.title, from, to),
  );
};

const renamed: Recogniser<EventChanges> = (changes, told) => {
  const change = changedIn(changes, 'title', told);
  if (change === undefined || !isPlain(change.after.title)) return undefined;
  const { before, after } = change;
  return said('calendar-rename', ...toRenameEvent(before.title, dayText(before.date), after.title));
};

const removed: Recogniser<EventChanges> = ({ gone }, told) => {
  const event = only(gone);
  if (event === undefined || !isClear(event, told)) return undefined;
  return said('calendar-delete', ...toDeleteEvent(event.title, dayText(event.date)));
};

// Stepping stones: what no template of the first tiers asks for, in words of their own.

const retimed: Recogniser<EventChanges> = (changes, told) => {
  const change = changedIn(changes, 'time', told);
  if (change === undefined) return undefined;
  const { title, date, time } = change.after;
  return said(
    'calendar-other-time',
    `Let "${title}" on ${dayText(date)} begin at ${time}.`,
    `"${title}" on ${dayText(date)} is at ${time}, not at ${change.before.time}. Set the time.`,
    `Give "${title}" on ${dayText(date)} the time ${time}.`,
  );
};

const added: Recogniser<EventChanges> = ({ came }, { start }) => {
  const event = only(came);
  if (event === undefined || !isPlain(event.title) || !isSayable(event.date, start)) return undefined;
  const { title, date, time } = event;
  return said(
    'calendar-new',
    `Make an event "${title}" on ${dayText(date)} at ${time}.`,
    `There should be a "${title}" in the calendar, on ${dayText(date)} at ${time}.`,
  );
};

const NAMERS = [moved, renamed, removed, retimed, added] as const;

export function calendarDeed(told: WorldChange): WorldOutcome | undefined {
  const changes = changesOf(told.start.events, told.end.events, ({ id }) => id);
  if (changes === undefined) return undefined;
  const { came, gone, changed } = changes;
  return came.length + gone.length + changed.length === 1 ? firstOutcome(NAMERS, changes, told) : undefined;
}
