// Tasks about settings.

import { ALERT_SOUNDS, LANGUAGES } from '../../world.ts';
import { all, onlyChanged, stateIs } from '../conditions.ts';
import {
  CHECKBOXES,
  connect,
  nameDevice,
  turn,
  useAlertSound,
  useLanguage,
  useTheme,
} from '../outcomes/settings.ts';
import { click, fill, openApp, press, steps, write } from '../scripted-user.ts';
import { inFront, withSettings } from '../starting-world.ts';
import { type PocketTemplate, template } from '../template.ts';

const apps = ['settings'];
const open = inFront('settings');
const page = (name: string) => click('tab', name);

const settingIs = (field: string, value: unknown) =>
  all(stateIs(`settings.${field}`, value), onlyChanged(`settings.${field}`));

const checkbox = (field: keyof typeof CHECKBOXES): PocketTemplate => {
  const { kind, tab, label } = CHECKBOXES[field];
  const press = steps(tab === 'Display' ? steps() : page(tab), click('checkbox', label));
  return template(kind, { tier: 1, apps }, draw => {
    const on = draw.chance(0.5);
    const world = draw.world();
    return {
      instruction: draw.phrase(...turn(field, on).ways),
      world: withSettings(world, { [field]: !on }),
      open,
      evaluator: settingIs(field, on),
      solve: press,
      misses: {
        'done and then undone': steps(press, click('checkbox', label)),
        'another box as well': steps(
          page('Network'),
          click('checkbox', 'Wi-Fi'),
          page(tab),
          click('checkbox', label),
        ),
      },
    };
  });
};

/** What Settings does not have. */
const MISSING = {
  train: ['screen saver', 'printer', 'fingerprint lock', 'second monitor', 'keyboard layout'],
  test: ['webcam', 'screen reader', 'energy saver', 'touchpad', 'firewall'],
} as const;

export const SETTINGS: readonly PocketTemplate[] = [
  checkbox('nightLight'),
  checkbox('muted'),
  checkbox('bluetooth'),
  checkbox('notifications'),

  template('settings-theme', { tier: 1, apps }, draw => {
    const wanted = draw.pick(['light', 'dark'] as const);
    const world = draw.world();
    const [name, other] = wanted === 'dark' ? ['Dark', 'Light'] : ['Light', 'Dark'];
    return {
      instruction: draw.phrase(...useTheme(wanted).ways),
      world: withSettings(world, { theme: wanted === 'dark' ? 'light' : 'dark' }),
      open,
      evaluator: settingIs('theme', wanted),
      solve: click('radio', name),
      misses: { 'the theme it had': click('radio', other) },
    };
  }),

  template('settings-alert-sound', { tier: 2, apps }, draw => {
    const [before, wanted, other] = draw.sample(ALERT_SOUNDS, 3);
    const world = draw.world();
    const choose = (sound: string) =>
      steps(page('Sound'), click('dropdown', 'Alert sound'), click('menuitem', sound));
    return {
      instruction: draw.phrase(...useAlertSound(wanted).ways),
      world: withSettings(world, { alertSound: before }),
      open,
      evaluator: settingIs('alertSound', wanted),
      solve: choose(wanted),
      misses: { 'another sound': choose(other) },
    };
  }),

  template('settings-language', { tier: 2, apps }, draw => {
    const [before, wanted, other] = draw.sample(LANGUAGES, 3);
    const world = draw.world();
    const choose = (language: string) =>
      steps(openApp('Settings'), page('System'), click('dropdown', 'Language'), click('menuitem', language));
    return {
      instruction: draw.phrase(...useLanguage(wanted).ways),
      world: withSettings(world, { language: before }),
      evaluator: settingIs('language', wanted),
      solve: choose(wanted),
      misses: { 'another language': choose(other) },
    };
  }),

  template('settings-device-name', { tier: 2, apps }, draw => {
    const [before, wanted] = [draw.fresh(draw.words.thing), draw.fresh(draw.words.thing)];
    const world = draw.world();
    const fillIn = steps(page('System'), fill('textfield', 'Device name', wanted));
    return {
      instruction: draw.phrase(...nameDevice(wanted).ways),
      world: withSettings(world, { deviceName: before }),
      open,
      evaluator: settingIs('deviceName', wanted),
      solve: steps(fillIn, click('button', 'Save')),
      misses: {
        'written but not saved': fillIn,
        'added to the old name': steps(
          page('System'),
          click('textfield', 'Device name'),
          press('end'),
          write(`${wanted}\n`),
        ),
      },
    };
  }),

  template('settings-network', { tier: 2, apps }, draw => {
    const networks = ['Orchard', 'Harbour', 'Library', 'Guest'];
    const [before, wanted, other] = draw.sample(networks, 3);
    const world = draw.world();
    const join = (network: string) =>
      steps(page('Network'), click('checkbox', 'Wi-Fi'), click('listitem', network));
    return {
      instruction: draw.phrase(...connect(wanted).ways),
      world: withSettings(world, { wifi: false, network: before }),
      open,
      evaluator: all(
        stateIs('settings.wifi', true),
        stateIs('settings.network', wanted),
        onlyChanged('settings.wifi', 'settings.network'),
      ),
      solve: join(wanted),
      misses: {
        'another network': join(other),
        'Wi-Fi left off': steps(page('Network'), click('listitem', wanted)),
      },
    };
  }),

  template('settings-infeasible', { tier: 1, apps }, draw => {
    const thing = draw.pick(draw.isTest ? MISSING.test : MISSING.train);
    return {
      instruction: draw.phrase(`Set up the ${thing} in Settings.`, `Turn on the ${thing}.`),
      world: draw.world(),
      open,
      misses: { 'something else instead': click('checkbox', 'Night light') },
    };
  }),
];
