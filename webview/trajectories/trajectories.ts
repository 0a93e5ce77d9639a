// The panel Trajectories: the list of all that was done, and beside it one, or two, looked at closely.

import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import type { PanelPlace } from '../../runtime/protocol/panels.ts';
import { Inspector } from '../inspector/inspector.ts';
import { button, waiting } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import type { Around, Panel } from '../shared/panel.ts';
import { nothing, troubled } from '../shared/states.ts';
import { Store } from '../shared/store.ts';
import { VirtualList } from '../shared/virtual/list.ts';
import { pagesOf, type Span } from '../shared/virtual/window.ts';
import { whoIs } from '../shared/who.ts';
import { counted } from '../shared/words.ts';
import { FilterBar } from './filters.ts';
import { Membership } from './membership.ts';
import { type Filters, filtersOf, isNarrowed, queryOf } from './query.ts';
import { fillRow, ROW } from './row.ts';
import { type ListEvent, type Listing, listed, listing, PAGE, rowAt } from './state.ts';
import { HandVerdict } from './verdict.ts';

const KEPT = 'trajectories';
const KEPT_AT = 'trajectories-at';
/** Milliseconds without scrolling after which it is kept. */
const REST = 200;

export class Trajectories implements Panel {
  readonly element: HTMLElement;
  readonly #around: Around;
  readonly #list: VirtualList;
  readonly #store: Store<Listing, ListEvent>;
  readonly #bar: FilterBar;
  readonly #inspectors: readonly [Inspector, Inspector];
  readonly #verdict: HandVerdict;
  readonly #membership: Membership;
  readonly #count = make('p', { class: 'faint', text: '' });
  readonly #fresh;
  readonly #instead = make('div', { class: 'instead' });
  readonly #closely = make('div', { class: 'closely-room' });
  readonly #hint = nothing(
    'Choose a trajectory',
    'What was done step by step, and how sure the agent was, is shown here. With Ctrl or Cmd, a second one opens beside it.',
  );
  #filters: Filters;
  #place: PanelPlace = { panel: 'trajectories' };
  #isConnected = false;
  /** Of each run, how many trajectories there are. */
  readonly #known = new Map<string, number>();
  #top = 0;
  /** Where the list was before a reload, until it is there again. */
  #wanted: ListPlace | undefined;
  #resting: ReturnType<typeof setTimeout> | undefined;

  constructor(around: Around) {
    this.#around = around;
    this.#filters = filtersOf(around.host.read(KEPT));
    this.#store = new Store(listing(queryOf(this.#filters, undefined)), listed, state => this.#draw(state));
    this.#wanted = listPlaceOf(around.host.read(KEPT_AT));
    this.#list = new VirtualList('Trajectories', {
      height: ROW,
      fill: (element, index) => this.#fill(element, index),
      seen: span => this.#seen(span),
      scrolled: top => this.#keepAt(top),
      moved: at => {
        this.#store.tell({ kind: 'moved', at });
        this.#keepAt(this.#top);
        this.#openSoon(at);
      },
      opened: (at, isBeside) => {
        this.#store.tell({ kind: 'moved', at });
        this.#keepAt(this.#top);
        this.#open(rowAt(this.#store.state, at)?.trajectory, isBeside);
      },
    });
    this.#bar = new FilterBar(this.#filters, filters => {
      this.#filters = filters;
      around.host.keep(KEPT, filters);
      this.#query();
    });
    this.#fresh = button({ text: 'Refresh', title: 'Asks for the list anew' }, () => this.#query());
    const { link } = around.host;
    const inspector = (isBeside: boolean) =>
      new Inspector({
        link,
        frames: around.frames,
        kept: around.host,
        open: (trajectory, beside) => this.#open(trajectory, isBeside || beside),
        moved: step => {
          if (!isBeside) this.#go({ ...this.#place, step }, false);
        },
        arrived: whole => {
          if (whole !== undefined) this.#store.tell({ kind: 'marked', row: whole });
          if (isBeside) return;
          this.#verdict.show(whole);
          this.#membership.show(whole);
        },
      });
    this.#inspectors = [inspector(false), inspector(true)];
    const anew = (): void => {
      for (const each of this.#inspectors) each.reload();
    };
    const uses = { link, who: () => whoIs(around.host), complain: around.complain };
    this.#verdict = new HandVerdict({ ...uses, judged: anew });
    this.#membership = new Membership({ ...uses, changed: anew });
    const close = button({ text: '← List', title: 'Back to the list (Esc)', kind: 'icon' }, () =>
      this.#back(),
    );
    const apart = button({ text: 'Close the second', kind: 'icon' }, () => {
      this.#go({ ...this.#place, beside: undefined }, true);
      // The button that had the keyboard is gone.
      close.element.focus();
    });
    close.element.classList.add('close');
    apart.element.classList.add('apart');
    const tools = make(
      'div',
      { class: 'tools' },
      close.element,
      this.#verdict.element,
      this.#membership.element,
      apart.element,
    );
    const [one, other] = this.#inspectors;
    this.#closely.append(tools, make('div', { class: 'pair' }, one.element, other.element));
    const head = make('div', { class: 'list-head' }, this.#count, this.#fresh.element);
    const side = make(
      'div',
      { class: 'list-side' },
      this.#bar.element,
      head,
      this.#list.element,
      this.#instead,
    );
    this.element = make('div', { class: 'trajectories' }, side, this.#hint, this.#closely);
    this.#verdict.show(undefined);
    this.#membership.show(undefined);
  }

  show(place: PanelPlace): void {
    const isOtherRun = place.run !== this.#place.run;
    this.#place = place;
    if (isOtherRun && this.#isConnected) this.#query();
    const { trajectory, beside, step } = place;
    this.element.dataset['open'] = trajectory === undefined ? 'none' : beside === undefined ? 'one' : 'two';
    this.#hint.hidden = trajectory !== undefined;
    this.#closely.hidden = trajectory === undefined;
    if (!this.#isConnected) return;
    this.#inspectors[0].open(trajectory, step);
    this.#inspectors[1].open(beside);
    this.#redraw();
  }

  connected(): void {
    this.#isConnected = true;
    // After a loss the list is where it was.
    const { at } = this.#store.state;
    this.#wanted ??= { at, top: this.#top };
    this.#anew();
    this.show(this.#place);
    for (const each of this.#inspectors) each.connected();
  }

  heard(state: RunState): void {
    if (this.#place.run !== undefined && state.run !== this.#place.run) return;
    const { submitted, running } = state.data.books;
    const known = submitted - running;
    // What is first heard of a run tells of what the list has already.
    if (known > (this.#known.get(state.run) ?? known)) this.#fresh.say('Show new ones');
    this.#known.set(state.run, known);
  }

  runs(): void {}

  pressed(event: KeyboardEvent): boolean {
    if (event.key === 'Escape' && this.#place.trajectory !== undefined) {
      this.#back();
      return true;
    }
    const [one, other] = this.#inspectors;
    const isUsed = one.pressed(event);
    // Both go along, each as far as it reaches.
    return this.#place.beside === undefined ? isUsed : other.pressed(event) || isUsed;
  }

  #back(): void {
    this.#go({ panel: 'trajectories', run: this.#place.run }, true);
    this.#list.element.focus();
  }

  #go(place: PanelPlace, isNew: boolean): void {
    this.#around.go(place, isNew);
  }

  #open(trajectory: string | undefined, isBeside: boolean): void {
    if (trajectory === undefined) return;
    const { trajectory: first, run } = this.#place;
    if (isBeside && first !== undefined && first !== trajectory)
      this.#go({ ...this.#place, beside: trajectory }, true);
    else this.#go({ panel: 'trajectories', run, trajectory }, first === undefined);
  }

  #soon: ReturnType<typeof setTimeout> | undefined;

  /** Who runs down the list with the keyboard does not want everything on the way. */
  #openSoon(at: number): void {
    if (this.element.dataset['open'] === 'none') return;
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => this.#open(rowAt(this.#store.state, at)?.trajectory, false), 120);
  }

  #query(): void {
    this.#wanted = undefined;
    this.#list.scrollTo(0);
    this.#anew();
  }

  #anew(): void {
    this.#store.tell({ kind: 'queried', query: queryOf(this.#filters, this.#place.run) });
    this.#fresh.say('Refresh');
    this.#ask(0);
  }

  #keepAt(top: number): void {
    this.#top = top;
    clearTimeout(this.#resting);
    this.#resting = setTimeout(
      () => this.#around.host.keep(KEPT_AT, { top, at: this.#store.state.at }),
      REST,
    );
  }

  /** Once the list has its length again. */
  #comeBack(): void {
    const { isFresh, total } = this.#store.state;
    const wanted = this.#wanted;
    if (wanted === undefined || !isFresh || total === undefined) return;
    this.#wanted = undefined;
    this.#list.scrollTo(wanted.top);
    if (wanted.at !== undefined && wanted.at < total) this.#store.tell({ kind: 'moved', at: wanted.at });
  }

  #seen(span: Span): void {
    const { isFresh, asked } = this.#store.state;
    if (!isFresh || !this.#isConnected) return;
    for (const page of pagesOf(span, PAGE)) if (!asked.has(page)) this.#ask(page);
  }

  #ask(page: number): void {
    const { generation, query, upTo } = this.#store.state;
    this.#store.tell({ kind: 'asked', generation, page });
    const asked = { ...query, ...(upTo !== undefined && { upTo }), offset: page * PAGE, limit: PAGE };
    this.#around.host.link.request('trajectories.list', asked).then(
      list => this.#store.tell({ kind: 'arrived', generation, page, list }),
      (error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        this.#store.tell({ kind: 'failed', generation, page, why });
      },
    );
  }

  #fill(element: HTMLElement, index: number): void {
    const row = rowAt(this.#store.state, index);
    const { trajectory, beside } = this.#place;
    const opened =
      row === undefined ? 0 : row.trajectory === trajectory ? 1 : row.trajectory === beside ? 2 : 0;
    fillRow(element, row, opened, Date.now());
  }

  #redraw(): void {
    this.#draw(this.#store.state);
  }

  #draw({ total, at, trouble, isFresh }: Listing): void {
    this.#list.show(total ?? 0, at);
    this.#comeBack();
    this.#list.element.dataset['stale'] = String(!isFresh);
    this.#count.textContent =
      total === undefined ? '' : `${counted(total)} ${total === 1 ? 'trajectory' : 'trajectories'}`;
    const instead = this.#insteadOf(total, trouble);
    this.#list.element.hidden = instead !== undefined;
    this.#instead.replaceChildren(...(instead === undefined ? [] : [instead]));
  }

  #insteadOf(total: number | undefined, trouble: string | undefined): HTMLElement | undefined {
    if (trouble !== undefined)
      return troubled('The list could not be fetched.', trouble, () => this.#query());
    if (total === undefined) return waiting('Fetching trajectories…');
    if (total > 0) return undefined;
    return isNarrowed(this.#filters)
      ? nothing('None is like that', 'Widen the filters above.')
      : nothing(
          'There are no trajectories yet',
          'A training run fills this list within seconds of its start.',
        );
  }
}

interface ListPlace {
  readonly top: number;
  readonly at: number | undefined;
}

function listPlaceOf(kept: unknown): ListPlace | undefined {
  if (typeof kept !== 'object' || kept === null || !('top' in kept) || typeof kept.top !== 'number')
    return undefined;
  const at = 'at' in kept && typeof kept.at === 'number' ? kept.at : undefined;
  return { top: kept.top, at };
}
