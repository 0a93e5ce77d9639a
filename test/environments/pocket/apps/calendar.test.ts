// Calendar by mouse and keyboard: how it shows and changes the world's events.

import { describe, expect, test } from 'vitest';
import { Hand } from '../hand.ts';

const DENTIST = { id: 1, date: '2026-03-12', time: '15:30', title: 'Dentist' };
const STANDUP = { id: 2, date: '2026-03-12', time: '09:00', title: 'Stand-up' };
const LUNCH = { id: 3, date: '2026-04-02', time: '12:15', title: 'Lunch' };

function opened(now = '2026-03-12 10:24'): Hand {
  const hand = new Hand(world => {
    world.now = now;
    world.events = [DENTIST, STANDUP, LUNCH].map(event => ({ ...event }));
  });
  hand.open('Calendar');
  return hand;
}

const chosen = (hand: Hand) =>
  hand.machine.elements().find(({ role, states }) => role === 'gridcell' && states.includes('selected'))
    ?.name;
const fill = (hand: Hand, field: string, text: string): void => {
  hand.click(field, 'textfield');
  hand.keys('ctrl+a');
  hand.type(text);
};

describe('the month', () => {
  test('is the current one, with today marked and selected', () => {
    const hand = opened();
    expect(hand.find('March 2026', 'label')).toBeDefined();
    expect(hand.element('2026-03-12').value).toBe('today, 2 events');
    expect(chosen(hand)).toBe('2026-03-12');
  });

  test('starts on Monday and includes the days around it', () => {
    const days = opened().names('gridcell');
    expect(days.length).toBe(42);
    expect([days[0], days.at(-1)]).toEqual(['2026-02-23', '2026-04-05']);
  });

  test('shows the number of events of each day', () => {
    expect(opened().element('2026-04-02').value).toBe('1 event');
  });

  test('has a leap day in leap years only', () => {
    expect(opened('2028-02-10 08:00').names('gridcell')).toContain('2028-02-29');
    expect(opened('2026-02-10 08:00').names('gridcell')).not.toContain('2026-02-29');
  });

  test('changes with its arrows, keys, the wheel and the menu', () => {
    const hand = opened();
    hand.click('Next month', 'button');
    expect(hand.find('April 2026', 'label')).toBeDefined();
    hand.click('Previous month', 'button');
    hand.keys('pageup');
    expect(hand.find('February 2026', 'label')).toBeDefined();
    hand.scroll('2026-02-14', 'down', 5);
    expect(hand.find('March 2026', 'label')).toBeDefined();
    hand.click('Go', 'menu');
    hand.click('Next month', 'menuitem');
    expect(hand.find('April 2026', 'label')).toBeDefined();
    hand.click('Today', 'button');
    expect(chosen(hand)).toBe('2026-03-12');
  });

  test('a shorter month selects its last day', () => {
    const hand = opened('2026-01-31 09:00');
    hand.keys('pagedown');
    expect(chosen(hand)).toBe('2026-02-28');
  });

  test('the arrow keys move by days, across months', () => {
    const hand = opened();
    for (const key of ['right', 'down', 'down', 'down']) hand.keys(key);
    expect(chosen(hand)).toBe('2026-04-03');
    expect(hand.find('April 2026', 'label')).toBeDefined();
    for (const key of ['left', 'up']) hand.keys(key);
    expect(chosen(hand)).toBe('2026-03-26');
  });

  test('Tab passes the month in one step', () => {
    const hand = opened();
    hand.click('2026-03-20');
    hand.keys('tab');
    expect(hand.element('2026-03-20').states).not.toContain('focused');
    hand.keys('shift+tab');
    expect(hand.element('2026-03-20').states).toContain('focused');
  });
});

describe('going to a date', () => {
  test('shows it', () => {
    const hand = opened();
    hand.keys('ctrl+g');
    hand.type('2031-12-24\n');
    expect(hand.find('December 2031', 'label')).toBeDefined();
    expect(chosen(hand)).toBe('2031-12-24');
  });

  test('rejects a date that does not exist', () => {
    const hand = opened();
    hand.click('Go', 'menu');
    hand.click('Go to date...', 'menuitem');
    hand.type('2026-02-29');
    hand.click('Go', 'button');
    expect(hand.find('Go to date', 'dialog')).toBeDefined();
    expect(hand.names('label').some(name => name.startsWith('No such date'))).toBe(true);
    hand.keys('esc');
    expect(chosen(hand)).toBe('2026-03-12');
  });
});

describe('a day', () => {
  test('lists its events by time', () => {
    expect(opened().names('listitem')).toEqual(['09:00 Stand-up', '15:30 Dentist']);
  });

  test('formats times as the settings ask, with the same element names', () => {
    const hand = opened();
    hand.world.settings.timeFormat = '12h';
    hand.keys('right');
    expect(hand.find('10:24 AM', 'label')).toBeDefined();
    hand.keys('left');
    expect(hand.names('listitem')).toEqual(['09:00 Stand-up', '15:30 Dentist']);
  });

  test('the arrow keys select its events', () => {
    const hand = opened();
    hand.click('09:00 Stand-up');
    hand.keys('down');
    expect(hand.element('15:30 Dentist').states).toEqual(['selected', 'focused']);
    expect(chosen(hand)).toBe('2026-03-12');
  });
});

