// Tasks about events: move, delete, rename, add, and change their time.

import { eventName } from '../../apps/calendar/month.ts';
import type { CalendarEvent } from '../../world.ts';
import { all, onlyChanged, recordsAre } from '../conditions.ts';
import { type Draw, itemAt } from '../draw.ts';
import { deleteEvent, moveEvent, moveTodaysEvent, renameEvent } from '../outcomes/calendar.ts';
import { click, doubleClick, drag, fill, press, steps, write } from '../scripted-user.ts';
import { dayText, inFront, MARCH, putEvent } from '../starting-world.ts';
import { type PocketTemplate, template } from '../template.ts';
import { addEvent, chooseDay, deleteSelected, newEvent, setTime } from './scripts.ts';

const apps = ['calendar'];
const open = inFront('calendar');

/** A world with two events on one day. Without a date, the day is drawn after the world. */
function withEvents(draw: Draw, date?: string) {
  const [title, other] = [draw.fresh(draw.words.event), draw.fresh(draw.words.event)];
  const world = draw.world();
  const day = date ?? draw.pick(MARCH);
  const event = putEvent(world.events, { title, date: day, time: draw.time() });
  const beside = putEvent(world.events, { title: other, date: day, time: draw.time() });
  return { world, event, beside };
}

/** The event has these fields now, and nothing else changed. */
const eventChanged = (event: CalendarEvent, fields: Partial<CalendarEvent>) =>
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
const editEvent = (event: CalendarEvent) =>
  steps(chooseDay(event.date), doubleClick('listitem', eventName(event)));

