// Mail by mouse and keyboard: reading, sorting, search and writing.

import { beforeEach, describe, expect, test } from 'vitest';
import type { Mail, PocketWorld } from '../../../../runtime/environments/pocket/world.ts';
import { Hand } from '../hand.ts';

const OWN = 'me@pocket.example';

function filled(world: PocketWorld): void {
  world.contacts.push(
    { name: 'Ada Byron', phone: '+44 20 7946 0301', mail: 'ada@harbour.example', company: 'Harbour' },
    { name: 'Grace Okafor', phone: '+1 555 0142', mail: 'grace@lane.example', company: '' },
    { name: 'Tom Whitfield', phone: '', mail: '', company: '' },
  );
  const mail = (id: number, folder: Mail['folder'], from: string, subject: string, body: string): Mail => {
    const read = id !== 1;
    return {
      id,
      folder,
      from,
      to: from === OWN ? 'grace@lane.example' : OWN,
      subject,
      body,
      read,
      starred: false,
    };
  };
  world.mails.push(
    mail(1, 'Inbox', 'ada@harbour.example', 'Lunch', 'At noon?\nAda'),
    mail(2, 'Inbox', 'Zed <zed@post.example>', 'Invoice', 'Pay 20 by Monday.'),
    mail(3, 'Inbox', 'news@bus.example', 'Timetable', 'Line 4 leaves at 22:10.'),
    mail(4, 'Sent', OWN, 'Chairs', 'Which colour?'),
    mail(5, 'Drafts', OWN, 'Holiday', 'Dear Grace'),
    mail(6, 'Trash', 'spam@win.example', 'You won', 'Money!'),
  );
}

let hand: Hand;
const mailWith = (id: number): Mail => {
  const mail = hand.world.mails.find(each => each.id === id);
  if (mail === undefined) throw new Error(`Mail ${id} is gone.`);
  return mail;
};
const sent = (): Mail | undefined => hand.world.mails.findLast(mail => mail.folder === 'Sent');
const value = (name: string): string => hand.element(name).value;

beforeEach(() => {
  hand = new Hand(filled);
  hand.open('Mail');
});

describe('reading', () => {
  test('the inbox lists the newest mail first, with the names of contacts', () => {
    expect(hand.names('row')).toEqual(['news@bus.example, Timetable', 'Zed, Invoice', 'Ada Byron, Lunch']);
  });

  test('a press selects a mail and leaves it unread', () => {
    hand.click('Ada Byron, Lunch');
    expect(hand.element('Ada Byron, Lunch')).toMatchObject({ value: 'unread' });
    expect(hand.element('Ada Byron, Lunch').states).toContain('selected');
    expect(mailWith(1).read).toBe(false);
  });

  test('a double click opens a mail and marks it as read', () => {
    expect(value('Inbox')).toBe('1 unread');
    hand.double('Ada Byron, Lunch');
    expect(value('Mail text')).toBe('At noon?\nAda');
    expect(mailWith(1).read).toBe(true);
    expect(value('Inbox')).toBe('');
    hand.click('Back');
    expect(hand.find('Mail text', 'document')).toBeUndefined();
  });

  test('Next and the arrow keys step through the list', () => {
    hand.keys('down');
    hand.keys('enter');
    expect(hand.find('Timetable - Mail', 'window')).toBeDefined();
    hand.click('Next');
    expect(hand.find('Invoice - Mail', 'window')).toBeDefined();
    hand.keys('down');
    expect(hand.find('Lunch - Mail', 'window')).toBeDefined();
    expect(hand.element('Next').states).toContain('disabled');
    hand.keys('esc');
    expect(hand.element('Ada Byron, Lunch').states).toContain('selected');
  });

  test('another application can open a mail', () => {
    hand.machine.open('mail', 'mail:4');
    expect(value('Mail text')).toBe('Which colour?');
    expect(hand.element('Sent').states).toContain('selected');
  });

  test('the text of a mail can be copied', () => {
    hand.double('Zed, Invoice');
    hand.right('Mail text', 'document');
    hand.click('Copy text');
    expect(hand.machine.shell.ui.clipboard).toBe('Pay 20 by Monday.');
  });
});