describe('a new event', () => {
  test('is added on the selected day at the chosen time', () => {
    const hand = opened();
    hand.click('2026-03-20');
    hand.click('New event...', 'button');
    hand.type('Flight');
    hand.click('Hour up', 'button');
    hand.click('Minute up', 'button');
    hand.click('Minute up', 'button');
    hand.click('Save', 'button');
    expect(hand.world.events.at(-1)).toEqual({ id: 4, date: '2026-03-20', time: '10:10', title: 'Flight' });
    expect(hand.names('listitem')).toEqual(['10:10 Flight']);
    expect(hand.names('alert')).toEqual(['Event added']);
  });

  test('can be added with the keyboard on another date', () => {
    const hand = opened();
    hand.keys('ctrl+n');
    hand.type('Flight');
    hand.keys('tab');
    hand.keys('ctrl+a');
    hand.type('2026-5-1');
    hand.keys('tab');
    hand.type('18');
    hand.keys('tab');
    hand.type('45');
    hand.keys('enter');
    expect(hand.world.events.at(-1)).toMatchObject({ date: '2026-05-01', time: '18:45', title: 'Flight' });
    expect(hand.find('May 2026', 'label')).toBeDefined();
  });

  test('its time can be typed digit by digit, and starts anew after a change of focus', () => {
    const hand = opened();
    hand.keys('ctrl+n');
    const time = () => ['Hour', 'Minute'].map(name => hand.element(name, 'spinner').value).join(':');
    const typed = (field: string, ...digits: readonly string[]): string => {
      hand.click(field, 'spinner');
      for (const digit of digits) hand.type(digit);
      return time();
    };
    expect(typed('Hour', '1', '5')).toBe('15:00');
    expect(typed('Minute', '4', '5')).toBe('15:45');
    expect(typed('Hour', '1')).toBe('01:45');
    hand.keys('tab');
    hand.keys('shift+tab');
    hand.type('5');
    expect(time()).toBe('05:45');
    expect(typed('Hour', '0', '9', '2')).toBe('02:45');
    hand.keys('up');
    hand.type('2');
    hand.scroll('Minute', 'down', 1);
    expect(time()).toBe('02:40');
    hand.scroll('Hour', 'down', 1);
    hand.type('2');
    expect(time()).toBe('02:40');
  });

  test('starts with a double click on its day', () => {
    const hand = opened();
    hand.double('2026-04-03');
    expect(hand.element('Date', 'textfield').value).toBe('2026-04-03');
  });

  test.each([
    ['Title', '   ', 'An event needs a title.'],
    ['Date', '2026-02-30', 'No such date. Write it as 2026-03-12.'],
  ])('is rejected while its %s is %j', (field, text, fault) => {
    const hand = opened();
    hand.keys('ctrl+n');
    fill(hand, 'Title', 'Flight');
    fill(hand, field, text);
    hand.click('Save', 'button');
    expect(hand.names('label')).toContain(fault);
    expect(hand.world.events.length).toBe(3);
    hand.click('Cancel', 'button');
    expect(hand.find('New event', 'dialog')).toBeUndefined();
    expect(hand.world.events.length).toBe(3);
  });
});

describe('an event', () => {
  test('opens for editing with a double click', () => {
    const hand = opened();
    hand.double('15:30 Dentist');
    expect(['Title', 'Date'].map(name => hand.element(name, 'textfield').value)).toEqual([
      'Dentist',
      '2026-03-12',
    ]);
    expect(['Hour', 'Minute'].map(name => hand.element(name, 'spinner').value)).toEqual(['15', '30']);
    fill(hand, 'Title', 'Doctor\n');
    expect(hand.world.events).toEqual([{ ...DENTIST, title: 'Doctor' }, STANDUP, LUNCH]);
  });

  test('opens for editing with its menu, F2 and its button; only Save changes it', () => {
    for (const begin of [
      (hand: Hand) => {
        hand.right('09:00 Stand-up');
        hand.click('Edit event...', 'menuitem');
      },
      (hand: Hand) => {
        hand.click('09:00 Stand-up');
        hand.keys('f2');
      },
      (hand: Hand) => {
        hand.click('09:00 Stand-up');
        hand.click('Edit...', 'button');
      },
    ]) {
      const hand = opened();
      begin(hand);
      fill(hand, 'Title', 'Something else');
      hand.keys('esc');
      expect(hand.world.events).toEqual([DENTIST, STANDUP, LUNCH]);
    }
  });

  test('is deleted only after a question', () => {
    const hand = opened();
    hand.click('15:30 Dentist');
    hand.keys('delete');
    hand.click('Cancel', 'button');
    expect(hand.world.events.length).toBe(3);
    hand.click('Delete...', 'button');
    hand.click('Delete', 'button');
    expect(hand.world.events).toEqual([STANDUP, LUNCH]);
  });

  test('moves to the day it is dropped on and keeps its time', () => {
    const hand = opened();
    hand.drag(hand.at('15:30 Dentist'), hand.at('2026-04-01'));
    expect(hand.world.events).toEqual([{ ...DENTIST, date: '2026-04-01' }, STANDUP, LUNCH]);
    expect(hand.names('alert')).toEqual(['Moved to Wed 1 April']);
    expect(hand.names('listitem')).toEqual(['09:00 Stand-up']);
  });

  test('stays on its day if dropped elsewhere', () => {
    const hand = opened();
    hand.drag(hand.at('15:30 Dentist'), hand.at('March 2026'));
    expect(hand.world.events).toEqual([DENTIST, STANDUP, LUNCH]);
  });

  test('cannot be edited or deleted without a selection', () => {
    const hand = opened();
    for (const name of ['Edit...', 'Delete...'])
      expect(hand.element(name, 'button').states).toEqual(['disabled']);
    hand.keys('delete');
    hand.keys('f2');
    expect(hand.names('dialog')).toEqual([]);
  });
});
