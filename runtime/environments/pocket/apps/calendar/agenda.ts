// The events of the world by day, and what can be done to them. Pure but for the world's own list of events.

import type { CalendarEvent, PocketWorld } from '../../world.ts';

/** What a form says of an event. */
export type EventDraft = Omit<CalendarEvent, 'id'>;

/** Events of a day in the order in which they happen. */
export const eventsOn = (world: PocketWorld, date: string): readonly CalendarEvent[] =>
  world.events
    .filter(event => event.date === date)
    .sort((a, b) => (a.time === b.time ? a.id - b.id : a.time < b.time ? -1 : 1));

/** How many events there are on each day that has any. */
export function eventCounts({ events }: PocketWorld): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { date } of events) counts.set(date, (counts.get(date) ?? 0) + 1);
  return counts;
}

export const eventWith = (world: PocketWorld, id: number | undefined): CalendarEvent | undefined =>
  world.events.find(event => event.id === id);

export const nameOf = ({ time, title }: CalendarEvent): string => `${time} ${title}`;

export function add(world: PocketWorld, entry: EventDraft): CalendarEvent {
  const event = { id: Math.max(0, ...world.events.map(({ id }) => id)) + 1, ...entry };
  world.events.push(event);
  return event;
}

export function change(world: PocketWorld, id: number, entry: Partial<EventDraft>): void {
  world.events = world.events.map(event => (event.id === id ? { ...event, ...entry } : event));
}

export function remove(world: PocketWorld, id: number): void {
  world.events = world.events.filter(event => event.id !== id);
}
