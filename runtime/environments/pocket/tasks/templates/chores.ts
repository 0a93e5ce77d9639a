// What people do again and again in tasks across applications, as scripts of a hand, and what such tasks put into a world.

import { dayOf, MONTHS } from '../../apps/calendar/dates.ts';
import type { CalendarEvent, Contact, Folder } from '../../world.ts';
import type { Draw } from '../draw.ts';
import type { ScriptedUser } from '../scripted-user.ts';
import { type EndCondition, onlyChanged, recordsAre } from '../template.ts';

/** '17 March', as people write it. */
export function dayText(date: string): string {
  const day = dayOf(date);
  if (day === undefined) throw new RangeError(`'${date}' is no date.`);
  return `${day.day} ${MONTHS[day.month - 1]}`;
}

/** Days of March that differ: the calendar of a world shows them all. */
export const days = (draw: Draw, count: number): readonly string[] =>
  draw
    .some(
      Array.from({ length: 28 }, (_, index) => index + 1),
      count,
    )
    .map(day => `2026-03-${String(day).padStart(2, '0')}`);

/** Two sentences, in lines of their own. */
export const text = (draw: Draw): string =>
  draw
    .some(draw.words.sentence, 2)
    .map(sentence => `${sentence}.`)
    .join('\n');

// What is put into a world

export function putFile(root: Folder, path: string, content: string): void {
  const names = path.split('/').filter(part => part !== '');
  let folder = root;
  for (const name of names.slice(0, -1)) {
    const there = folder.entries[name];
    const next: Folder = there?.kind === 'folder' ? there : { kind: 'folder', entries: {} };
    folder.entries[name] = next;
    folder = next;
  }
  folder.entries[names.at(-1) ?? ''] = { kind: 'file', text: content };
}

/** Where an entry stands in the world, as patterns of changes say it. */
export const placeOf = (path: string): string => `root.entries.${path.slice(1).split('/').join('.entries.')}`;

type Entry = Omit<CalendarEvent, 'id'>;

/** Adds an event to others, with the next number. */
export function putEvent(events: CalendarEvent[], event: Entry): CalendarEvent {
  const put = { id: Math.max(0, ...events.map(({ id }) => id)) + 1, ...event };
  events.push(put);
  return put;
}

// What a world should have in the end

/**
 * The calendar has what it had, and this event; beside it nothing else was changed than `patterns` say. Its number is not asked
 * for: it is another where a first try was deleted.
 */
export const onlyAdded = (
  events: readonly CalendarEvent[],
  added: Entry,
  ...patterns: readonly string[]
): readonly EndCondition[] => [
  recordsAre(
    'events',
    {},
    [...events, added].map(({ date, time, title }) => ({ date, time, title })),
  ),
  onlyChanged('events.**', ...patterns),
];

// What hands do

export function openMail(hand: ScriptedUser, row: string): void {
  hand.open('Mail');
  hand.double('row', row);
}

/** Brings a contact of the list into sight. */
export function findContact(hand: ScriptedUser, { name }: Contact): void {
  hand.open('Contacts');
  const inSight = hand.world.contacts.map(each => hand.seen('listitem', each.name)).find(each => each);
  hand.scrollTo(inSight, 'listitem', name);
}

export function lookUp(hand: ScriptedUser, contact: Contact): void {
  findContact(hand, contact);
  hand.click('listitem', contact.name);
}

export function openNote(hand: ScriptedUser, name: string): void {
  hand.open('Notes');
  hand.click('listitem', name);
}

export function saveNoteAs(hand: ScriptedUser, name: string): void {
  hand.keys('ctrl', 's');
  hand.type(`${name}\n`);
}

/** Begins a mail: what is written next goes into it. `to` is an address, or a name that one contact has. */
export function beginMail(hand: ScriptedUser, to: string, subject: string): void {
  hand.open('Mail');
  hand.keys('ctrl', 'n');
  // A name is finished by the first Enter, and left by the second.
  hand.type(to.includes('@') ? `${to}\n` : `${to}\n\n`);
  hand.type(`${subject}\n`);
}

export const send = (hand: ScriptedUser): void => hand.click('button', 'Send');
export const saveDraft = (hand: ScriptedUser): void => hand.click('button', 'Save draft');

export function chooseDay(hand: ScriptedUser, date: string): void {
  hand.open('Calendar');
  hand.click('gridcell', date);
}

/** In the form of an event, from its title on. */
export function setTime(hand: ScriptedUser, time: string): void {
  const [hour = '', minute = ''] = time.split(':');
  hand.keys('tab');
  hand.keys('tab');
  hand.type(hour);
  if (minute === '00') return;
  hand.keys('tab');
  hand.type(minute);
}

export function addEvent(hand: ScriptedUser, { date, time, title }: Entry): void {
  chooseDay(hand, date);
  hand.keys('ctrl', 'n');
  hand.type(title);
  setTime(hand, time);
  hand.keys('enter');
}

/** Works a sum out, and writes a line below the note that is open. */
export function addTotal(hand: ScriptedUser, sum: string, line: string): void {
  hand.open('Calculator');
  hand.type(sum);
  hand.open('Notes');
  hand.keys('ctrl', 'end');
  hand.type(`\n${line}`);
}
