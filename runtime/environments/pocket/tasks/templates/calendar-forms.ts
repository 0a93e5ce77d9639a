// Tasks about events that need the form of an event, another month, or several events.

import { eventName } from '../../apps/calendar/agenda.ts';
import type { CalendarEvent } from '../../world.ts';
import { all, onlyChanged, recordsAre } from '../conditions.ts';
import { click, fill, press, steps, write } from '../scripted-user.ts';
import { dayText, inFront, MARCH, putEvent } from '../setup.ts';
import { type PocketTemplate, template } from '../template.ts';
import { dragEvent, editEvent, eventAdded, eventChanged, withEvents } from './calendar.ts';
import { addEvent, chooseDay, deleteSelected, newEvent, setTime } from './scripts.ts';

const apps = ['calendar'];
const open = inFront('calendar');
const twoDigits = (value: number): string => String(value).padStart(2, '0');

export const CALENDAR_FORMS: readonly PocketTemplate[] = [
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
