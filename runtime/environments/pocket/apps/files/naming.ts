// The dialog that asks for an entry's name, and says what is wrong with it.

import type { Dialog } from '../../shell/app.ts';
import { column, growing, row, space } from '../../toolkit/boxes.ts';
import { button, label } from '../../toolkit/controls.ts';
import { textField } from '../../toolkit/field.ts';
import { type Editing, editing, selectAll } from '../../toolkit/text-edit.ts';

interface NamingOptions {
  readonly title: string;
  readonly name: string;
  /** What the button says. */
  readonly act: string;
  /** What is wrong with a name; undefined where nothing is. */
  readonly fault: (name: string) => string | undefined;
  readonly accept: (name: string) => void;
  readonly close: () => void;
}

export class Naming {
  readonly #options: NamingOptions;
  #field: Editing;
  #fault: string | undefined;

  constructor(options: NamingOptions) {
    this.#options = options;
    this.#field = selectAll(editing(options.name));
  }

  dialog(): Dialog {
    const { title, act, close } = this.#options;
    const accept = () => this.#accept();
    return {
      title,
      width: 168,
      focus: 'Name',
      accept,
      dismiss: close,
      content: column(
        [
          row([
            label('Name'),
            growing(
              textField('Name', this.#field, {
                change: state => {
                  this.#field = state;
                  this.#fault = undefined;
                },
                enter: accept,
              }),
            ),
          ]),
          ...(this.#fault === undefined ? [] : [label(this.#fault, { warning: true, wrap: true })]),
          row([space(), button('Cancel', { press: close }), button(act, { primary: true, press: accept })]),
        ],
        { gap: 7, margin: 7 },
      ),
    };
  }

  #accept(): void {
    const name = this.#field.text.trim();
    this.#fault = this.#options.fault(name);
    if (this.#fault === undefined) this.#options.accept(name);
  }
}
