// Settings: tabs with controls over the desktop's settings, and a reset after a question.

import { right } from '../../../box.ts';
import { textWidth } from '../../font.ts';
import type { ShellServices } from '../../shell/app.ts';
import { column, growing, row, sized, space } from '../../toolkit/boxes.ts';
import { button, label, panel, rule, tabs, textTop } from '../../toolkit/controls.ts';
import { textField } from '../../toolkit/field.ts';
import { listRow, rows } from '../../toolkit/rows.ts';
import { type Editing, editing } from '../../toolkit/text-edit.ts';
import { checkbox, dropdown, percentSlider, radio } from '../../toolkit/values.ts';
import { extendWidget, type KeyStroke, type UiServices, type Widget } from '../../toolkit/widget.ts';
import { ALERT_SOUNDS, emptyWorld, LANGUAGES, type PocketSettings, type PocketWorld } from '../../world.ts';
import { labelled, labelledField, PocketApp } from '../app.ts';

const LABEL_WIDTH = 66;
const PERCENT_WIDTH = 30;
const NETWORKS = ['Orchard', 'Harbour', 'Library', 'Guest'];
const VERSION = '1.0';

const displayPage = ({ settings }: PocketWorld): Widget =>
  column(
    [
      settingRadio('Theme', settings, 'theme', { light: 'Light', dark: 'Dark' }),
      settingSlider('Brightness', settings, 'brightness'),
      settingCheckbox('Night light', settings, 'nightLight'),
    ],
    { gap: 8 },
  );

const soundPage = ({ settings }: PocketWorld): Widget =>
  column(
    [
      settingSlider('Volume', settings, 'volume'),
      settingCheckbox('Mute', settings, 'muted'),
      rule(),
      settingDropdown('Alert sound', settings, 'alertSound', ALERT_SOUNDS),
      settingCheckbox('Show notifications', settings, 'notifications'),
    ],
    { gap: 7 },
  );

const networkPage = ({ settings }: PocketWorld, shell: ShellServices): Widget =>
  column(
    [
      row([settingCheckbox('Wi-Fi', settings, 'wifi'), settingCheckbox('Bluetooth', settings, 'bluetooth')], {
        gap: 14,
      }),
      label(settings.wifi ? 'Networks in reach' : 'Wi-Fi is off', { faint: true }),
      panel(rows(NETWORKS.map(name => networkRow(name, settings, shell))), { field: true }),
    ],
    { gap: 5 },
  );

const aboutPage = ({ settings, now }: PocketWorld): Widget =>
  column(
    [
      label('Pocket desktop', { bold: true }),
      rule(),
      fact('Device name', settings.deviceName),
      fact('Version', VERSION),
      fact('Network', settings.wifi ? settings.network : 'not connected'),
      fact('Language', settings.language),
      fact('Date', now.slice(0, 10)),
    ],
    { gap: 5 },
  );

/** The names of the settings whose values have a given type. */
type SettingsOf<Value> = {
  [Name in keyof PocketSettings]: PocketSettings[Name] extends Value ? Name : never;
}[keyof PocketSettings];

const settingCheckbox = (name: string, settings: PocketSettings, field: SettingsOf<boolean>): Widget =>
  checkbox(name, settings[field], () => {
    settings[field] = !settings[field];
  });

/** A slider and its value in percent. */
function settingSlider(name: string, settings: PocketSettings, field: SettingsOf<number>): Widget {
  const value = settings[field];
  const control = percentSlider(name, value, wanted => {
    settings[field] = wanted;
  });
  return labelled(name, LABEL_WIDTH, growing(control), sized(percent(value), { width: PERCENT_WIDTH }));
}

/** Has no accessibility element: the slider has the value already. */
const percent = (value: number): Widget => ({
  paintKey: `number ${value} %`,
  measure: () => ({ width: textWidth(`${value} %`), height: 10 }),
  paint: ({ surface, box: area, theme }) =>
    surface.text(`${value} %`, right(area) - textWidth(`${value} %`), area.y + 2, theme.faint),
});

/** Radio buttons for two or three values. */
function settingRadio<Field extends 'theme' | 'timeFormat'>(
  title: string,
  settings: PocketSettings,
  field: Field,
  names: Readonly<Record<PocketSettings[Field], string>>,
): Widget {
  const values = Object.keys(names) as PocketSettings[Field][];
  const buttons = values.map(value =>
    radio(names[value], value === settings[field], () => {
      settings[field] = value;
    }),
  );
  return labelled(title, LABEL_WIDTH, row(buttons, { gap: 10 }));
}

function settingDropdown<Field extends 'alertSound' | 'language'>(
  title: string,
  settings: PocketSettings,
  field: Field,
  choices: readonly PocketSettings[Field][],
): Widget {
  const control = dropdown(title, settings[field], choices, chosen => {
    settings[field] = choices.find(each => each === chosen) ?? settings[field];
  });
  return labelledField(title, LABEL_WIDTH, control);
}

