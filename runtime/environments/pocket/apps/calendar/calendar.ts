// The calendar: a month, the events of the day chosen in it, and forms to make and change them.

import { timeText } from '../../clock.ts';
import type { App, Dialog, ShellServices } from '../../shell/app.ts';
import { menuBar } from '../../toolkit/bars.ts';
import { column, growing, row, sized } from '../../toolkit/boxes.ts';
import type { DragPayload, KeyStroke, MenuItem, Widget } from '../../toolkit/widget.ts';
import type { CalendarEvent, PocketWorld } from '../../world.ts';
import { question } from '../dialogs.ts';
import { add, change, type EventDraft, eventCounts, eventsOn, eventWith, nameOf, remove } from './agenda.ts';
import { type CalendarDay, dateText, dayOf, daysIn, dayTitle, plusDays, plusMonths } from './dates.ts';
import { EVENT_CARGO } from './day-list.ts';
import { dayPanel } from './day-panel.ts';
import { DateForm, EventForm } from './forms.ts';
import { CELL_WIDTH, DAYS, month } from './month.ts';
import { monthBar } from './month-bar.ts';

const EPOCH: CalendarDay = { year: 2026, month: 1, day: 1 };

export class CalendarApp implements App {
  readonly id = 'calendar';
  readonly name = 'Calendar';
  readonly icon = 'calendar';
  readonly size = { width: 284, height: 194 };
  readonly focus = DAYS;
  readonly #world: PocketWorld;
  readonly #shell: ShellServices;
  readonly #today: CalendarDay;
  /** A day of the month that can be seen. */
  #shown: CalendarDay;
  #chosen: CalendarDay;
  #event: number | undefined;
  #scrolled = 0;
  #ask: (() => Dialog) | undefined;

  constructor(world: PocketWorld, shell: ShellServices) {
    this.#world = world;
    this.#shell = shell;
    this.#today = dayOf(world.now.slice(0, 10)) ?? EPOCH;
    this.#shown = this.#today;
    this.#chosen = this.#today;
  }

  title(): string {
    return 'Calendar';
  }

  show(what: string): void {
    const day = dayOf(what);
    if (day !== undefined) this.#go(day);
  }

