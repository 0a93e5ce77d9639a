// Calendar: a month, the events of the selected day, and forms to add and change events.

import type { ShellServices } from '../../shell/app.ts';
import { shortcutItem } from '../../toolkit/bars.ts';
import { growing, row, sized } from '../../toolkit/boxes.ts';
import { label } from '../../toolkit/controls.ts';
import { editing, selectAll } from '../../toolkit/text-edit.ts';
import { spinner, spinnerState } from '../../toolkit/values.ts';
import type { DragPayload, KeyStroke, MenuItem, UiServices, Widget } from '../../toolkit/widget.ts';
import { type CalendarEvent, type PocketWorld, timeText } from '../../world.ts';
import { PocketApp, windowLayout } from '../app.ts';
import { Form, labelled, labelledField } from '../dialogs.ts';
import { type CalendarDay, dateText, dayOf, daysIn, dayTitle, plusDays, plusMonths } from './dates.ts';
import { CELL_WIDTH, DAYS, dayPanel, EVENT_PAYLOAD, eventName, month, monthBar } from './month.ts';

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
const NO_DATE = 'No such date. Write it as 2026-03-12.';

export class CalendarApp extends PocketApp {
  readonly id = 'calendar';
  readonly name = 'Calendar';
  readonly icon = 'calendar';
  readonly size = { width: 284, height: 194 };
  readonly focus = DAYS;
  readonly #scroll = { offset: 0 };
  readonly #today: CalendarDay;
  /** A day of the visible month. */
  #shown: CalendarDay;
  #chosen: CalendarDay;
  /** The id of the selected event. */
  #event: number | undefined;

  constructor(world: PocketWorld, shell: ShellServices) {
    super(world, shell);
    this.#today = dayOf(world.now.slice(0, 10)) ?? EPOCH;
    this.#shown = this.#today;
    this.#chosen = this.#today;
  }

  /** Shows a date. */
  show(what: string): void {
    const day = dayOf(what);
    if (day !== undefined) this.#go(day);
  }

  view(): Widget {
    const bar = monthBar({
      shown: this.#shown,
      turn: months => this.#turn(months),
      today: () => this.#go(this.#today),
      create: () => this.#create(),
    });
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
    return month({
      shown: this.#shown,
      chosen: dateText(this.#chosen),
      today: dateText(this.#today),
      counts: eventCounts(this.world),
      choose: day => this.#choose(day),
      create: () => this.#create(),
      menu: day => {
        this.#choose(day);
        return [this.#newItem()];
      },
      drop: (payload, day) => this.#move(payload, day),
      turn: months => this.#turn(months),
    });
  }

  #day(): Widget {
    return dayPanel({
      title: dayTitle(this.#chosen),
      events: eventsOn(this.world, dateText(this.#chosen)),
      chosen: this.#event,
      choose: id => {
        this.#event = id;
      },
      // A right click selects the event before its menu opens.
      menu: () => this.#eventItems(),
      time: time => timeText(time, this.world.settings.timeFormat),
      scroll: this.#scroll,
      edit: id => this.#edit(id),
      remove: () => this.#askToDelete(),
    });
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
    this.#shown = day;
  }

  #turn(months: number): void {
    const { year, month } = plusMonths({ ...this.#shown, day: 1 }, months);
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
