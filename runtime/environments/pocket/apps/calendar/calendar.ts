// Calendar: a month, the events of the selected day, and forms to add and change events.

import { column, growing, row, sized } from '../../toolkit/boxes.ts';
import { button, label, panel, shortcutItem } from '../../toolkit/controls.ts';
import { emptyNote, listRow, rows, withArrowKeys } from '../../toolkit/rows.ts';
import { scrolled } from '../../toolkit/scroll.ts';
import { editing, selectAll } from '../../toolkit/text-edit.ts';
import { spinner, spinnerState } from '../../toolkit/values.ts';
import {
  type DragPayload,
  type KeyStroke,
  type MenuItem,
  onKeys,
  type UiServices,
  type Widget,
} from '../../toolkit/widget.ts';
import { type CalendarEvent, type PocketWorld, timeText } from '../../world.ts';
import { Form, labelled, labelledField, PocketApp, windowLayout } from '../app.ts';
import {
  type CalendarDay,
  dateText,
  dayOf,
  daysIn,
  dayTitle,
  monthTitle,
  plusDays,
  plusMonths,
} from './dates.ts';
import { arrow, CELL_WIDTH, DAYS, dayCell, eventName, eventRow, month } from './month.ts';

/** The editable fields of an event. */
type EventDraft = Omit<CalendarEvent, 'id'>;

/** The events of a day by time. */
const eventsOn = (world: PocketWorld, date: string): readonly CalendarEvent[] =>
  world.events
    .filter(event => event.date === date)
    .sort((a, b) => (a.time === b.time ? a.id - b.id : a.time < b.time ? -1 : 1));

/** The number of events on each day that has any. */
function eventCounts({ events }: PocketWorld): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { date } of events) counts.set(date, (counts.get(date) ?? 0) + 1);
  return counts;
}

const eventWith = (world: PocketWorld, id: number | undefined): CalendarEvent | undefined =>
  world.events.find(event => event.id === id);

/** Adds an event and returns its id. */
function addEvent(world: PocketWorld, draft: EventDraft): number {
  const id = Math.max(0, ...world.events.map(event => event.id)) + 1;
  world.events.push({ id, ...draft });
  return id;
}

function changeEvent(world: PocketWorld, id: number, draft: Partial<EventDraft>): void {
  world.events = world.events.map(event => (event.id === id ? { ...event, ...draft } : event));
}

function removeEvent(world: PocketWorld, id: number): void {
  world.events = world.events.filter(event => event.id !== id);
}

const EPOCH: CalendarDay = { year: 2026, month: 1, day: 1 };
const FORM_LABEL_WIDTH = 30;
const EVENT_PAYLOAD = 'event';
const NO_DATE = 'No such date. Write it as 2026-03-12.';

export class CalendarApp extends PocketApp {
  readonly id = 'calendar';
  readonly name = 'Calendar';
  readonly icon = 'calendar';
  readonly size = { width: 284, height: 194 };
  readonly focus = DAYS;
  readonly #scroll = { offset: 0 };
  readonly #today = dayOf(this.world.now.slice(0, 10)) ?? EPOCH;
  /** A day of the visible month. */
  #visible = this.#today;
  #chosen = this.#today;
  /** The id of the selected event. */
  #event: number | undefined;

  /** Shows a date. */
  show(what: string): void {
    const day = dayOf(what);
    if (day !== undefined) this.#go(day);
  }