const twoDigits = (value: number): string => String(value).padStart(2, '0');

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
        'half of the new title': steps(rename(event, itemAt(title.split(' '), 0)), press('enter')),
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
      misses: { 'another event of that day': steps(chooseDay(date), dragEvent(event, to)) },
    };
  }),

  template('calendar-add-far', { tier: 3, apps }, draw => {
    const title = draw.fresh(draw.words.event);
    const world = draw.world();
    const [month, day] = [draw.integer(6, 12), draw.integer(1, 28)];
    const year = draw.pick([2026, 2027]);
    const dayOfYear = `${twoDigits(month)}-${twoDigits(day)}`;
    const date = `${year}-${dayOfYear}`;
    const time = `${draw.integer(10, 19)}:00`;
    const add = (on: string, at: string) => steps(press('ctrl', 'g'), write(`${on}\n`), newEvent(title, at));
    return {
      instruction: draw.phrase(
        `Add "${title}" to the calendar, on ${dayText(date)} ${year} at ${time}.`,
        `I have "${title}" at ${time} on ${dayText(date)} ${year}. Note it in the calendar.`,
        `Enter "${title}" for ${date}, ${time}.`,
      ),
      world,
      open,
      evaluator: all(...eventAdded(world.events, { date, time, title })),
      solve: add(date, time),
      misses: {
        'the same day of this month': add(`2026-03-${twoDigits(day)}`, time),
        'a year early': add(`${year - 1}-${dayOfYear}`, time),
        'at the time that the form suggests': add(date, '09:00'),
      },
    };
  }),

  template('calendar-time', { tier: 3, apps }, draw => {
    const [title, other] = [draw.fresh(draw.words.event), draw.fresh(draw.words.event)];
    const world = draw.world();
    const [date] = draw.sample(MARCH, 1);
    const event = putEvent(world.events, { title, date, time: `${twoDigits(draw.integer(8, 12))}:00` });
    const beside = putEvent(world.events, { title: other, date, time: `${draw.integer(13, 15)}:00` });
    const time = `${draw.integer(16, 20)}:${draw.pick(['00', '20', '40', '55'])}`;
    const change = (which: CalendarEvent, to: string) => steps(editEvent(which), setTime(to));
    return {
      instruction: draw.phrase(
        `"${title}" on ${dayText(date)} begins at ${time}. Correct the time in the calendar.`,
        `Change the time of "${title}" on ${dayText(date)} to ${time}.`,
        `Move "${title}" on ${dayText(date)} from ${event.time} to ${time}, on the same day.`,
      ),
      world,
      open,
      evaluator: eventChanged(event, { time }),
      solve: steps(change(event, time), press('enter')),
      misses: {
        'the other event': steps(change(beside, time), press('enter')),
        'not saved': steps(change(event, time), press('esc')),
        'a minute late': steps(change(event, time.replace(/.$/, '1')), press('enter')),
        'a second event, and the first left': addEvent({ title, date, time }),
      },
    };
  }),

  template('calendar-clear-day', { tier: 3, apps }, draw => {
    const [title, another] = [draw.fresh(draw.words.event), draw.fresh(draw.words.event)];
    const world = draw.world();
    const [date, next] = draw.sample(MARCH, 2);
    const events = world.events.filter(event => event.date !== date);
    const first = putEvent(events, { title, date, time: draw.time() });
    const second = putEvent(events, { title: another, date, time: draw.time() });
    const other = putEvent(events, { title, date: next, time: draw.time() });
    const remove = (event: CalendarEvent) => steps(click('listitem', eventName(event)), deleteSelected);
    const clear = steps(chooseDay(date), remove(first), remove(second));
    return {
      instruction: draw.phrase(
        `Delete everything that is planned for ${dayText(date)}.`,
        `I am ill on ${dayText(date)}: take all events of that day out of the calendar.`,
        `Keep ${dayText(date)} free: remove whatever the calendar has for that day.`,
      ),
      world: { ...world, events },
      open: draw.nearby('calendar'),
      evaluator: all(
        recordsAre('events', { date }, []),
        onlyChanged(`events.${first.id}`, `events.${second.id}`),
      ),
      solve: clear,
      misses: {
        'one of them': steps(chooseDay(date), remove(first)),
        'another day as well': steps(clear, chooseDay(next), remove(other)),
        'moved to the next best day': steps(chooseDay(date), dragEvent(first, next), dragEvent(second, next)),
      },
    };
  }),

  template('calendar-again', { tier: 3, apps }, draw => {
    const title = draw.fresh(draw.words.event);
    const world = draw.world();
    const day = draw.integer(1, 21);
    const inMarch = (number: number) => `2026-03-${twoDigits(number)}`;
    const [date, later] = [inMarch(day), inMarch(day + 7)];
    const event = putEvent(world.events, { title, date, time: `${draw.integer(10, 19)}:00` });
    const { time } = event;
    const add = (on: string, at: string) => steps(chooseDay(date), addEvent({ title, date: on, time: at }));
    return {
      instruction: draw.phrase(
        `"${title}" on ${dayText(date)} takes place a second time a week later, at the same hour. Add that to the calendar.`,
        `Add "${title}" once more, exactly a week after ${dayText(date)} and at the same time.`,
        `There is "${title}" on ${dayText(date)}. Put it into the calendar for a week later as well, at the same time.`,
      ),
      world,
      open,
      evaluator: all(...eventAdded(world.events, { date: later, time, title })),
      solve: add(later, time),
      misses: {
        'moved there': steps(chooseDay(date), dragEvent(event, later)),
        'a day late': add(inMarch(day + 8), time),
        'at another time': add(later, '09:00'),
      },
    };
  }),

  template('calendar-postpone', { tier: 3, apps, unseen: true }, draw => {
    const { world, event, beside } = withEvents(draw);
    const { title, date } = event;
    const to = `2026-${twoDigits(draw.integer(5, 12))}-${twoDigits(draw.integer(1, 28))}`;
    const postpone = (which: CalendarEvent, day: string) =>
      steps(editEvent(which), fill('textfield', 'Date', day));
    return {
      instruction: draw.phrase(
        `Put off "${title}" from ${dayText(date)} to ${dayText(to)}, at the same time.`,
        `"${title}" on ${dayText(date)} is cancelled and will be on ${dayText(to)} instead. Change the event; the time stays.`,
        `Move "${title}" (${dayText(date)}) to ${dayText(to)} of this year.`,
      ),
      world,
      open: draw.somewhere('calendar'),
      evaluator: eventChanged(event, { date: to }),
      solve: steps(postpone(event, to), press('enter')),
      misses: {
        'the other event': steps(postpone(beside, to), press('enter')),
        'not saved': steps(postpone(event, to), press('esc')),
        'the right day of another month': steps(postpone(event, `2026-04${to.slice(7)}`), press('enter')),
      },
    };
  }),
];
