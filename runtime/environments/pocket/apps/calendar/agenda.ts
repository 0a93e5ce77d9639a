// The events of the world by day, and changes to them.

import type { CalendarEvent, PocketWorld } from '../../world.ts';

/** The editable fields of an event. */
export type EventDraft = Omit<CalendarEvent, 'id'>;

/** The events of a day by time. */
export const eventsOn = (world: PocketWorld, date: string): readonly CalendarEvent[] =>
  world.events
    .filter(event => event.date === date)
    .sort((a, b) => (a.time === b.time ? a.id - b.id : a.time < b.time ? -1 : 1));

/** The number of events on each day that has any. */
export function eventCounts({ events }: PocketWorld): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { date } of events) counts.set(date, (counts.get(date) ?? 0) + 1);
  return counts;
}

export const eventWith = (world: PocketWorld, id: number | undefined): CalendarEvent | undefined =>
  world.events.find(event => event.id === id);

export const eventName = ({ time, title }: CalendarEvent): string => `${time} ${title}`;

/** Adds an event and returns its id. */
export function addEvent(world: PocketWorld, draft: EventDraft): number {
  const id = Math.max(0, ...world.events.map(event => event.id)) + 1;
  world.events.push({ id, ...draft });
  return id;
}

export function changeEvent(world: PocketWorld, id: number, draft: Partial<EventDraft>): void {
  world.events = world.events.map(event => (event.id === id ? { ...event, ...draft } : event));
}

export function removeEvent(world: PocketWorld, id: number): void {
  world.events = world.events.filter(event => event.id !== id);
}
