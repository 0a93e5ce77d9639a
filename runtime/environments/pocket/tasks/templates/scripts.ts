// Scripts that several templates share.

import type { CalendarEvent, Contact } from '../../world.ts';
import {
  click,
  doubleClick,
  openApp,
  type PocketScript,
  press,
  scrollTo,
  steps,
  write,
} from '../scripted-user.ts';

export const save = press('ctrl', 's');
export const selectAll = press('ctrl', 'a');
export const copyAll = steps(selectAll, press('ctrl', 'c'));
export const paste = press('ctrl', 'v');

// Files

export const showFolder = (name: string): PocketScript => click('treeitem', name);
export const deleteSelected = steps(press('delete'), press('enter'));
export const trashFile = (name: string): PocketScript => steps(click('row', name), deleteSelected);

// Notes

/** Writes at the end of the note that is open. */
export const append = (text: string): PocketScript => steps(press('ctrl', 'end'), write(text));

export const openNote = (name: string): PocketScript => steps(openApp('Notes'), click('listitem', name));

export const saveNoteAs = (name: string): PocketScript => steps(save, write(`${name}\n`));

export const newNote = (text: string, name: string): PocketScript =>
  steps(openApp('Notes'), write(text), saveNoteAs(name));

// Mail

export const send = click('button', 'Send');
export const saveDraft = click('button', 'Save draft');
export const reply = (text: string): PocketScript => steps(click('button', 'Reply'), write(text));

export const openMail = (row: string): PocketScript => steps(openApp('Mail'), doubleClick('row', row));

/** `to` is an address, or a name that only one contact has. The next text goes into the body. */
export const beginMail = (to: string, subject: string): PocketScript =>
  steps(
    openApp('Mail'),
    press('ctrl', 'n'),
    // Enter completes a name; a second one leaves the field.
    write(to.includes('@') ? `${to}\n` : `${to}\n\n`),
    write(`${subject}\n`),
  );

// Contacts

/** Scrolls a contact into sight. */
export const findContact = ({ name }: Contact): PocketScript =>
  steps(openApp('Contacts'), user => {
    const visible = user.world.contacts.find(each => user.find('listitem', each.name) !== undefined);
    scrollTo('listitem', name, visible?.name)(user);
  });

export const lookUp = (contact: Contact): PocketScript =>
  steps(findContact(contact), click('listitem', contact.name));

// Calendar

export const chooseDay = (date: string): PocketScript => steps(openApp('Calendar'), click('gridcell', date));

/** Fills in the time of an event's form, from the title field on. */
export function setTime(time: string): PocketScript {
  const [hour = '', minute = ''] = time.split(':');
  const setMinute = minute === '00' ? steps() : steps(press('tab'), write(minute));
  return steps(press('tab'), press('tab'), write(hour), setMinute);
}

/** Fills in and saves the form of a new event on the chosen day. */
export const newEvent = (title: string, time: string): PocketScript =>
  steps(press('ctrl', 'n'), write(title), setTime(time), press('enter'));

export const addEvent = ({ date, time, title }: Omit<CalendarEvent, 'id'>): PocketScript =>
  steps(chooseDay(date), newEvent(title, time));
