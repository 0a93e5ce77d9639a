// Settings: tabs with controls over the desktop's settings, and a reset after a question.

import { tabs } from '../../toolkit/bars.ts';
import { column, growing, row, space } from '../../toolkit/boxes.ts';
import { button, label, rule } from '../../toolkit/controls.ts';
import { textField } from '../../toolkit/field.ts';
import { type Editing, editing } from '../../toolkit/text-edit.ts';
import { extendWidget, type KeyStroke, type UiServices, type Widget } from '../../toolkit/widget.ts';
import { emptyWorld, LANGUAGES } from '../../world.ts';
import { PocketApp } from '../app.ts';
import { labelled } from '../dialogs.ts';
import {
  aboutPage,
  displayPage,
  LABEL_WIDTH,
  networkPage,
  settingDropdown,
  settingRadio,
  soundPage,
} from './pages.ts';

const PAGES = ['Display', 'Sound', 'Network', 'System', 'About'] as const;
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