describe('sorting out', () => {
  test('a press and a key toggle the star', () => {
    hand.click('Star Invoice');
    expect(mailWith(2).starred).toBe(true);
    expect(hand.element('Star Invoice').states).toContain('checked');
    hand.click('Zed, Invoice');
    hand.keys('ctrl+d');
    expect(mailWith(2).starred).toBe(false);
  });

  test('a right click marks as read and unread', () => {
    hand.right('Ada Byron, Lunch');
    hand.click('Mark as read');
    expect(mailWith(1).read).toBe(true);
    hand.right('Ada Byron, Lunch');
    hand.click('Mark as unread');
    expect(mailWith(1).read).toBe(false);
  });

  test('dragging onto a folder and the menu move a mail', () => {
    hand.drag(hand.at('Zed, Invoice'), hand.at('Sent'));
    expect(mailWith(2).folder).toBe('Sent');
    hand.right('Ada Byron, Lunch');
    hand.click('Move to Drafts');
    expect(mailWith(1).folder).toBe('Drafts');
    expect(hand.names('row')).toEqual(['news@bus.example, Timetable']);
  });

  test('deleting moves to the Trash and selects the next mail', () => {
    hand.click('Zed, Invoice');
    hand.click('Delete');
    expect(mailWith(2).folder).toBe('Trash');
    expect(hand.element('Ada Byron, Lunch').states).toContain('selected');
  });

  test('deleting in the Trash asks and erases', () => {
    hand.click('Trash');
    hand.click('spam@win.example, You won');
    hand.keys('delete');
    expect(mailWith(6)).toBeDefined();
    hand.keys('esc');
    hand.keys('delete');
    hand.click('Delete for good');
    expect(hand.world.mails.map(mail => mail.id)).toEqual([1, 2, 3, 4, 5]);
  });

  test('the menu of the Trash empties it', () => {
    hand.right('Trash');
    hand.click('Empty Trash...');
    hand.click('Empty Trash', 'button');
    expect(hand.world.mails.some(mail => mail.folder === 'Trash')).toBe(false);
  });

  test('column heads sort, and a second press reverses', () => {
    hand.click('Subject');
    expect(hand.names('row')).toEqual(['Zed, Invoice', 'Ada Byron, Lunch', 'news@bus.example, Timetable']);
    hand.click('Subject');
    expect(value('Subject')).toBe('descending');
    expect(hand.names('row')[0]).toBe('news@bus.example, Timetable');
    hand.click('From');
    expect(hand.names('row')[0]).toBe('Ada Byron, Lunch');
  });

  test.each([
    ['ada byron', ['Ada Byron, Lunch']],
    ['INVOICE', ['Zed, Invoice']],
    ['22:10', ['news@bus.example, Timetable']],
    ['nonsense', []],
  ])('a search for %s covers sender, subject and text', (query, found) => {
    hand.keys('ctrl+f');
    hand.type(query);
    expect(hand.names('row')).toEqual(found);
    hand.keys('esc');
    expect(hand.names('row')).toHaveLength(3);
  });
});

