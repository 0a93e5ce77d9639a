// Settings: the device's name and language, how it writes the time, and the way back to the start.

import type { ShellServices } from '../../shell/app.ts';
import { column, growing, row, space } from '../../toolkit/boxes.ts';
import { button, label, rule } from '../../toolkit/controls.ts';
import { textField } from '../../toolkit/field.ts';
import { type Editing, editing } from '../../toolkit/text-edit.ts';
import { dropdown } from '../../toolkit/values.ts';
import { extendWidget, type Widget } from '../../toolkit/widget.ts';
import { LANGUAGES, type PocketWorld } from '../../world.ts';
import { choice, titled } from './setting.ts';

export class SystemPage {
  readonly #world: PocketWorld;
  readonly #shell: ShellServices;
  readonly #reset: () => void;
  /** The name as it is being written; undefined while it is the one that the device has. */
  #name: Editing | undefined;
  #fault = '';

  constructor(world: PocketWorld, shell: ShellServices, reset: () => void) {
    this.#world = world;
    this.#shell = shell;
    this.#reset = reset;
  }

  /** Drops what was written and not saved. */
  forget(): void {
    this.#name = undefined;
    this.#fault = '';
  }

  view(): Widget {
    const { settings } = this.#world;
    return column(
      [
        titled('Device name', growing(this.#nameField()), this.#saveButton()),
        ...(this.#fault === '' ? [] : [label(this.#fault, { warning: true })]),
        titled(
          'Language',
          growing(
            dropdown('Language', settings.language, LANGUAGES, chosen => {
              settings.language = LANGUAGES.find(each => each === chosen) ?? settings.language;
            }),
          ),
        ),
        choice('Time format', { '24h': '24 hours', '12h': '12 hours' }, settings.timeFormat, format => {
          settings.timeFormat = format;
        }),
        rule(),
        row([space(), button('Reset all...', { press: this.#reset })]),
      ],
      { gap: 7 },
    );
  }

  #nameField(): Widget {
    const field = textField('Device name', this.#name ?? editing(this.#world.settings.deviceName), {
      enter: () => this.#save(),
      change: state => {
        this.#name = state;
        this.#fault = '';
      },
    });
    return extendWidget(field, {
      on: {
        ...field.on,
        stroke: (stroke, ui, area) => {
          if (stroke !== 'esc') return field.on?.stroke?.(stroke, ui, area) ?? false;
          this.forget();
          return true;
        },
      },
    });
  }

  #saveButton(): Widget {
    const changed = this.#name !== undefined && this.#name.text !== this.#world.settings.deviceName;
    return button('Save', { enabled: changed, press: () => this.#save() });
  }

  #save(): void {
    const name = (this.#name?.text ?? this.#world.settings.deviceName).trim();
    if (name === '') {
      this.#fault = 'A device needs a name.';
      return;
    }
    this.#world.settings.deviceName = name;
    this.forget();
    this.#shell.toast('Name saved');
  }
}
