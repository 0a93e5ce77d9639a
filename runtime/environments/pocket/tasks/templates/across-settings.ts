// Tasks in which a mail or a note says how the device is to be set up.

import { LANGUAGES } from '../../world.ts';
import type { ScriptedUser } from '../scripted-user.ts';
import { all, onlyChanged, type PocketTemplate, stateIs } from '../template.ts';
import { openMail, openNote, putFile } from './chores.ts';
import { MailDesk, somewhere } from './mail-desk.ts';

const deviceName: PocketTemplate = {
  id: 'across-device-name',
  tier: 4,
  apps: ['mail', 'settings'],
  make: draw => {
    const [before, wanted, refused] = [0, 1, 2].map(() => draw.fresh(draw.words.thing));
    const desk = new MailDesk(draw);
    const person = desk.person();
    desk.world.settings.deviceName = before ?? '';
    const mail = desk.put(
      {
        body: `${draw.say(
          `Your device is called ${before}. Please call it ${wanted}; ${refused} is in use already.`,
          `We name all devices anew. Yours was ${before} and will be ${wanted}. Do not take ${refused}.`,
          `Please name your device ${wanted} instead of ${before}. I had thought of ${refused}, but that is taken.`,
        )}\n\n${person.name}`,
      },
      person,
    );
    const named = (name: string, end: (hand: ScriptedUser) => void) => (hand: ScriptedUser) => {
      openMail(hand, desk.row(mail));
      hand.open('Settings');
      hand.click('tab', 'System');
      hand.fill('textfield', 'Device name', name);
      end(hand);
    };
    const save = (hand: ScriptedUser) => hand.click('button', 'Save');
    return {
      instruction: draw.say(
        `Do what the mail "${mail.subject}" asks for.`,
        `Give this device the name that the mail "${mail.subject}" asks for.`,
        `${person.name} writes in "${mail.subject}" what this device should be called. Change its name.`,
      ),
      world: desk.world,
      open: somewhere(draw, 'mail'),
      evaluator: all(
        stateIs('settings.deviceName', wanted),
        onlyChanged('mails.*.read', 'settings.deviceName'),
      ),
      solve: named(wanted ?? '', save),
      misses: {
        'the name that is taken': named(refused ?? '', save),
        'written but not saved': named(wanted ?? '', () => undefined),
        'as a whole sentence': named(`call it ${wanted}`, save),
      },
    };
  },
};

interface Wish {
  readonly line: string;
  readonly field: 'theme' | 'nightLight' | 'muted' | 'bluetooth' | 'language' | 'notifications';
  readonly before: unknown;
  readonly after: unknown;
  readonly make: (hand: ScriptedUser) => void;
}

const settingsNote: PocketTemplate = {
  id: 'across-settings-note',
  tier: 4,
  apps: ['notes', 'settings'],
  make: draw => {
    const language = draw.one(LANGUAGES.slice(1));
    const pressed = (tab: string, role: string, name: string) => (hand: ScriptedUser) => {
      hand.click('tab', tab);
      hand.click(role, name);
    };
    const wishes: readonly Wish[] = [
      {
        line: 'Theme: dark',
        field: 'theme',
        before: 'light',
        after: 'dark',
        make: pressed('Display', 'radio', 'Dark'),
      },
      {
        line: 'Night light: on',
        field: 'nightLight',
        before: false,
        after: true,
        make: pressed('Display', 'checkbox', 'Night light'),
      },
      {
        line: 'Sound: muted',
        field: 'muted',
        before: false,
        after: true,
        make: pressed('Sound', 'checkbox', 'Mute'),
      },
      {
        line: 'Notifications: off',
        field: 'notifications',
        before: true,
        after: false,
        make: pressed('Sound', 'checkbox', 'Show notifications'),
      },
      {
        line: 'Bluetooth: on',
        field: 'bluetooth',
        before: false,
        after: true,
        make: pressed('Network', 'checkbox', 'Bluetooth'),
      },
      {
        line: `Language: ${language}`,
        field: 'language',
        before: 'English',
        after: language,
        make: hand => {
          pressed('System', 'dropdown', 'Language')(hand);
          hand.click('menuitem', language);
        },
      },
    ];
    const [first, second, third, extra] = draw.some(wishes, 4);
    const wanted = [first, second, third].flatMap(wish => wish ?? []);
    const name = draw.file().name;
    const desk = new MailDesk(draw);
    Object.assign(
      desk.world.settings,
      Object.fromEntries(wishes.map(({ field, before }) => [field, before])),
    );
    putFile(desk.world.root, `/Notes/${name}`, wanted.map(({ line }) => line).join('\n'));
    const done =
      (...those: readonly (Wish | undefined)[]) =>
      (hand: ScriptedUser) => {
        openNote(hand, name);
        hand.open('Settings');
        for (const wish of those) wish?.make(hand);
      };
    return {
      instruction: draw.say(
        `Set this device up as the note "${name}" says.`,
        `The note "${name}" lists three settings. Make them.`,
        `Change the settings so that all that the note "${name}" lists is true.`,
      ),
      world: desk.world,
      open: somewhere(draw, 'notes'),
      evaluator: all(
        ...wanted.map(({ field, after }) => stateIs(`settings.${field}`, after)),
        onlyChanged(...wanted.map(({ field }) => `settings.${field}`)),
      ),
      solve: done(...wanted),
      misses: {
        'one is missing': done(first, second),
        'one too many': done(...wanted, extra),
        'another instead of the last': done(first, second, extra),
      },
    };
  },
};

export const ACROSS_SETTINGS: readonly PocketTemplate[] = [deviceName, settingsNote];
