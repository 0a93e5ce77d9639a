// Tasks about the calendar.

import { eventName } from '../../apps/calendar/agenda.ts';
import type { CalendarEvent } from '../../world.ts';
import type { Draw } from '../draw.ts';
import { toDeleteEvent, toMoveEvent, toMoveToday, toRenameEvent } from '../phrases.ts';
import type { ScriptedUser } from '../scripted-user.ts';
import { all, infeasible, onlyChanged, type PocketTemplate, recordsAre } from '../template.ts';
import { addEvent, chooseDay, days, dayText, onlyAdded, putEvent, setTime } from './chores.ts';
import { nearby, somewhere } from './mail-desk.ts';

const APPS = ['calendar'];
const open = [{ app: 'calendar' }];

/** A world with an event, and another on the same day that is called otherwise. */
function withEvent(draw: Draw, date: string, ...times: readonly [string?, string?]) {
  const [title, other] = [draw.fresh(draw.words.event), draw.fresh(draw.words.event)];
  const world = draw.world();
  const event = putEvent(world.events, { title, date, time: times[0] ?? draw.time() });
  const beside = putEvent(world.events, { title: other, date, time: times[1] ?? draw.time() });
  return { world, event, beside };
}

const moveToday: PocketTemplate = {
  id: 'calendar-move-today',
  tier: 1,
  apps: APPS,
  make: draw => {
    const [today = '', to = '', wrong = ''] = days(draw, 3);
    const { world, event, beside } = withEvent(draw, today);
    const dragged = (each: CalendarEvent, day: string) => (hand: ScriptedUser) =>
      hand.drag('listitem', eventName(each), 'gridcell', day);
    return {
      instruction: draw.say(...toMoveToday(event.title, dayText(to), to > today)),
      world: { ...world, now: `${today} ${draw.time()}` },
      open,
      evaluator: all(
        recordsAre('events', { id: event.id }, [{ ...event, date: to }]),
        onlyChanged(`events.${event.id}.date`),
      ),
      solve: dragged(event, to),
      misses: { 'the other event': dragged(beside, to), 'to another day': dragged(event, wrong) },
    };
  },
};

const move: PocketTemplate = {
  id: 'calendar-move',
  tier: 2,
  apps: APPS,
  make: draw => {
    const [from = '', to = '', wrong = ''] = days(draw, 3);
    const { world, event, beside } = withEvent(draw, from);
    const dragged = (each: CalendarEvent, day: string) => (hand: ScriptedUser) => {
      chooseDay(hand, from);
      hand.drag('listitem', eventName(each), 'gridcell', day);
    };
    return {
      instruction: draw.say(...toMoveEvent(event.title, dayText(from), dayText(to))),
      world,
      open: somewhere(draw, 'calendar'),
      evaluator: all(
        recordsAre('events', { id: event.id }, [{ ...event, date: to }]),
        onlyChanged(`events.${event.id}.date`),
      ),
      solve: dragged(event, to),
      misses: {
        'the other event': dragged(beside, to),
        'to another day': dragged(event, wrong),
        'there and back': hand => {
          dragged(event, to)(hand);
          chooseDay(hand, to);
          hand.drag('listitem', eventName(event), 'gridcell', from);
        },
      },
    };
  },
};

const remove: PocketTemplate = {
  id: 'calendar-delete',
  tier: 2,
  apps: APPS,
  make: draw => {
    const [date = ''] = days(draw, 1);
    const { world, event, beside } = withEvent(draw, date);
    const deleted = (each: CalendarEvent, answer: string) => (hand: ScriptedUser) => {
      chooseDay(hand, date);
      hand.click('listitem', eventName(each));
      hand.click('button', 'Delete...');
      hand.click('button', answer);
    };
    return {
      instruction: draw.say(...toDeleteEvent(event.title, dayText(date))),
      world,
      open: nearby(draw, 'calendar'),
      evaluator: all(recordsAre('events', { id: event.id }, []), onlyChanged(`events.${event.id}`)),
      solve: deleted(event, 'Delete'),
      misses: {
        'the other event of that day': deleted(beside, 'Delete'),
        'thought better of': deleted(event, 'Cancel'),
        'both events': hand => {
          deleted(event, 'Delete')(hand);
          deleted(beside, 'Delete')(hand);
        },
      },
    };
  },
};

