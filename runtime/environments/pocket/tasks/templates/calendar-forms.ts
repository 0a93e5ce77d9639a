// Tasks about the calendar that go beyond one month or one event.

import { eventName } from '../../apps/calendar/agenda.ts';
import type { CalendarEvent } from '../../world.ts';
import type { ScriptedUser } from '../scripted-user.ts';
import { all, onlyChanged, type PocketTemplate, recordsAre } from '../template.ts';
import { addEvent, chooseDay, days, dayText, onlyAdded, putEvent, setTime } from './chores.ts';
import { nearby, somewhere } from './mail-desk.ts';

const APPS = ['calendar'];
const open = [{ app: 'calendar' }];
const padded = (value: number): string => String(value).padStart(2, '0');

const addFar: PocketTemplate = {
  id: 'calendar-add-far',
  tier: 3,
  apps: APPS,
  make: draw => {
    const title = draw.fresh(draw.words.event);
    const world = draw.world();
    const [month, day] = [draw.whole(6, 12), draw.whole(1, 28)];
    const year = draw.one([2026, 2027]);
    const date = `${year}-${padded(month)}-${padded(day)}`;
    const time = `${draw.whole(10, 19)}:00`;
    const added = (event: { date: string; time: string; title: string }) => (hand: ScriptedUser) => {
      hand.keys('ctrl', 'g');
      hand.type(`${event.date}\n`);
      hand.keys('ctrl', 'n');
      hand.type(event.title);
      setTime(hand, event.time);
      hand.keys('enter');
    };
    return {
      instruction: draw.say(
        `Add "${title}" to the calendar, on ${dayText(date)} ${year} at ${time}.`,
        `I have "${title}" at ${time} on ${dayText(date)} ${year}. Note it in the calendar.`,
        `Enter "${title}" for ${date}, ${time}.`,
      ),
      world,
      open,
      evaluator: all(...onlyAdded(world.events, { date, time, title })),
      solve: added({ date, time, title }),
      misses: {
        'the same day of this month': added({ date: `2026-03-${padded(day)}`, time, title }),
        'a year early': added({ date: date.replace(String(year), String(year - 1)), time, title }),
        'at the time that the form suggests': added({ date, time: '09:00', title }),
      },
    };
  },
};

const changeTime: PocketTemplate = {
  id: 'calendar-time',
  tier: 3,
  apps: APPS,
  make: draw => {
    const [title, other] = [draw.fresh(draw.words.event), draw.fresh(draw.words.event)];
    const world = draw.world();
    const [date = ''] = days(draw, 1);
    const event = putEvent(world.events, { title, date, time: `${padded(draw.whole(8, 12))}:00` });
    const beside = putEvent(world.events, { title: other, date, time: `${draw.whole(13, 15)}:00` });
    const time = `${draw.whole(16, 20)}:${draw.one(['00', '20', '40', '55'])}`;
    const changed = (each: CalendarEvent, to: string, end: string) => (hand: ScriptedUser) => {
      chooseDay(hand, date);
      hand.double('listitem', eventName(each));
      setTime(hand, to);
      hand.keys(end);
    };
    return {
      instruction: draw.say(
        `"${title}" on ${dayText(date)} begins at ${time}. Correct the time in the calendar.`,
        `Change the time of "${title}" on ${dayText(date)} to ${time}.`,
        `Move "${title}" on ${dayText(date)} from ${event.time} to ${time}, on the same day.`,
      ),
      world,
      open,
      evaluator: all(
        recordsAre('events', { id: event.id }, [{ ...event, time }]),
        onlyChanged(`events.${event.id}.time`),
      ),
      solve: changed(event, time, 'enter'),
      misses: {
        'the other event': changed(beside, time, 'enter'),
        'not saved': changed(event, time, 'esc'),
        'a minute late': changed(event, time.replace(/.$/, '1'), 'enter'),
        'a second event, and the first left': hand => addEvent(hand, { title, date, time }),
      },
    };
  },
};

