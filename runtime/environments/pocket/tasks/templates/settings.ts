// Tasks about settings.

import { ALERT_SOUNDS, LANGUAGES } from '../../world.ts';
import { toConnect, toNameDevice, toTurn, toUseAlertSound, toUseLanguage, toUseTheme } from '../phrases.ts';
import type { ScriptedUser } from '../scripted-user.ts';
import { all, infeasible, onlyChanged, type PocketTemplate, stateIs } from '../template.ts';

const APPS = ['settings'];
const open = [{ app: 'settings' }];
const page = (hand: ScriptedUser, name: string) => hand.click('tab', name);

/** A check box on a page of Settings. */
const toggle = (
  id: string,
  tab: string,
  name: string,
  field: 'nightLight' | 'muted' | 'bluetooth' | 'notifications',
): PocketTemplate => ({
  id: `settings-${id}`,
  tier: 1,
  apps: APPS,
  make: draw => {
    const on = draw.chance(0.5);
    const { settings, ...world } = draw.world();
    return {
      instruction: draw.say(...toTurn(name, on)),
      world: { ...world, settings: { ...settings, [field]: !on } },
      open,
      evaluator: all(stateIs(`settings.${field}`, on), onlyChanged(`settings.${field}`)),
      solve: hand => {
        if (tab !== 'Display') page(hand, tab);
        hand.click('checkbox', name);
      },
      misses: {
        'done and then undone': hand => {
          if (tab !== 'Display') page(hand, tab);
          hand.click('checkbox', name);
          hand.click('checkbox', name);
        },
        'another box as well': hand => {
          page(hand, 'Network');
          hand.click('checkbox', 'Wi-Fi');
          page(hand, tab);
          hand.click('checkbox', name);
        },
      },
    };
  },
});

const theme: PocketTemplate = {
  id: 'settings-theme',
  tier: 1,
  apps: APPS,
  make: draw => {
    const wanted = draw.one(['light', 'dark'] as const);
    const { settings, ...world } = draw.world();
    const [name, other] = wanted === 'dark' ? ['Dark', 'Light'] : ['Light', 'Dark'];
    return {
      instruction: draw.say(...toUseTheme(wanted)),
      world: { ...world, settings: { ...settings, theme: wanted === 'dark' ? 'light' : 'dark' } },
      open,
      evaluator: all(stateIs('settings.theme', wanted), onlyChanged('settings.theme')),
      solve: hand => hand.click('radio', name),
      misses: { 'the theme it had': hand => hand.click('radio', other) },
    };
  },
};

const sound: PocketTemplate = {
  id: 'settings-alert-sound',
  tier: 2,
  apps: APPS,
  make: draw => {
    const [before = 'Bell', wanted = 'Chime', other = 'Drop'] = draw.some(ALERT_SOUNDS, 3);
    const { settings, ...world } = draw.world();
    const pick = (choice: string) => (hand: ScriptedUser) => {
      page(hand, 'Sound');
      hand.click('dropdown', 'Alert sound');
      hand.click('menuitem', choice);
    };
    return {
      instruction: draw.say(...toUseAlertSound(wanted)),
      world: { ...world, settings: { ...settings, alertSound: before } },
      open,
      evaluator: all(stateIs('settings.alertSound', wanted), onlyChanged('settings.alertSound')),
      solve: pick(wanted),
      misses: { 'another sound': pick(other) },
    };
  },
};

const language: PocketTemplate = {
  id: 'settings-language',
  tier: 2,
  apps: APPS,
  make: draw => {
    const [before = 'English', wanted = 'Deutsch', other = 'Italiano'] = draw.some(LANGUAGES, 3);
    const { settings, ...world } = draw.world();
    const pick = (choice: string) => (hand: ScriptedUser) => {
      hand.open('Settings');
      page(hand, 'System');
      hand.click('dropdown', 'Language');
      hand.click('menuitem', choice);
    };
    return {
      instruction: draw.say(...toUseLanguage(wanted)),
      world: { ...world, settings: { ...settings, language: before } },
      evaluator: all(stateIs('settings.language', wanted), onlyChanged('settings.language')),
      solve: pick(wanted),
      misses: { 'another language': pick(other) },
    };
  },
};

const deviceName: PocketTemplate = {
  id: 'settings-device-name',
  tier: 2,
  apps: APPS,
  make: draw => {
    const [before, wanted] = [draw.fresh(draw.words.thing), draw.fresh(draw.words.thing)];
    const { settings, ...world } = draw.world();
    const write = (hand: ScriptedUser) => {
      page(hand, 'System');
      hand.fill('textfield', 'Device name', wanted);
    };
    return {
      instruction: draw.say(...toNameDevice(wanted)),
      world: { ...world, settings: { ...settings, deviceName: before } },
      open,
      evaluator: all(stateIs('settings.deviceName', wanted), onlyChanged('settings.deviceName')),
      solve: hand => {
        write(hand);
        hand.click('button', 'Save');
      },
      misses: {
        'written but not saved': write,
        'added to the old name': hand => {
          page(hand, 'System');
          hand.click('textfield', 'Device name');
          hand.keys('end');
          hand.type(`${wanted}\n`);
        },
      },
    };
  },
};

const network: PocketTemplate = {
  id: 'settings-network',
  tier: 2,
  apps: APPS,
  make: draw => {
    const [before = 'Orchard', wanted = 'Library', other = 'Guest'] = draw.some(
      ['Orchard', 'Harbour', 'Library', 'Guest'],
      3,
    );
    const { settings, ...world } = draw.world();
    const connect = (name: string) => (hand: ScriptedUser) => {
      page(hand, 'Network');
      hand.click('checkbox', 'Wi-Fi');
      hand.click('listitem', name);
    };
    return {
      instruction: draw.say(...toConnect(wanted)),
      world: { ...world, settings: { ...settings, wifi: false, network: before } },
      open,
      evaluator: all(
        stateIs('settings.wifi', true),
        stateIs('settings.network', wanted),
        onlyChanged('settings.wifi', 'settings.network'),
      ),
      solve: connect(wanted),
      misses: {
        'another network': connect(other),
        'Wi-Fi left off': hand => {
          page(hand, 'Network');
          hand.click('listitem', wanted);
        },
      },
    };
  },
};

/** What no page of Settings has. */
const NOWHERE = {
  train: ['screen saver', 'printer', 'fingerprint lock', 'second monitor', 'keyboard layout'],
  test: ['webcam', 'screen reader', 'energy saver', 'touchpad', 'firewall'],
} as const;

const impossible: PocketTemplate = {
  id: 'settings-infeasible',
  tier: 1,
  apps: APPS,
  make: draw => {
    const thing = draw.one(draw.isTest ? NOWHERE.test : NOWHERE.train);
    return {
      instruction: draw.say(`Set up the ${thing} in Settings.`, `Turn on the ${thing}.`),
      world: draw.world(),
      open,
      evaluator: infeasible(),
      solve: () => undefined,
      misses: { 'something else instead': hand => hand.click('checkbox', 'Night light') },
    };
  },
};

export const SETTINGS: readonly PocketTemplate[] = [
  toggle('night-light', 'Display', 'Night light', 'nightLight'),
  toggle('mute', 'Sound', 'Mute', 'muted'),
  toggle('bluetooth', 'Network', 'Bluetooth', 'bluetooth'),
  toggle('notifications', 'Sound', 'Show notifications', 'notifications'),
  theme,
  sound,
  language,
  deviceName,
  network,
  impossible,
];