  view(): Widget {
    const bar = row(
      [
        arrow('Previous month', () => this.#turn(-1)),
        arrow('Next month', () => this.#turn(1)),
        growing(label(monthTitle(this.#visible), { bold: true })),
        button('Today', { press: () => this.#go(this.#today) }),
        button('New event...', { press: () => this.#create() }),
      ],
      { gap: 3 },
    );
    const panes = row([sized(this.#month(), { width: 7 * CELL_WIDTH + 1 }), growing(this.#day())]);
    return windowLayout(
      [
        { name: 'Event', items: () => this.#eventMenu() },
        { name: 'Go', items: () => this.#goMenu() },
      ],
      [bar, growing(panes)],
      { gap: 4, margin: 4 },
    );
  }

  stroke(stroke: KeyStroke, ui: UiServices): void {
    const days = { left: -1, right: 1, up: -7, down: 7 }[stroke];
    if (days !== undefined) this.#go(plusDays(this.#chosen, days));
    else if (stroke === 'home') this.#go(this.#today);
    else shortcutItem([...this.#eventMenu(), ...this.#goMenu()], stroke)?.choose(ui);
  }

  #month(): Widget {
    const counts = eventCounts(this.world);
    const [chosen, today] = [dateText(this.#chosen), dateText(this.#today)];
    const create = () => this.#create();
    const cellOf = (day: CalendarDay): Widget => {
      const [date, inMonth] = [dateText(day), day.month === this.#visible.month];
      const look = {
        isChosen: date === chosen,
        isToday: date === today,
        inMonth,
        count: counts.get(date) ?? 0,
      };
      return dayCell(day, look, {
        press: (_at, ui) => {
          this.#choose(day);
          ui.focus(DAYS);
        },
        double: create,
        menu: () => {
          this.#choose(day);
          return [this.#newItem()];
        },
        stroke: onKeys(['enter'], create),
        drop: payload => this.#move(payload, day),
      });
    };
    return month(this.#visible, months => this.#turn(months), cellOf);
  }

  /** The panel beside the month: the selected day, its events and their buttons. */
  #day(): Widget {
    const events = eventsOn(this.world, dateText(this.#chosen));
    const keyOf = ({ id }: CalendarEvent): string => `event ${id}`;
    const choose = ({ id }: CalendarEvent) => {
      this.#event = id;
    };
    const list = events.map((event, index) => {
      const chosen = event.id === this.#event;
      const plain = listRow(eventName(event), {
        key: keyOf(event),
        chosen,
        press: () => choose(event),
        double: () => this.#edit(event.id),
        // A right click selects the event before its menu opens.
        menu: () => this.#eventItems(),
        payload: { kind: EVENT_PAYLOAD, name: String(event.id) },
      });
      const time = timeText(event.time, this.world.settings.timeFormat);
      return eventRow(withArrowKeys(plain, events, index, keyOf, choose), event.title, time, chosen);
    });
    const content =
      events.length === 0 ? growing(emptyNote('No events', 4)) : scrolled(rows(list), 'Events', this.#scroll);
    const enabled = events.some(({ id }) => id === this.#event);
    return column(
      [
        label(dayTitle(this.#chosen), { bold: true }),
        panel(content, { field: true }),
        row([
          growing(button('Edit...', { enabled, press: () => this.#edit(this.#event) })),
          growing(button('Delete...', { enabled, press: () => this.#askToDelete() })),
        ]),
      ],
      { gap: 3 },
    );
  }

  // Menus

  #newItem(): MenuItem {
    return { name: 'New event...', shortcut: 'Ctrl+N', choose: () => this.#create() };
  }

  #eventItems(enabled = true): readonly MenuItem[] {
    return [
      { name: 'Edit event...', enabled, shortcut: 'F2', choose: () => this.#edit(this.#event) },
      { name: 'Delete event...', enabled, shortcut: 'Del', choose: () => this.#askToDelete() },
    ];
  }

  #eventMenu(): readonly MenuItem[] {
    return [this.#newItem(), ...this.#eventItems(this.#selected !== undefined)];
  }

  #goMenu(): readonly MenuItem[] {
    return [
      { name: 'Today', shortcut: 'Ctrl+T', choose: () => this.#go(this.#today) },
      { name: 'Go to date...', shortcut: 'Ctrl+G', choose: () => this.#askDate() },
      { name: 'Previous month', shortcut: 'PgUp', apart: true, choose: () => this.#turn(-1) },
      { name: 'Next month', shortcut: 'PgDn', choose: () => this.#turn(1) },
    ];
  }

  // Navigation

  get #selected(): CalendarEvent | undefined {
    return eventWith(this.world, this.#event);
  }

  #choose(day: CalendarDay): void {
    if (dateText(day) !== dateText(this.#chosen)) {
      this.#event = undefined;
      this.#scroll.offset = 0;
    }
    this.#chosen = day;
  }

  #go(day: CalendarDay): void {
    this.#choose(day);
    this.#visible = day;
  }

  #turn(months: number): void {
    const { year, month } = plusMonths({ ...this.#visible, day: 1 }, months);
    this.#go({ year, month, day: Math.min(this.#chosen.day, daysIn(year, month)) });
  }

  #askDate(): void {
    const form = new Form({
      title: 'Go to date',
      width: 160,
      gap: 7,
      margin: 7,
      action: 'Go',
      fields: { Date: selectAll(editing(dateText(this.#chosen))) },
      focus: 'Date',
      content: ({ field }) => [labelledField('Date', FORM_LABEL_WIDTH, field('Date'))],
      submit: text => {
        const day = dayOf(text('Date'));
        if (day === undefined) return NO_DATE;
        this.#go(day);
        this.dialogs.close();
        return undefined;
      },
      cancel: this.dialogs.close,
      keepFault: true,
    });
    this.dialogs.open(form.dialog);
  }

  // Changes

  #create(): void {
    this.#openForm('New event', { title: '', date: dateText(this.#chosen), time: '09:00' }, draft => {
      this.shell.toast('Event added');
      return addEvent(this.world, draft);
    });
  }

  #edit(id: number | undefined): void {
    const event = eventWith(this.world, id);
    if (event === undefined) return;
    this.#openForm('Edit event', event, draft => {
      changeEvent(this.world, event.id, draft);
      this.shell.toast('Event changed');
      return event.id;
    });
  }

  /** `save` returns the id of the event. */
  #openForm(
    title: string,
    { title: name, date, time }: EventDraft,
    save: (draft: EventDraft) => number,
  ): void {
    const clock = {
      Hour: spinnerState(Number(time.slice(0, 2))),
      Minute: spinnerState(Number(time.slice(3))),
    };
    const part = (name: keyof typeof clock, to: number, step: number): Widget =>
      spinner(name, clock[name], {
        to,
        step,
        change: state => {
          clock[name] = state;
        },
      });
    const form = new Form({
      title,
      width: 180,
      gap: 6,
      margin: 7,
      action: 'Save',
      fields: { Title: selectAll(editing(name)), Date: editing(date) },
      focus: 'Title',
      content: ({ field }) => [
        labelledField('Title', FORM_LABEL_WIDTH, field('Title', 'What happens')),
        labelledField('Date', FORM_LABEL_WIDTH, field('Date')),
        labelled(
          'Time',
          FORM_LABEL_WIDTH,
          row([part('Hour', 23, 1), label(':'), part('Minute', 59, 5)], { align: 'centre', gap: 3 }),
        ),
      ],
      submit: text => {
        const day = dayOf(text('Date'));
        if (text('Title') === '') return 'An event needs a title.';
        if (day === undefined) return NO_DATE;
        const timeOfDay = [clock.Hour, clock.Minute]
          .map(({ value }) => String(value).padStart(2, '0'))
          .join(':');
        const id = save({ title: text('Title'), date: dateText(day), time: timeOfDay });
        this.#go(day);
        this.#event = id;
        this.dialogs.close();
        return undefined;
      },
      cancel: this.dialogs.close,
      keepFault: true,
    });
    this.dialogs.open(form.dialog);
  }

  #askToDelete(): void {
    const event = this.#selected;
    if (event === undefined) return;
    const choose = () => {
      removeEvent(this.world, event.id);
      this.#event = undefined;
      this.shell.toast('Event deleted');
    };
    const text = `'${eventName(event)}' will be gone for good.`;
    this.dialogs.ask({ title: 'Delete event?', text, answers: [{ name: 'Delete', choose }] });
  }

  /** Moves a dropped event to another day. */
  #move({ kind, name }: DragPayload, day: CalendarDay): void {
    if (kind !== EVENT_PAYLOAD) return;
    changeEvent(this.world, Number(name), { date: dateText(day) });
    this.#event = undefined;
    this.shell.toast(`Moved to ${dayTitle(day)}`);
  }
}
