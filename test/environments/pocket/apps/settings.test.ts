// Settings: the effect of each control on the world and on the desktop.

import { describe, expect, test } from 'vitest';
import { emptyWorld, type PocketSettings } from '../../../../runtime/environments/pocket/world.ts';
import { Hand } from '../hand.ts';

function opened(page?: string, fill: (settings: PocketSettings) => void = () => {}): Hand {
  const hand = new Hand(world => fill(world.settings));
  hand.open('Settings');
  if (page !== undefined) hand.click(page, 'tab');
  return hand;
}

const changes = (hand: Hand): Partial<PocketSettings> => {
  const before: Record<string, unknown> = { ...emptyWorld().settings };
  return Object.fromEntries(
    Object.entries(hand.world.settings).filter(([name, value]) => before[name] !== value),
  );
};
const drag = (hand: Hand, slider: string, share: number): void => {
  const { box } = hand.element(slider, 'slider');
  hand.drag(hand.at(slider, 'slider'), { x: box.x + Math.round(share * (box.width - 1)), y: box.y + 4 });
};

describe('pages', () => {
  test('are selected by their tabs, one at a time', () => {
    const hand = opened('Sound');
    expect(hand.element('Sound', 'tab').states).toContain('selected');
    expect(hand.find('Volume', 'slider')).toBeDefined();
    expect(hand.find('Brightness', 'slider')).toBeUndefined();
  });

  test('change with the arrow keys on a tab, and with Ctrl+PageUp and Ctrl+PageDown anywhere', () => {
    const hand = opened();
    hand.keys('right');
    hand.keys('right');
    expect(hand.element('Network', 'tab').states).toEqual(['selected', 'focused']);
    hand.click('Bluetooth', 'checkbox');
    hand.keys('ctrl+pagedown');
    expect(hand.element('System', 'tab').states).toContain('selected');
    for (const _ of [1, 2, 3, 4]) hand.keys('ctrl+pageup');
    expect(hand.element('About', 'tab').states).toContain('selected');
  });
});

describe('controls', () => {
  test.each([
    ['Display', 'Night light', { nightLight: true }],
    ['Sound', 'Mute', { muted: true }],
    ['Sound', 'Show notifications', { notifications: false }],
    ['Network', 'Wi-Fi', { wifi: false }],
    ['Network', 'Bluetooth', { bluetooth: true }],
  ])('%s: the check box %s toggles only its setting', (page, name, expected) => {
    const hand = opened(page);
    hand.click(name, 'checkbox');
    expect(changes(hand)).toEqual(expected);
    hand.keys('space');
    expect(changes(hand)).toEqual({});
  });

  test.each([
    ['Display', 'Brightness', 'brightness'],
    ['Sound', 'Volume', 'volume'],
  ] as const)('%s: the slider %s follows the pointer, and keys move it by ten', (page, name, field) => {
    const hand = opened(page);
    drag(hand, name, 1);
    expect(hand.world.settings[field]).toBe(100);
    hand.keys('left');
    expect(hand.element(name, 'slider').value).toBe('90');
    hand.keys('home');
    hand.keys('right');
    expect(changes(hand)).toEqual({ [field]: 10 });
  });

  test('the theme changes at once', () => {
    const hand = opened();
    const before = hand.machine.surface.pixels.slice();
    hand.click('Dark', 'radio');
    expect(changes(hand)).toEqual({ theme: 'dark' });
    expect(hand.element('Dark', 'radio').states).toContain('selected');
    expect(hand.machine.surface.pixels).not.toEqual(before);
    hand.click('Light', 'radio');
    expect(changes(hand)).toEqual({});
  });

  test.each([
    ['Sound', 'Alert sound', 'Chime', { alertSound: 'Chime' }],
    ['System', 'Language', 'Deutsch', { language: 'Deutsch' }],
  ])('%s: %s is selected from a list', (page, name, choice, expected) => {
    const hand = opened(page);
    hand.click(name, 'dropdown');
    hand.click(choice, 'menuitem');
    expect(changes(hand)).toEqual(expected);
    expect(hand.element(name, 'dropdown').value).toBe(choice);
  });

  test('the time format applies to the clock in the task bar', () => {
    const hand = opened('System');
    expect(hand.find('10:24', 'label')).toBeDefined();
    hand.click('12 hours', 'radio');
    expect(hand.find('10:24 AM', 'label')).toBeDefined();
    expect(changes(hand)).toEqual({ timeFormat: '12h' });
  });
});

describe('networks', () => {
  test('a press connects to one network at a time', () => {
    const hand = opened('Network');
    hand.click('Library', 'listitem');
    expect(changes(hand)).toEqual({ network: 'Library' });
    expect(hand.names('alert')).toEqual(['Connected to Library']);
    const connected = hand.machine.elements().filter(({ value }) => value === 'Connected');
    expect(connected.map(({ name }) => name)).toEqual(['Library']);
  });

  test('cannot be selected while Wi-Fi is off', () => {
    const hand = opened('Network', settings => {
      settings.wifi = false;
    });
    expect(hand.element('Library', 'listitem').states).toEqual(['disabled']);
    hand.click('Library', 'listitem');
    expect(changes(hand)).toEqual({ wifi: false });
    expect(hand.names('alert')).toEqual([]);
  });
});

describe('the device name', () => {
  const write = (hand: Hand, name: string): void => {
    hand.click('Device name', 'textfield');
    hand.keys('ctrl+a');
    hand.type(name);
  };

  test('changes on Save or Enter', () => {
    const hand = opened('System');
    expect(hand.element('Save', 'button').states).toEqual(['disabled']);
    write(hand, ' heron ');
    expect(changes(hand)).toEqual({});
    hand.click('Save', 'button');
    expect(changes(hand)).toEqual({ deviceName: 'heron' });
    write(hand, 'stork\n');
    expect(changes(hand)).toEqual({ deviceName: 'stork' });
    hand.click('About', 'tab');
    expect(hand.find('Device name: stork', 'label')).toBeDefined();
  });

  test('cannot be empty', () => {
    const hand = opened('System');
    write(hand, '  \n');
    expect(hand.find('A device needs a name.', 'label')).toBeDefined();
    expect(changes(hand)).toEqual({});
  });

  test('is unchanged after Escape', () => {
    const hand = opened('System');
    write(hand, 'heron');
    hand.keys('esc');
    expect(hand.element('Device name', 'textfield').value).toBe('pocket');
  });
});

describe('reset', () => {
  const changed = (): Hand =>
    opened('System', settings => {
      Object.assign(settings, { volume: 90, deviceName: 'heron', timeFormat: '12h' });
    });

  test('resets everything after confirmation', () => {
    const hand = changed();
    hand.click('Reset all...', 'button');
    expect(Object.keys(changes(hand)).length).toBe(3);
    hand.click('Reset', 'button');
    expect(changes(hand)).toEqual({});
    expect(hand.element('Device name', 'textfield').value).toBe('pocket');
  });

  test.each(['esc', 'enter'])('does nothing after %s, because Cancel has the focus', key => {
    const hand = changed();
    hand.click('Reset all...', 'button');
    hand.keys(key);
    expect(hand.find('Reset all settings?', 'dialog')).toBeUndefined();
    expect(Object.keys(changes(hand)).length).toBe(3);
  });
});