  view(): Widget {
    return column(
      [
        menuBar([
          { name: 'Event', items: () => [this.#newItem(), ...this.#eventItems(this.#picked !== undefined)] },
          { name: 'Go', items: () => this.#goItems() },
        ]),
        growing(
          column(
            [
              monthBar({
                shown: this.#shown,
                turn: months => this.#turn(months),
                today: () => this.#go(this.#today),
                create: () => this.#create(),
              }),
              growing(row([sized(this.#month(), { width: 7 * CELL_WIDTH + 1 }), growing(this.#day())])),
            ],
            { gap: 4, margin: 4 },
          ),
        ),
      ],
      { gap: 0 },
    );
  }

  dialog(): Dialog | undefined {
    return this.#ask?.();
  }

  // What is shown

  #month(): Widget {
    return month({
      shown: this.#shown,
      chosen: dateText(this.#chosen),
      today: dateText(this.#today),
      counts: eventCounts(this.#world),
      choose: day => this.#choose(day),
      open: () => this.#create(),
      menu: day => {
        this.#choose(day);
        return [this.#newItem()];
      },
      drop: (cargo, day) => this.#move(cargo, day),
      turn: months => this.#turn(months),
    });
  }

  #day(): Widget {
    return dayPanel({
      title: dayTitle(this.#chosen),
      events: eventsOn(this.#world, dateText(this.#chosen)),
      chosen: this.#event,
      choose: id => {
        this.#event = id;
      },
      open: id => this.#edit(id),
      // The right click chooses the event before anything of its menu is.
      menu: () => this.#eventItems(),
      time: time => timeText(time, this.#world.settings.timeFormat),
      scrolled: this.#scrolled,
      scroll: offset => {
        this.#scrolled = offset;
      },
      edit: () => this.#edit(this.#event),
      remove: () => this.#delete(),
    });
  }

  // Menus and keys

  #newItem(): MenuItem {
    return { name: 'New event...', shortcut: 'Ctrl+N', choose: () => this.#create() };
  }

  #eventItems(enabled = true): readonly MenuItem[] {
    return [
      { name: 'Edit event...', enabled, shortcut: 'F2', choose: () => this.#edit(this.#event) },
      { name: 'Delete event...', enabled, shortcut: 'Del', choose: () => this.#delete() },
    ];
  }

  #goItems(): readonly MenuItem[] {
    return [
      { name: 'Today', shortcut: 'Ctrl+T', choose: () => this.#go(this.#today) },
      { name: 'Go to date...', shortcut: 'Ctrl+G', choose: () => this.#askDate() },
      { name: 'Previous month', shortcut: 'PgUp', apart: true, choose: () => this.#turn(-1) },
      { name: 'Next month', shortcut: 'PgDn', choose: () => this.#turn(1) },
    ];
  }

  stroke(stroke: KeyStroke): boolean {
    const act = {
      left: () => this.#go(plusDays(this.#chosen, -1)),
      right: () => this.#go(plusDays(this.#chosen, 1)),
      up: () => this.#go(plusDays(this.#chosen, -7)),
      down: () => this.#go(plusDays(this.#chosen, 7)),
      pageup: () => this.#turn(-1),
      pagedown: () => this.#turn(1),
      home: () => this.#go(this.#today),
      'ctrl+t': () => this.#go(this.#today),
      'ctrl+g': () => this.#askDate(),
      'ctrl+n': () => this.#create(),
      f2: () => this.#edit(this.#event),
      delete: () => this.#delete(),
    }[stroke];
    act?.();
    return act !== undefined;
  }

  // What is done

  get #picked(): CalendarEvent | undefined {
    return eventWith(this.#world, this.#event);
  }

  #choose(day: CalendarDay): void {
    if (dateText(day) !== dateText(this.#chosen)) {
      this.#event = undefined;
      this.#scrolled = 0;
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

  readonly #close = (): void => {
    this.#ask = undefined;
  };

  #askDate(): void {
    const form = new DateForm({
      date: dateText(this.#chosen),
      go: day => this.#go(day),
      close: this.#close,
    });
    this.#ask = () => form.dialog();
  }

  #form(title: string, entry: EventDraft, done: (entry: EventDraft) => number): void {
    const save = (saved: EventDraft) => {
      const id = done(saved);
      this.show(saved.date);
      this.#event = id;
    };
    const form = new EventForm({ title, entry, save, close: this.#close });
    this.#ask = () => form.dialog();
  }

  #create(): void {
    this.#form('New event', { title: '', date: dateText(this.#chosen), time: '09:00' }, entry => {
      this.#shell.toast('Event added');
      return add(this.#world, entry).id;
    });
  }

  #edit(id: number | undefined): void {
    const event = eventWith(this.#world, id);
    if (event === undefined) return;
    this.#form('Edit event', event, entry => {
      change(this.#world, event.id, entry);
      this.#shell.toast('Event changed');
      return event.id;
    });
  }

  #delete(): void {
    const event = this.#picked;
    if (event === undefined) return;
    const choose = () => {
      remove(this.#world, event.id);
      this.#event = undefined;
      this.#shell.toast('Event deleted');
      this.#close();
    };
    const text = `'${nameOf(event)}' will be gone for good.`;
    this.#ask = () =>
      question({ title: 'Delete event?', text, answers: [{ name: 'Delete', choose }], cancel: this.#close });
  }

  #move({ kind, name }: DragPayload, day: CalendarDay): void {
    if (kind !== EVENT_CARGO) return;
    change(this.#world, Number(name), { date: dateText(day) });
    this.#event = undefined;
    this.#shell.toast(`Moved to ${dayTitle(day)}`);
  }
}
