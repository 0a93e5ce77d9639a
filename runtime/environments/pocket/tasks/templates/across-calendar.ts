// Tasks across the calendar and mails or notes.

import { all, fileIs, inWorld, onlyChanged, recordsAre } from '../conditions.ts';
import { steps } from '../scripted-user.ts';
import { dayText, MARCH, putEvent } from '../starting-world.ts';
import { type PocketTemplate, template } from '../template.ts';
import { dragEvent, eventAdded } from './calendar.ts';
import { MailDesk } from './mail-desk.ts';
import { addEvent, chooseDay, newNote, openMail } from './scripts.ts';

export const ACROSS_CALENDAR: readonly PocketTemplate[] = [
  template('across-date-event', { tier: 4, apps: ['mail', 'calendar'] }, draw => {
    const title = draw.fresh(draw.words.event);
    const desk = new MailDesk(draw);
    const person = desk.person();
    const [date, before] = draw.sample(MARCH, 2);
    const time = draw.time();
    const [day, dayBefore] = [dayText(date), dayText(before)];
    const mail = desk.receive(
      person,
      `We meet on ${day} at ${time}. (Not on ${dayBefore}: nobody had time.)`,
      `${dayBefore} was full, so I took ${day} at ${time}. See you there!`,
      `Instead of ${dayBefore} it will be ${day}. We begin at ${time}.`,
    );
    const add = (event: { date: string; time: string; title: string }) =>
      steps(openMail(desk.row(mail)), addEvent(event));
    return {
      instruction: draw.phrase(
        `Put the date that the mail "${mail.subject}" tells into the calendar, as "${title}".`,
        `Read in the mail "${mail.subject}" when we meet, and add it to the calendar under the title "${title}".`,
        `${person.name} writes in "${mail.subject}" about ${title}. Enter it into the calendar: day and time from the mail, title "${title}".`,
      ),
      world: desk.world,
      open: draw.somewhere('mail'),
      evaluator: all(...eventAdded(desk.world.events, { date, time, title }, 'mails.*.read')),
      solve: add({ date, time, title }),
      misses: {
        'the day that no longer holds': add({ date: before, time, title }),
        'another time': add({ date, time: time === '09:00' ? '10:00' : '09:00', title }),
        'with the time in its title': add({ date, time, title: `${title} ${time}` }),
      },
    };
  }),

  template('across-move-event', { tier: 4, apps: ['mail', 'calendar'] }, draw => {
    const [title, other] = [draw.fresh(draw.words.event), draw.fresh(draw.words.event)];
    const desk = new MailDesk(draw);
    const person = desk.person();
    const [from, to, wrong] = draw.sample(MARCH, 3);
    const event = putEvent(desk.world.events, { title, date: from, time: draw.time() });
    const beside = putEvent(desk.world.events, { title: other, date: from, time: draw.time() });
    const mail = desk.receive(
      person,
      `${title} on ${dayText(from)} cannot take place. The new day is ${dayText(to)}, at the same time.`,
      `We have to move ${title} from ${dayText(from)} to ${dayText(to)}. The hour stays.`,
      `Bad news: ${title} will not be on ${dayText(from)} but on ${dayText(to)}. Nothing else changes.`,
    );
    const move = (which: typeof event, day: string) =>
      steps(openMail(desk.row(mail)), chooseDay(from), dragEvent(which, day));
    return {
      instruction: draw.phrase(
        `Change the calendar as the mail "${mail.subject}" asks.`,
        `According to the mail "${mail.subject}" something is on another day now. Move it in the calendar.`,
        `${person.name} has moved ${title}. Read the mail "${mail.subject}" and correct the calendar.`,
      ),
      world: desk.world,
      open: draw.chance(0.5) ? [{ app: draw.pick(['notes', 'contacts', 'settings']) }] : [],
      evaluator: all(
        recordsAre('events', { id: event.id }, [{ date: to, time: event.time, title }]),
        onlyChanged('mails.*.read', `events.${event.id}.date`),
      ),
      solve: move(event, to),
      misses: {
        'another event of that day': move(beside, to),
        'to another day': move(event, wrong),
        'added on the new day, and left on the old one': addEvent({ ...event, date: to }),
        'moved there and back': steps(move(event, to), chooseDay(to), dragEvent(event, from)),
      },
    };
  }),

  template('across-event-note', { tier: 4, apps: ['calendar', 'notes'] }, draw => {
    const [title, { name }] = [draw.fresh(draw.words.event), draw.file()];
    const desk = new MailDesk(draw);
    const [date, wrong] = draw.sample(MARCH, 2);
    const time = `${draw.integer(10, 19)}:00`;
    const text = `${draw.sentence()}.`;
    const path = `/Notes/${name}`;
    const [add, note] = [addEvent({ date, time, title }), newNote(text, name)];
    return {
      instruction: draw.phrase(
        `Put "${title}" into the calendar on ${dayText(date)} at ${time}, and write a note "${name}" that says: ${text}`,
        `"${title}" is on ${dayText(date)} at ${time}: enter it into the calendar. Then make a note called "${name}" with this text: ${text}`,
        `First write a note with the text "${text}" and save it as "${name}". Then add "${title}" to the calendar, for ${dayText(date)}, ${time}.`,
      ),
      world: desk.world,
      open: draw.maybeOpen('calendar'),
      evaluator: all(
        ...eventAdded(desk.world.events, { date, time, title }, inWorld(path)),
        fileIs(path, text),
      ),
      solve: steps(add, note),
      misses: {
        'the event only': add,
        'the note only': note,
        'on another day': steps(addEvent({ date: wrong, time, title }), note),
      },
    };
  }),
];
