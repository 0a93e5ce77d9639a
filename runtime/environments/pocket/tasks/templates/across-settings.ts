// Tasks in which a mail or a note tells how to set up the device.

import { LANGUAGES, type PocketSettings } from '../../world.ts';
import { all, onlyChanged, stateIs } from '../conditions.ts';
import { click, fill, openApp, type PocketScript, steps } from '../scripted-user.ts';
import { putFile } from '../setup.ts';
import { type PocketTemplate, template } from '../template.ts';
import { MailDesk } from './mail-desk.ts';
import { openMail, openNote } from './scripts.ts';

interface Wish {
  readonly line: string;
  readonly field: keyof PocketSettings;
  readonly before: unknown;
  readonly after: unknown;
  readonly make: PocketScript;
}

const press = (tab: string, role: string, name: string) => steps(click('tab', tab), click(role, name));

/** A line of a note, and how the setting is before and after. */
const wish = (
  line: string,
  field: keyof PocketSettings,
  [before, after]: readonly [unknown, unknown],
  make: PocketScript,
): Wish => ({ line, field, before, after, make });

const WISHES: readonly Wish[] = [
  wish('Theme: dark', 'theme', ['light', 'dark'], press('Display', 'radio', 'Dark')),
  wish('Night light: on', 'nightLight', [false, true], press('Display', 'checkbox', 'Night light')),
  wish('Sound: muted', 'muted', [false, true], press('Sound', 'checkbox', 'Mute')),
  wish(
    'Notifications: off',
    'notifications',
    [true, false],
    press('Sound', 'checkbox', 'Show notifications'),
  ),
  wish('Bluetooth: on', 'bluetooth', [false, true], press('Network', 'checkbox', 'Bluetooth')),
];

const languageWish = (language: string): Wish =>
  wish(
    `Language: ${language}`,
    'language',
    ['English', language],
    steps(press('System', 'dropdown', 'Language'), click('menuitem', language)),
  );

export const ACROSS_SETTINGS: readonly PocketTemplate[] = [
  template('across-device-name', { tier: 4, apps: ['mail', 'settings'] }, draw => {
    const thing = () => draw.fresh(draw.words.thing);
    const [before, wanted, taken] = [thing(), thing(), thing()];
    const desk = new MailDesk(draw);
    const person = desk.person();
    desk.world.settings.deviceName = before;
    const mail = desk.receive(
      person,
      `Your device is called ${before}. Please call it ${wanted}; ${taken} is in use already.`,
      `We name all devices anew. Yours was ${before} and will be ${wanted}. Do not take ${taken}.`,
      `Please name your device ${wanted} instead of ${before}. I had thought of ${taken}, but that is taken.`,
    );
    const fillIn = (name: string) =>
      steps(
        openMail(desk.row(mail)),
        openApp('Settings'),
        click('tab', 'System'),
        fill('textfield', 'Device name', name),
      );
    const save = click('button', 'Save');
    return {
      instruction: draw.phrase(
        `Do what the mail "${mail.subject}" asks for.`,
        `Give this device the name that the mail "${mail.subject}" asks for.`,
        `${person.name} writes in "${mail.subject}" what this device should be called. Change its name.`,
      ),
      world: desk.world,
      open: draw.somewhere('mail'),
      evaluator: all(
        stateIs('settings.deviceName', wanted),
        onlyChanged('mails.*.read', 'settings.deviceName'),
      ),
      solve: steps(fillIn(wanted), save),
      misses: {
        'the name that is taken': steps(fillIn(taken), save),
        'written but not saved': fillIn(wanted),
        'as a whole sentence': steps(fillIn(`call it ${wanted}`), save),
      },
    };
  }),

  template('across-settings-note', { tier: 4, apps: ['notes', 'settings'] }, draw => {
    const wishes = [...WISHES, languageWish(draw.pick(LANGUAGES.slice(1)))];
    const [first, second, third, extra] = draw.sample(wishes, 4);
    const wanted = [first, second, third];
    const { name } = draw.file();
    const desk = new MailDesk(draw);
    const before = Object.fromEntries(wishes.map(each => [each.field, each.before]));
    Object.assign(desk.world.settings, before);
    putFile(desk.world.root, `/Notes/${name}`, wanted.map(({ line }) => line).join('\n'));
    const fulfil = (...some: readonly Wish[]) =>
      steps(openNote(name), openApp('Settings'), ...some.map(({ make }) => make));
    return {
      instruction: draw.phrase(
        `Set this device up as the note "${name}" says.`,
        `The note "${name}" lists three settings. Make them.`,
        `Change the settings so that all that the note "${name}" lists is true.`,
      ),
      world: desk.world,
      open: draw.somewhere('notes'),
      evaluator: all(
        ...wanted.map(({ field, after }) => stateIs(`settings.${field}`, after)),
        onlyChanged(...wanted.map(({ field }) => `settings.${field}`)),
      ),
      solve: fulfil(...wanted),
      misses: {
        'one is missing': fulfil(first, second),
        'one too many': fulfil(...wanted, extra),
        'another instead of the last': fulfil(first, second, extra),
      },
    };
  }),
];
