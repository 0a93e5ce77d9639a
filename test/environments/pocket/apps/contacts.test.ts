// Contacts by mouse and keyboard: search, editing, and the links to Mail.

import { beforeEach, describe, expect, test } from 'vitest';
import { Hand } from '../hand.ts';

let hand: Hand;
const names = (): readonly string[] => hand.world.contacts.map(contact => contact.name);

beforeEach(() => {
  hand = new Hand(({ contacts, mails }) => {
    contacts.push(
      { name: 'Grace Okafor', phone: '+1 555 0142', mail: 'grace@lane.example', company: 'Orchard Lane' },
      { name: 'Ada Byron', phone: '+44 20 7946 0301', mail: 'ada@harbour.example', company: 'Harbour' },
      { name: 'Tom Whitfield', phone: '', mail: '', company: '' },
    );
    const mail = { folder: 'Inbox', to: 'me@pocket.example', body: '', read: true, starred: false } as const;
    mails.push({ ...mail, id: 1, from: 'ada@harbour.example', subject: 'Grace?' });
    mails.push({ ...mail, id: 2, from: 'zed@post.example', subject: 'Hello' });
  });
  hand.open('Contacts');
});

describe('finding', () => {
  test('contacts are sorted by name', () => {
    expect(hand.names('listitem')).toEqual(['Ada Byron', 'Grace Okafor', 'Tom Whitfield']);
  });

  test.each([
    ['okafor', ['Grace Okafor']],
    ['7946', ['Ada Byron']],
    ['lane', ['Grace Okafor']],
    ['nobody', []],
  ])('a search for %s covers all fields', (query, found) => {
    hand.click('Search');
    hand.type(query);
    expect(hand.names('listitem')).toEqual(found);
    hand.keys('esc');
    expect(hand.names('listitem')).toHaveLength(3);
  });

  test('the selected contact is shown beside the list, and arrow keys select the next', () => {
    hand.click('Ada Byron', 'listitem');
    expect(hand.names('label')).toEqual(expect.arrayContaining(['+44 20 7946 0301', 'ada@harbour.example']));
    hand.keys('down');
    expect(hand.names('label')).toContain('+1 555 0142');
    expect(hand.element('Grace Okafor', 'listitem').states).toEqual(['selected', 'focused']);
  });
});

describe('changing', () => {
  test('a new contact is filled in and saved', () => {
    hand.keys('ctrl+n');
    hand.type('Bea Lund');
    hand.keys('tab');
    hand.type('+45 1234');
    hand.keys('tab');
    hand.type('bea@lund.example');
    hand.click('Save');
    expect(hand.world.contacts.at(-1)).toEqual({
      name: 'Bea Lund',
      phone: '+45 1234',
      mail: 'bea@lund.example',
      company: '',
    });
    expect(hand.element('Bea Lund', 'listitem').states).toContain('selected');
  });

  test('editing changes the contact, Cancel leaves it', () => {
    hand.click('Grace Okafor', 'listitem');
    hand.click('Edit');
    hand.type(' Bell');
    hand.keys('esc');
    expect(names()).toContain('Grace Okafor');
    hand.keys('f2');
    hand.type(' Bell\n');
    expect(names()).toEqual(['Grace Okafor Bell', 'Ada Byron', 'Tom Whitfield']);
  });

  test.each([
    ['Name', '', 'A contact needs a name.'],
    ['Phone', 'call me', 'This is not a phone number.'],
    ['Mail', 'ada@', 'This is not a mail address.'],
  ])('%s cannot be %j', (field, text, why) => {
    hand.click('Ada Byron', 'listitem');
    hand.click('Edit');
    hand.click(field, 'textfield');
    hand.keys('ctrl+a');
    hand.keys('backspace');
    hand.type(text);
    hand.click('Save');
    expect(hand.find(why, 'label')).toBeDefined();
    expect(hand.element(field, 'textfield').states).toContain('focused');
    hand.click('Cancel');
    expect(hand.world.contacts[1]).toMatchObject({ name: 'Ada Byron', mail: 'ada@harbour.example' });
  });

  test.each(['f2', 'delete'])('%s and the menu do not act on a contact that the search hides', stroke => {
    hand.click('Ada Byron', 'listitem');
    hand.click('Search');
    hand.type('nobody');
    // The empty list has the focus.
    hand.keys('tab');
    hand.keys(stroke);
    expect(hand.names('dialog')).toEqual([]);
    hand.click('Contact', 'menu');
    expect(hand.names('menuitem')).toEqual(['New contact...', 'Find']);
  });

  test('deleting asks first', () => {
    hand.click('Tom Whitfield', 'listitem');
    hand.click('Delete');
    hand.click('Cancel');
    expect(names()).toHaveLength(3);
    hand.keys('delete');
    hand.click('Delete contact');
    expect(names()).toEqual(['Grace Okafor', 'Ada Byron']);
  });
});

describe('together with Mail', () => {
  test('Write mail starts a mail to a contact with an address', () => {
    hand.click('Tom Whitfield', 'listitem');
    expect(hand.element('Write mail').states).toContain('disabled');
    hand.click('Ada Byron', 'listitem');
    hand.click('Write mail');
    expect(hand.element('To', 'textfield').value).toBe('ada@harbour.example');
    expect(hand.element('Subject', 'textfield').states).toContain('focused');
  });

  test('a copied number can be pasted into a reply', () => {
    hand.open('Mail');
    hand.click('Ada Byron, Grace?');
    hand.click('Reply');
    hand.click('Contacts', 'button');
    hand.right('Grace Okafor', 'listitem');
    hand.click('Copy phone');
    hand.click('Mail', 'button');
    hand.click('Body');
    hand.keys('ctrl+home');
    hand.keys('ctrl+v');
    hand.click('Send');
    expect(hand.world.mails.at(-1)?.body).toMatch(/^\+1 555 0142\n/);
  });

  test('the sender of a mail can be shown or added', () => {
    hand.open('Mail');
    hand.right('Ada Byron, Grace?');
    hand.click('Show in Contacts');
    expect(hand.element('Ada Byron', 'listitem').states).toContain('selected');
    hand.click('Mail', 'button');
    hand.right('zed@post.example, Hello');
    hand.click('Add to Contacts...');
    hand.type('Zed\n');
    expect(hand.world.contacts.at(-1)).toMatchObject({ name: 'Zed', mail: 'zed@post.example' });
  });
});