const clearDay: PocketTemplate = {
  id: 'calendar-clear-day',
  tier: 3,
  apps: APPS,
  make: draw => {
    const titles = [0, 1].map(() => draw.fresh(draw.words.event));
    const world = draw.world();
    const [date = '', next = ''] = days(draw, 2);
    const events = world.events.filter(event => event.date !== date);
    const doomed = titles.map(title => putEvent(events, { title, date, time: draw.time() }));
    const other = putEvent(events, { title: titles[0] ?? '', date: next, time: draw.time() });
    const deleted =
      (day: string, ...those: readonly (CalendarEvent | undefined)[]) =>
      (hand: ScriptedUser) => {
        chooseDay(hand, day);
        for (const each of those) {
          if (each === undefined) continue;
          hand.click('listitem', eventName(each));
          hand.keys('delete');
          hand.keys('enter');
        }
      };
    return {
      instruction: draw.say(
        `Delete everything that is planned for ${dayText(date)}.`,
        `I am ill on ${dayText(date)}: take all events of that day out of the calendar.`,
        `Keep ${dayText(date)} free: remove whatever the calendar has for that day.`,
      ),
      world: { ...world, events },
      open: nearby(draw, 'calendar'),
      evaluator: all(
        recordsAre('events', { date }, []),
        onlyChanged(...doomed.map(({ id }) => `events.${id}`)),
      ),
      solve: deleted(date, ...doomed),
      misses: {
        'one of them': deleted(date, doomed[0]),
        'another day as well': hand => {
          deleted(date, ...doomed)(hand);
          deleted(next, other)(hand);
        },
        'moved to the next best day': hand => {
          chooseDay(hand, date);
          for (const each of doomed) hand.drag('listitem', eventName(each), 'gridcell', next);
        },
      },
    };
  },
};

const again: PocketTemplate = {
  id: 'calendar-again',
  tier: 3,
  apps: APPS,
  make: draw => {
    const title = draw.fresh(draw.words.event);
    const world = draw.world();
    const day = draw.whole(1, 21);
    const [date = '', later = ''] = [day, day + 7].map(each => `2026-03-${padded(each)}`);
    const event = putEvent(world.events, { title, date, time: `${draw.whole(10, 19)}:00` });
    const { time } = event;
    const added = (to: string, at: string) => (hand: ScriptedUser) => {
      chooseDay(hand, event.date);
      addEvent(hand, { title, date: to, time: at });
    };
    return {
      instruction: draw.say(
        `"${title}" on ${dayText(event.date)} takes place a second time a week later, at the same hour. Add that to the calendar.`,
        `Add "${title}" once more, exactly a week after ${dayText(event.date)} and at the same time.`,
        `There is "${title}" on ${dayText(event.date)}. Put it into the calendar for a week later as well, at the same time.`,
      ),
      world,
      open,
      evaluator: all(...onlyAdded(world.events, { date: later, time, title })),
      solve: added(later, time),
      misses: {
        'moved there': hand => {
          chooseDay(hand, event.date);
          hand.drag('listitem', eventName(event), 'gridcell', later);
        },
        'a day late': added(`2026-03-${padded(day + 8)}`, time),
        'at another time': added(later, '09:00'),
      },
    };
  },
};

const postpone: PocketTemplate = {
  id: 'calendar-postpone',
  tier: 3,
  apps: APPS,
  unseen: true,
  make: draw => {
    const [title, other] = [draw.fresh(draw.words.event), draw.fresh(draw.words.event)];
    const world = draw.world();
    const [date = ''] = days(draw, 1);
    const event = putEvent(world.events, { title, date, time: draw.time() });
    const beside = putEvent(world.events, { title: other, date, time: draw.time() });
    const to = `2026-${padded(draw.whole(5, 12))}-${padded(draw.whole(1, 28))}`;
    const dated = (each: CalendarEvent, day: string, end: string) => (hand: ScriptedUser) => {
      chooseDay(hand, date);
      hand.double('listitem', eventName(each));
      hand.fill('textfield', 'Date', day);
      hand.keys(end);
    };
    return {
      instruction: draw.say(
        `Put off "${title}" from ${dayText(date)} to ${dayText(to)}, at the same time.`,
        `"${title}" on ${dayText(date)} is cancelled and will be on ${dayText(to)} instead. Change the event; the time stays.`,
        `Move "${title}" (${dayText(date)}) to ${dayText(to)} of this year.`,
      ),
      world,
      open: somewhere(draw, 'calendar'),
      evaluator: all(
        recordsAre('events', { id: event.id }, [{ ...event, date: to }]),
        onlyChanged(`events.${event.id}.date`),
      ),
      solve: dated(event, to, 'enter'),
      misses: {
        'the other event': dated(beside, to, 'enter'),
        'not saved': dated(event, to, 'esc'),
        'the right day of another month': dated(event, `2026-04${to.slice(7)}`, 'enter'),
      },
    };
  },
};

export const CALENDAR_FORMS: readonly PocketTemplate[] = [addFar, changeTime, clearDay, again, postpone];
