// The calendar's dialogs with fields: an event's, and the one that asks for a date. They say what is wrong
// with what was written, and give only what is right.

import type { Dialog } from '../../shell/app.ts';
import { column, growing, row, sized, space } from '../../toolkit/boxes.ts';
import { button, label } from '../../toolkit/controls.ts';
import { textField } from '../../toolkit/field.ts';
import { type Editing, editing, selectAll } from '../../toolkit/text-edit.ts';
import { type SpinnerState, spinner, spinnerState } from '../../toolkit/values.ts';
import type { Widget } from '../../toolkit/widget.ts';
import type { EventDraft } from './agenda.ts';
import { type CalendarDay, dateText, dayOf } from './dates.ts';

const LABEL_WIDTH = 30;
const NO_DATE = 'No such date. Write it as 2026-03-12.';

const titled = (name: string, control: Widget): Widget =>
  row([sized(label(name), { width: LABEL_WIDTH }), control], { align: 'centre' });

const buttons = (act: string, accept: () => void, close: () => void): Widget =>
  row([space(), button('Cancel', { press: close }), button(act, { primary: true, press: accept })]);

const faultLine = (fault: string): readonly Widget[] =>
  fault === '' ? [] : [label(fault, { warning: true, wrap: true })];

interface EventFormOptions {
  readonly title: string;
  readonly entry: EventDraft;
  readonly save: (entry: EventDraft) => void;
  readonly close: () => void;
}

export class EventForm {
  readonly #options: EventFormOptions;
  #title: Editing;
  #date: Editing;
  #hour: SpinnerState;
  #minute: SpinnerState;
  #fault = '';

  constructor(options: EventFormOptions) {
    const { title, date, time } = options.entry;
    this.#options = options;
    this.#title = selectAll(editing(title));
    this.#date = editing(date);
    this.#hour = spinnerState(Number(time.slice(0, 2)));
    this.#minute = spinnerState(Number(time.slice(3)));
  }

  dialog(): Dialog {
    const accept = () => this.#accept();
    const hour = spinner('Hour', this.#hour, {
      ...{ from: 0, to: 23, digits: 2 },
      change: state => {
        this.#hour = state;
      },
    });
    const minute = spinner('Minute', this.#minute, {
      ...{ from: 0, to: 59, step: 5, digits: 2 },
      change: state => {
        this.#minute = state;
      },
    });
    const title = textField('Title', this.#title, {
      hint: 'What happens',
      enter: accept,
      change: state => {
        this.#title = state;
      },
    });
    const date = textField('Date', this.#date, {
      enter: accept,
      change: state => {
        this.#date = state;
      },
    });
    return {
      title: this.#options.title,
      width: 180,
      focus: 'Title',
      accept,
      dismiss: this.#options.close,
      content: column(
        [
          titled('Title', growing(title)),
          titled('Date', growing(date)),
          titled('Time', row([hour, label(':'), minute], { align: 'centre', gap: 3 })),
          ...faultLine(this.#fault),
          buttons('Save', accept, this.#options.close),
        ],
        { gap: 6, margin: 7 },
      ),
    };
  }

  #accept(): void {
    const title = this.#title.text.trim();
    const day = dayOf(this.#date.text);
    this.#fault = title === '' ? 'An event needs a title.' : day === undefined ? NO_DATE : '';
    if (this.#fault !== '' || day === undefined) return;
    const time = [this.#hour, this.#minute].map(({ value }) => String(value).padStart(2, '0')).join(':');
    this.#options.save({ title, date: dateText(day), time });
    this.#options.close();
  }
}

interface DateFormOptions {
  readonly date: string;
  readonly go: (day: CalendarDay) => void;
  readonly close: () => void;
}

export class DateForm {
  readonly #options: DateFormOptions;
  #date: Editing;
  #fault = '';

  constructor(options: DateFormOptions) {
    this.#options = options;
    this.#date = selectAll(editing(options.date));
  }

  dialog(): Dialog {
    const accept = () => this.#accept();
    const date = textField('Date', this.#date, {
      enter: accept,
      change: state => {
        this.#date = state;
      },
    });
    return {
      title: 'Go to date',
      width: 160,
      focus: 'Date',
      accept,
      dismiss: this.#options.close,
      content: column(
        [
          titled('Date', growing(date)),
          ...faultLine(this.#fault),
          buttons('Go', accept, this.#options.close),
        ],
        { gap: 7, margin: 7 },
      ),
    };
  }

  #accept(): void {
    const day = dayOf(this.#date.text);
    this.#fault = day === undefined ? NO_DATE : '';
    if (day === undefined) return;
    this.#options.go(day);
    this.#options.close();
  }
}