const rename: PocketTemplate = {
  id: 'calendar-rename',
  tier: 2,
  apps: APPS,
  make: draw => {
    const [date = ''] = days(draw, 1);
    const { world, event, beside } = withEvent(draw, date);
    const title = `${draw.fresh(draw.words.event)} with ${draw.one(draw.words.first)}`;
    const renamed = (each: CalendarEvent, name: string, end: string) => (hand: ScriptedUser) => {
      chooseDay(hand, date);
      hand.double('listitem', eventName(each));
      hand.type(name);
      hand.keys(end);
    };
    return {
      instruction: draw.say(...toRenameEvent(event.title, dayText(date), title)),
      world,
      open: nearby(draw, 'calendar'),
      evaluator: all(
        recordsAre('events', { id: event.id }, [{ ...event, title }]),
        onlyChanged(`events.${event.id}.title`),
      ),
      solve: renamed(event, title, 'enter'),
      misses: {
        'the other event': renamed(beside, title, 'enter'),
        'not saved': renamed(event, title, 'esc'),
        'half of the new title': renamed(event, title.split(' ')[0] ?? '', 'enter'),
      },
    };
  },
};

const add: PocketTemplate = {
  id: 'calendar-add',
  tier: 3,
  apps: APPS,
  make: draw => {
    const title = draw.fresh(draw.words.event);
    const world = draw.world();
    const [date = '', wrong = ''] = days(draw, 2);
    const time = draw.time();
    const other = time === '08:30' ? '20:30' : '08:30';
    return {
      instruction: draw.say(
        `Add "${title}" to the calendar, on ${dayText(date)} at ${time}.`,
        `I have "${title}" on ${dayText(date)}, ${time}. Put it into the calendar.`,
        `Enter "${title}" for ${dayText(date)} at ${time}.`,
      ),
      world,
      open,
      evaluator: all(...onlyAdded(world.events, { date, time, title })),
      solve: hand => addEvent(hand, { date, time, title }),
      misses: {
        'on another day': hand => addEvent(hand, { date: wrong, time, title }),
        'at another time': hand => addEvent(hand, { date, time: other, title }),
        'written but not saved': hand => {
          chooseDay(hand, date);
          hand.keys('ctrl', 'n');
          hand.type(title);
          setTime(hand, time);
        },
        twice: hand => {
          addEvent(hand, { date, time, title });
          addEvent(hand, { date, time, title });
        },
      },
    };
  },
};

const impossible: PocketTemplate = {
  id: 'calendar-infeasible',
  tier: 1,
  apps: APPS,
  make: draw => {
    const [date = '', to = ''] = days(draw, 2);
    const { world, event } = withEvent(draw, date);
    // Drawn after the world: nothing in it is called so.
    const there = world.events.map(({ title }) => title);
    const title = draw.one(draw.words.event.filter(each => !there.includes(each)));
    return {
      instruction: draw.say(
        `Delete "${title}" on ${dayText(date)}.`,
        `Move "${title}" from ${dayText(date)} to ${dayText(to)}.`,
        `Change the time of "${title}" on ${dayText(date)} to ${draw.time()}.`,
      ),
      world,
      open,
      evaluator: infeasible(),
      solve: () => undefined,
      misses: {
        'another event of that day': hand => {
          chooseDay(hand, date);
          hand.drag('listitem', eventName(event), 'gridcell', to);
        },
      },
    };
  },
};

export const CALENDAR: readonly PocketTemplate[] = [moveToday, move, remove, rename, add, impossible];