/** A value that cannot be changed: one element with name and value. */
function fact(name: string, value: string): Widget {
  const { describe: _, ...title } = label(name, { faint: true });
  const text = label(value);
  return row([
    sized(title, { width: LABEL_WIDTH }),
    { ...text, describe: { role: 'label', name: `${name}: ${value}` } },
  ]);
}

function networkRow(name: string, settings: PocketSettings, shell: ShellServices): Widget {
  const connected = settings.wifi && settings.network === name;
  const plain = listRow(name, {
    chosen: connected,
    press: () => {
      if (!settings.wifi || connected) return;
      settings.network = name;
      shell.toast(`Connected to ${name}`);
    },
  });
  const status = 'Connected';
  return extendWidget(plain, {
    paintKey: `${plain.paintKey} ${settings.wifi}`,
    describe: {
      role: 'listitem',
      name,
      value: connected ? status : '',
      states: connected ? ['selected'] : settings.wifi ? [] : ['disabled'],
    },
    paint: context => {
      const { surface, box: area, theme } = context;
      plain.paint?.(context);
      const top = textTop(area.y, area.height);
      if (connected) surface.text(status, right(area) - textWidth(status) - 4, top, theme.selectionText);
      // Without Wi-Fi the names are grey.
      if (!settings.wifi) surface.text(name, area.x + 3, top, theme.faint);
    },
  });
}

export const PAGES = ['Display', 'Sound', 'Network', 'System', 'About'] as const;
type Page = (typeof PAGES)[number];

export class SettingsApp extends PocketApp {
  readonly id = 'settings';
  readonly name = 'Settings';
  readonly icon = 'settings';
  readonly size = { width: 230, height: 152 };
  readonly focus = 'tab Display';
  #page: Page = 'Display';
  /** The edited device name; undefined while it is unchanged. */
  #deviceName: Editing | undefined;
  #fault = '';

  /** Shows a page by its name. */
  show(what: string): void {
    this.#page = PAGES.find(each => each === what) ?? this.#page;
  }

  view(): Widget {
    const pages: Readonly<Record<Page, () => Widget>> = {
      Display: () => displayPage(this.world),
      Sound: () => soundPage(this.world),
      Network: () => networkPage(this.world, this.shell),
      System: () => this.#systemPage(),
      About: () => aboutPage(this.world),
    };
    return column(
      [tabs(PAGES, this.#page, name => this.show(name)), column([pages[this.#page]()], { margin: 7 })],
      { gap: 0, margin: 3 },
    );
  }

  stroke(stroke: KeyStroke, ui: UiServices): void {
    const by = { 'ctrl+pagedown': 1, 'ctrl+tab': 1, 'ctrl+pageup': -1, 'ctrl+shift+tab': -1 }[stroke];
    if (by === undefined) return;
    const next = PAGES.at((PAGES.indexOf(this.#page) + by) % PAGES.length) ?? this.#page;
    this.show(next);
    ui.focus(`tab ${next}`);
  }

  #systemPage(): Widget {
    const { settings } = this.world;
    const isChanged = this.#deviceName !== undefined && this.#deviceName.text !== settings.deviceName;
    const save = button('Save', { enabled: isChanged, press: () => this.#saveName() });
    return column(
      [
        labelled('Device name', LABEL_WIDTH, growing(this.#nameField()), save),
        ...(this.#fault === '' ? [] : [label(this.#fault, { warning: true })]),
        settingDropdown('Language', settings, 'language', LANGUAGES),
        settingRadio('Time format', settings, 'timeFormat', { '24h': '24 hours', '12h': '12 hours' }),
        rule(),
        row([space(), button('Reset all...', { press: () => this.#askToReset() })]),
      ],
      { gap: 7 },
    );
  }

  #nameField(): Widget {
    const field = textField('Device name', this.#deviceName ?? editing(this.world.settings.deviceName), {
      enter: () => this.#saveName(),
      change: state => {
        this.#deviceName = state;
        this.#fault = '';
      },
    });
    return extendWidget(field, {
      on: {
        ...field.on,
        stroke: (stroke, ui, area) => {
          if (stroke !== 'esc') return field.on?.stroke?.(stroke, ui, area) ?? false;
          this.#discardName();
          return true;
        },
      },
    });
  }

  #discardName(): void {
    this.#deviceName = undefined;
    this.#fault = '';
  }

  #saveName(): void {
    const { settings } = this.world;
    const name = (this.#deviceName?.text ?? settings.deviceName).trim();
    if (name === '') {
      this.#fault = 'A device needs a name.';
      return;
    }
    settings.deviceName = name;
    this.#discardName();
    this.shell.toast('Name saved');
  }

  #askToReset(): void {
    const choose = () => {
      Object.assign(this.world.settings, emptyWorld().settings);
      this.#discardName();
      this.shell.toast('Settings were reset');
    };
    this.dialogs.ask({
      title: 'Reset all settings?',
      text: 'All settings go back to how they were at first.',
      answers: [{ name: 'Reset', choose }],
      // Enter must not reset everything by accident.
      focus: 'Cancel',
    });
  }
}
