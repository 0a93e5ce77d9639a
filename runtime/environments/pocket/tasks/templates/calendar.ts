// Tasks about single events of the month that the calendar shows.

import { eventName } from '../../apps/calendar/agenda.ts';
import type { CalendarEvent } from '../../world.ts';
import { all, infeasible, onlyChanged, recordsAre } from '../conditions.ts';
import type { Draw } from '../draw.ts';
import { deleteEvent, moveEvent, moveTodaysEvent, renameEvent } from '../outcomes/calendar.ts';
import { click, doubleClick, drag, press, steps, write } from '../scripted-user.ts';
import { dayText, inFront, MARCH, putEvent } from '../setup.ts';
import { type PocketTemplate, template } from '../template.ts';
import { addEvent, chooseDay, setTime } from './scripts.ts';

const apps = ['calendar'];
const open = inFront('calendar');

/** A world with two events on one day. Without a date, the day is drawn after the world. */
export function withEvents(draw: Draw, date?: string) {
  const [title, other] = [draw.fresh(draw.words.event), draw.fresh(draw.words.event)];
  const world = draw.world();
  const day = date ?? draw.pick(MARCH);
  const event = putEvent(world.events, { title, date: day, time: draw.time() });
  const beside = putEvent(world.events, { title: other, date: day, time: draw.time() });
  return { world, event, beside };
}

/** The event has these fields now, and nothing else changed. */
export const eventChanged = (event: CalendarEvent, fields: Partial<CalendarEvent>) =>
  all(
    recordsAre('events', { id: event.id }, [{ ...event, ...fields }]),
    onlyChanged(...Object.keys(fields).map(field => `events.${event.id}.${field}`)),
  );

/**
 * The calendar has one more event, and nothing else changed except `patterns`. Its number does not count: it is higher if
 * the agent deleted a first attempt.
 */
export const eventAdded = (
  events: readonly CalendarEvent[],
  added: Omit<CalendarEvent, 'id'>,
  ...patterns: readonly string[]
) => [
  recordsAre(
    'events',
    {},
    [...events, added].map(({ date, time, title }) => ({ date, time, title })),
  ),
  onlyChanged('events.**', ...patterns),
];

export const dragEvent = (event: CalendarEvent, day: string) =>
  drag('listitem', eventName(event), 'gridcell', day);

/** Opens the form of an event of the day. */
export const editEvent = (event: CalendarEvent) =>
  steps(chooseDay(event.date), doubleClick('listitem', eventName(event)));

export const CALENDAR: readonly PocketTemplate[] = [
  template('calendar-move-today', { tier: 1, apps }, draw => {
    const [today, to, wrong] = draw.sample(MARCH, 3);
    const { world, event, beside } = withEvents(draw, today);
    return {
      instruction: draw.phrase(...moveTodaysEvent(event, to).ways),
      world: { ...world, now: `${today} ${draw.time()}` },
      open,
      evaluator: eventChanged(event, { date: to }),
      solve: dragEvent(event, to),
      misses: { 'the other event': dragEvent(beside, to), 'to another day': dragEvent(event, wrong) },
    };
  }),

  template('calendar-move', { tier: 2, apps }, draw => {
    const [from, to, wrong] = draw.sample(MARCH, 3);
    const { world, event, beside } = withEvents(draw, from);
    const move = (which: CalendarEvent, day: string) => steps(chooseDay(from), dragEvent(which, day));
    return {
      instruction: draw.phrase(...moveEvent(event, to).ways),
      world,
      open: draw.somewhere('calendar'),
      evaluator: eventChanged(event, { date: to }),
      solve: move(event, to),
      misses: {
        'the other event': move(beside, to),
        'to another day': move(event, wrong),
        'there and back': steps(move(event, to), chooseDay(to), dragEvent(event, from)),
      },
    };
  }),

  template('calendar-delete', { tier: 2, apps }, draw => {
    const [date] = draw.sample(MARCH, 1);
    const { world, event, beside } = withEvents(draw, date);
    const remove = (which: CalendarEvent, answer: string) =>
      steps(
        chooseDay(date),
        click('listitem', eventName(which)),
        click('button', 'Delete...'),
        click('button', answer),
      );
    return {
      instruction: draw.phrase(...deleteEvent(event).ways),
      world,
      open: draw.nearby('calendar'),
      evaluator: all(recordsAre('events', { id: event.id }, []), onlyChanged(`events.${event.id}`)),
      solve: remove(event, 'Delete'),
      misses: {
        'the other event of that day': remove(beside, 'Delete'),
        'thought better of': remove(event, 'Cancel'),
        'both events': steps(remove(event, 'Delete'), remove(beside, 'Delete')),
      },
    };
  }),

  template('calendar-rename', { tier: 2, apps }, draw => {
    const [date] = draw.sample(MARCH, 1);
    const { world, event, beside } = withEvents(draw, date);
    const title = `${draw.fresh(draw.words.event)} with ${draw.pick(draw.words.first)}`;
    const rename = (which: CalendarEvent, name: string) => steps(editEvent(which), write(name));
    return {
      instruction: draw.phrase(...renameEvent(event, title).ways),
      world,
      open: draw.nearby('calendar'),
      evaluator: eventChanged(event, { title }),
      solve: steps(rename(event, title), press('enter')),
      misses: {
        'the other event': steps(rename(beside, title), press('enter')),
        'not saved': steps(rename(event, title), press('esc')),
        'half of the new title': steps(rename(event, title.split(' ')[0] ?? ''), press('enter')),
      },
    };
  }),

  template('calendar-add', { tier: 3, apps }, draw => {
    const title = draw.fresh(draw.words.event);
    const world = draw.world();
    const [date, wrong] = draw.sample(MARCH, 2);
    const time = draw.time();
    const add = addEvent({ date, time, title });
    return {
      instruction: draw.phrase(
        `Add "${title}" to the calendar, on ${dayText(date)} at ${time}.`,
        `I have "${title}" on ${dayText(date)}, ${time}. Put it into the calendar.`,
        `Enter "${title}" for ${dayText(date)} at ${time}.`,
      ),
      world,
      open,
      evaluator: all(...eventAdded(world.events, { date, time, title })),
      solve: add,
      misses: {
        'on another day': addEvent({ date: wrong, time, title }),
        'at another time': addEvent({ date, time: time === '08:30' ? '20:30' : '08:30', title }),
        'written but not saved': steps(chooseDay(date), press('ctrl', 'n'), write(title), setTime(time)),
        twice: steps(add, add),
      },
    };
  }),

  template('calendar-infeasible', { tier: 1, apps }, draw => {
    const [date, to] = draw.sample(MARCH, 2);
    const { world, event } = withEvents(draw, date);
    // Drawn after the world: no event has this title.
    const titles = world.events.map(({ title }) => title);
    const title = draw.pick(draw.words.event.filter(each => !titles.includes(each)));
    return {
      instruction: draw.phrase(
        `Delete "${title}" on ${dayText(date)}.`,
        `Move "${title}" from ${dayText(date)} to ${dayText(to)}.`,
        `Change the time of "${title}" on ${dayText(date)} to ${draw.time()}.`,
      ),
      world,
      open,
      evaluator: infeasible(),
      solve: steps(),
      misses: { 'another event of that day': steps(chooseDay(date), dragEvent(event, to)) },
    };
  }),
];
