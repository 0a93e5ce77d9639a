// Tasks in which the calendar follows what is written elsewhere, or goes with a note.

import { eventName } from '../../apps/calendar/agenda.ts';
import type { ScriptedUser } from '../scripted-user.ts';
import { all, fileIs, onlyChanged, type PocketTemplate, recordsAre } from '../template.ts';
import {
  addEvent,
  chooseDay,
  days,
  dayText,
  onlyAdded,
  openMail,
  placeOf,
  putEvent,
  saveNoteAs,
} from './chores.ts';
import { MailDesk, somewhere } from './mail-desk.ts';

const dateFromMail: PocketTemplate = {
  id: 'across-date-event',
  tier: 4,
  apps: ['mail', 'calendar'],
  make: draw => {
    const title = draw.fresh(draw.words.event);
    const desk = new MailDesk(draw);
    const person = desk.person();
    const [date = '', before = ''] = days(draw, 2);
    const time = draw.time();
    const mail = desk.put(
      {
        body: `${draw.say(
          `We meet on ${dayText(date)} at ${time}. (Not on ${dayText(before)}: nobody had time.)`,
          `${dayText(before)} was full, so I took ${dayText(date)} at ${time}. See you there!`,
          `Instead of ${dayText(before)} it will be ${dayText(date)}. We begin at ${time}.`,
        )}\n\n${person.name}`,
      },
      person,
    );
    const put = (event: { date: string; time: string; title: string }) => (hand: ScriptedUser) => {
      openMail(hand, desk.row(mail));
      addEvent(hand, event);
    };
    return {
      instruction: draw.say(
        `Put the date that the mail "${mail.subject}" tells into the calendar, as "${title}".`,
        `Read in the mail "${mail.subject}" when we meet, and add it to the calendar under the title "${title}".`,
        `${person.name} writes in "${mail.subject}" about ${title}. Enter it into the calendar: day and time from the mail, title "${title}".`,
      ),
      world: desk.world,
      open: somewhere(draw, 'mail'),
      evaluator: all(...onlyAdded(desk.world.events, { date, time, title }, 'mails.*.read')),
      solve: put({ date, time, title }),
      misses: {
        'the day that no longer holds': put({ date: before, time, title }),
        'another time': put({ date, time: time === '09:00' ? '10:00' : '09:00', title }),
        'with the time in its title': put({ date, time, title: `${title} ${time}` }),
      },
    };
  },
};

const movedByMail: PocketTemplate = {
  id: 'across-move-event',
  tier: 4,
  apps: ['mail', 'calendar'],
  make: draw => {
    const [title, other] = [draw.fresh(draw.words.event), draw.fresh(draw.words.event)];
    const desk = new MailDesk(draw);
    const person = desk.person();
    const [from = '', to = '', wrong = ''] = days(draw, 3);
    const event = putEvent(desk.world.events, { title, date: from, time: draw.time() });
    const beside = putEvent(desk.world.events, { title: other, date: from, time: draw.time() });
    const mail = desk.put(
      {
        body: `${draw.say(
          `${title} on ${dayText(from)} cannot take place. The new day is ${dayText(to)}, at the same time.`,
          `We have to move ${title} from ${dayText(from)} to ${dayText(to)}. The hour stays.`,
          `Bad news: ${title} will not be on ${dayText(from)} but on ${dayText(to)}. Nothing else changes.`,
        )}\n\n${person.name}`,
      },
      person,
    );
    const moved = (each: typeof event, day: string) => (hand: ScriptedUser) => {
      openMail(hand, desk.row(mail));
      chooseDay(hand, from);
      hand.drag('listitem', eventName(each), 'gridcell', day);
    };
    return {
      instruction: draw.say(
        `Change the calendar as the mail "${mail.subject}" asks.`,
        `According to the mail "${mail.subject}" something is on another day now. Move it in the calendar.`,
        `${person.name} has moved ${title}. Read the mail "${mail.subject}" and correct the calendar.`,
      ),
      world: desk.world,
      open: draw.chance(0.5) ? [{ app: draw.one(['notes', 'contacts', 'settings']) }] : [],
      evaluator: all(
        recordsAre('events', { id: event.id }, [{ date: to, time: event.time, title }]),
        onlyChanged('mails.*.read', `events.${event.id}.date`),
      ),
      solve: moved(event, to),
      misses: {
        'another event of that day': moved(beside, to),
        'to another day': moved(event, wrong),
        'added on the new day, and left on the old one': hand => addEvent(hand, { ...event, date: to }),
        'moved there and back': hand => {
          moved(event, to)(hand);
          chooseDay(hand, to);
          hand.drag('listitem', eventName(event), 'gridcell', from);
        },
      },
    };
  },
};

const eventAndNote: PocketTemplate = {
  id: 'across-event-note',
  tier: 4,
  apps: ['calendar', 'notes'],
  make: draw => {
    const [title, name] = [draw.fresh(draw.words.event), draw.file().name];
    const desk = new MailDesk(draw);
    const [date = '', wrong = ''] = days(draw, 2);
    const time = `${draw.whole(10, 19)}:00`;
    const words = `${draw.one(draw.words.sentence)}.`;
    const path = `/Notes/${name}`;
    const noted = (hand: ScriptedUser) => {
      hand.open('Notes');
      hand.type(words);
      saveNoteAs(hand, name);
    };
    return {
      instruction: draw.say(
        `Put "${title}" into the calendar on ${dayText(date)} at ${time}, and write a note "${name}" that says: ${words}`,
        `"${title}" is on ${dayText(date)} at ${time}: enter it into the calendar. Then make a note called "${name}" with this text: ${words}`,
        `First write a note with the text "${words}" and save it as "${name}". Then add "${title}" to the calendar, for ${dayText(date)}, ${time}.`,
      ),
      world: desk.world,
      open: draw.chance(0.5) ? [{ app: 'calendar' }] : [],
      evaluator: all(
        ...onlyAdded(desk.world.events, { date, time, title }, placeOf(path)),
        fileIs(path, words),
      ),
      solve: hand => {
        addEvent(hand, { date, time, title });
        noted(hand);
      },
      misses: {
        'the event only': hand => addEvent(hand, { date, time, title }),
        'the note only': noted,
        'on another day': hand => {
          addEvent(hand, { date: wrong, time, title });
          noted(hand);
        },
      },
    };
  },
};

export const ACROSS_CALENDAR: readonly PocketTemplate[] = [dateFromMail, movedByMail, eventAndNote];
