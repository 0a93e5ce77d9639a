// The base class of the applications, the layout of their windows, and their dialogs: questions and forms with text fields.

import type { Size } from '../../../core/screen.ts';
import type { App, Dialog, ShellServices } from '../shell/app.ts';
import { column, gap, growing, row, sized, space } from '../toolkit/boxes.ts';
import { type BarMenu, button, label, menuBar } from '../toolkit/controls.ts';
import { textField } from '../toolkit/field.ts';
import type { Icon } from '../toolkit/icons.ts';
import type { Editing } from '../toolkit/text-edit.ts';
import type { Widget } from '../toolkit/widget.ts';
import type { PocketWorld } from '../world.ts';

export interface DialogAnswer {
  readonly name: string;
  readonly choose: () => void;
}

interface QuestionOptions {
  readonly title: string;
  readonly text: string;
  /** The buttons right of Cancel, from left to right. */
  readonly answers: readonly DialogAnswer[];
  readonly width?: number;
  /** The button with the focus: the last answer by default, which Enter chooses as well. */
  readonly focus?: string;
}

/** A short text with buttons. */
export const questionDialog = (
  { title, text, answers, width = 160, focus = answers.at(-1)?.name ?? 'Cancel' }: QuestionOptions,
  cancel: () => void,
): Dialog => ({
  title,
  width,
  focus,
  accept: () => (answers.at(-1)?.choose ?? cancel)(),
  dismiss: cancel,
  content: column(
    [
      label(text, { wrap: true }),
      row([
        space(),
        button('Cancel', { press: cancel }),
        ...answers.map(({ name, choose }, index) =>
          button(name, { press: choose, primary: index === answers.length - 1 }),
        ),
      ]),
    ],
    { gap: 8, margin: 7 },
  ),
});

/** The open dialog of an application, if any. */
export class DialogSlot {
  #describe: (() => Dialog) | undefined;

  get current(): Dialog | undefined {
    return this.#describe?.();
  }

  /** `describe` runs after every action, as an application's view does. */
  open(describe: () => Dialog): void {
    this.#describe = describe;
  }

  readonly close = (): void => {
    this.#describe = undefined;
  };

  /** Opens a question. An answer closes it before it acts, so that it may open the next dialog. */
  ask({ answers, ...question }: QuestionOptions): void {
    const closing = answers.map(({ name, choose }) => ({
      name,
      choose: () => {
        this.close();
        choose();
      },
    }));
    this.open(() => questionDialog({ ...question, answers: closing }, this.close));
  }
}

interface FormOptions<Field extends string> {
  readonly title: string;
  readonly width: number;
  readonly gap: number;
  readonly margin: number;
  /** The text of the button that submits. */
  readonly action: string;
  /** The fields by name, as the screen shows them, with their first contents. */
  readonly fields: Readonly<Record<Field, Editing>>;
  readonly focus: NoInfer<Field>;
  readonly content: (form: Form<Field>) => readonly Widget[];
  /** Reads the trimmed texts; returns an error message, or undefined once the form is done. */
  readonly submit: (text: (name: Field) => string) => string | undefined;
  readonly cancel: () => void;
  /** The error message stays until the next submit. By default it disappears when a field changes. */
  readonly keepFault?: true;
  /** Leaves space for the error message, so that the buttons do not move. */
  readonly reserveFault?: true;
}

/** A dialog with text fields, a line for the error message, and two buttons. */
export class Form<Field extends string> {
  readonly #options: FormOptions<Field>;
  readonly #values: Record<Field, Editing>;
  #fault: string | undefined;

  constructor(options: FormOptions<Field>) {
    this.#options = options;
    this.#values = { ...options.fields };
  }

  value(name: Field): Editing {
    return this.#values[name];
  }

  set(name: Field, state: Editing): void {
    this.#values[name] = state;
    if (!this.#options.keepFault) this.#fault = undefined;
  }

  clearFault(): void {
    this.#fault = undefined;
  }

  readonly field = (name: Field, hint = ''): Widget =>
    textField(name, this.#values[name], {
      hint,
      change: state => this.set(name, state),
      enter: () => this.submit(),
    });

  readonly dialog = (): Dialog => {
    const { title, width, gap: between, margin, action, focus, cancel, content } = this.#options;
    return {
      title,
      width,
      focus,
      accept: this.submit,
      dismiss: cancel,
      content: column(
        [
          ...content(this),
          ...this.#faultLine(),
          row([
            space(),
            button('Cancel', { press: cancel }),
            button(action, { primary: true, press: this.submit }),
          ]),
        ],
        { gap: between, margin },
      ),
    };
  };

  #faultLine(): readonly Widget[] {
    if (this.#fault !== undefined) return [label(this.#fault, { warning: true, wrap: true })];
    return this.#options.reserveFault ? [gap(0, 10)] : [];
  }

  readonly submit = (): void => {
    this.#fault = this.#options.submit(name => this.#values[name].text.trim());
  };
}

/** Controls behind a label of a fixed width. */
export const labelled = (name: string, width: number, ...controls: readonly Widget[]): Widget =>
  row([sized(label(name), { width }), ...controls], { align: 'centre' });

/** A form line: a label and a field that takes the remaining width. */
export const labelledField = (name: string, width: number, field: Widget): Widget =>
  labelled(name, width, growing(field));

export abstract class PocketApp implements App {
  abstract readonly id: string;
  abstract readonly name: string;
  abstract readonly icon: Icon;
  abstract readonly size: Size;
  protected readonly dialogs = new DialogSlot();

  constructor(
    protected readonly world: PocketWorld,
    protected readonly shell: ShellServices,
  ) {}

  title(): string {
    return this.name;
  }

  dialog(): Dialog | undefined {
    return this.dialogs.current;
  }

  abstract view(): Widget;
}

/** A menu bar above a column of widgets. */
export const windowLayout = (
  menus: readonly BarMenu[],
  children: readonly Widget[],
  { gap, margin }: { readonly gap: number; readonly margin: number },
): Widget => column([menuBar(menus), column(children, { gap, margin, grow: 1 })], { gap: 0 });