describe('writing', () => {
  test('a mail is written field by field and sent from the own address', () => {
    hand.click('New');
    hand.type('grace@lane.example\n');
    hand.type('Boat\n');
    hand.type('It is ready.\nBye');
    hand.click('Send');
    expect(sent()).toEqual({
      id: 7,
      folder: 'Sent',
      from: OWN,
      to: 'grace@lane.example',
      subject: 'Boat',
      body: 'It is ready.\nBye',
      read: true,
      starred: false,
    });
    expect(hand.find('Mail sent', 'alert')).toBeDefined();
  });

  test('recipients can be chosen from contacts with an address', () => {
    hand.click('New');
    hand.click('To...');
    expect(hand.names('menuitem')).toEqual(['Ada Byron', 'Grace Okafor']);
    hand.click('Ada Byron');
    hand.click('To...');
    hand.click('Grace Okafor');
    expect(value('To')).toBe('ada@harbour.example, grace@lane.example');
  });

  test('Enter completes a name that only one contact matches', () => {
    hand.keys('ctrl+n');
    hand.type('oka');
    hand.keys('enter');
    expect(value('To')).toBe('grace@lane.example');
    expect(hand.element('To').states).toContain('focused');
  });

  test.each([
    ['', 'Enter an address in To.'],
    ['ada', "'ada' is not a mail address."],
    ['ada@harbour.example, bob@', "'bob@' is not a mail address."],
  ])('a mail to %j is rejected with a reason', (to, why) => {
    hand.click('New');
    hand.type(to);
    hand.click('Send');
    expect(hand.find(why, 'label')).toBeDefined();
    expect(hand.world.mails).toHaveLength(6);
  });

  test('sending without a subject asks first', () => {
    hand.machine.open('mail', 'new:ada@harbour.example');
    expect(value('To')).toBe('ada@harbour.example');
    hand.keys('ctrl+enter');
    expect(sent()?.id).toBe(4);
    hand.click('Send anyway');
    expect(sent()).toMatchObject({ id: 7, to: 'ada@harbour.example', subject: '' });
  });

  test('a reply goes to the sender, above the quoted mail', () => {
    hand.double('Zed, Invoice');
    hand.click('Reply');
    hand.type('Done.');
    hand.click('Send');
    expect(sent()).toMatchObject({
      to: 'zed@post.example',
      subject: 'Re: Invoice',
      body: 'Done.\n\nZed wrote:\n> Pay 20 by Monday.',
    });
  });

  test('a forwarded mail contains its text', () => {
    hand.click('Zed, Invoice');
    hand.click('Forward');
    hand.type('ada@harbour.example');
    hand.click('Send');
    expect(sent()).toMatchObject({ to: 'ada@harbour.example', subject: 'Fwd: Invoice' });
    expect(sent()?.body).toContain('Pay 20 by Monday.');
  });

  test('a draft is stored, continued and sent as one mail', () => {
    hand.click('New');
    hand.type('ada@harbour.example\nPier');
    hand.click('Save draft');
    expect(mailWith(7)).toMatchObject({ folder: 'Drafts', to: 'ada@harbour.example', subject: 'Pier' });
    hand.click('Drafts');
    hand.double('Ada Byron, Pier');
    hand.type('More');
    hand.click('Send');
    expect(mailWith(7)).toMatchObject({ folder: 'Sent', body: 'More' });
    expect(hand.world.mails).toHaveLength(7);
  });

  test('discarding asks only after changes', () => {
    hand.click('New');
    hand.click('Discard');
    expect(hand.find('New')).toBeDefined();
    hand.click('New');
    hand.type('ada');
    hand.click('Discard');
    hand.click('Cancel');
    expect(value('To')).toBe('ada');
    hand.click('Discard');
    hand.click('Discard it');
    expect(hand.find('New')).toBeDefined();
    expect(hand.world.mails).toHaveLength(6);
  });

  test('blank lines at the end are neither stored nor a change', () => {
    mailWith(1).body = 'At noon?\n';
    hand.click('Ada Byron, Lunch');
    hand.click('Reply');
    hand.click('Discard');
    expect(hand.find('Body')).toBeUndefined();
    hand.click('New', 'button');
    hand.type('grace@lane.example\nTea\nAt four\n\n');
    hand.click('Send');
    expect(sent()).toMatchObject({ subject: 'Tea', body: 'At four' });
  });

  test('closing the window asks, and can keep a draft', () => {
    hand.click('New');
    hand.type('ada');
    hand.click('Close');
    hand.click('Keep draft');
    expect(mailWith(7)).toMatchObject({ folder: 'Drafts', to: 'ada' });
    expect(hand.names('window')).toEqual([]);
  });

  test('a written mail becomes a draft when another application starts a mail', () => {
    hand.click('New');
    hand.type('ada');
    hand.machine.open('mail', 'new:grace@lane.example');
    expect(mailWith(7)).toMatchObject({ folder: 'Drafts', to: 'ada' });
    expect(value('To')).toBe('grace@lane.example');
  });
});
