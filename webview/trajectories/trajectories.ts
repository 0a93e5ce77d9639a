// The panel Trajectories: the list, and beside it one or two trajectories in detail.

import type { ListedAgent } from '../../runtime/protocol/daemon/agents.ts';
import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import type { PanelPlace } from '../../runtime/protocol/panels.ts';
import { Inspector } from '../inspector/inspector.ts';
import { annotatorName } from '../shared/annotator.ts';
import { button, spinner } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import { ConnectionLostError, messageOf } from '../shared/errors.ts';
import { formatCount } from '../shared/labels.ts';
import type { Panel, PanelContext } from '../shared/panel.ts';
import { emptyState, errorState } from '../shared/placeholders.ts';
import { finishedEpisodes, Refill } from '../shared/refill.ts';
import { Store } from '../shared/store.ts';
import { VirtualList } from '../shared/virtual/list.ts';
import { pagesInSpan, type RowSpan } from '../shared/virtual/window.ts';
import { AgentComparisonView } from './compare/compare.ts';
import { usualPair } from './compare/state.ts';
import { ExchangeButtons } from './exchange-buttons.ts';
import { FilterBar } from './filters.ts';
import { comparedAgents, type ListPosition, openedOf, parsePosition } from './place.ts';
import { PoolToggle } from './pool-toggle.ts';
import { hasFilters, type ListFilters, mixesAgents, parseFilters, toQuery } from './query.ts';
import { fillRow, ROW_HEIGHT_PX } from './row.ts';
import { initialList, type ListEvent, type ListState, ROWS_PER_PAGE, reduceList, rowAt } from './state.ts';
import { VerdictButtons } from './verdict.ts';

const FILTERS_KEY = 'trajectories';
const POSITION_KEY = 'trajectories-at';
/** The position is stored after this time without scrolling. */
const STORE_DELAY_MS = 200;

export class TrajectoriesPanel implements Panel {
  readonly element: HTMLElement;
  readonly #context: PanelContext;
  readonly #list: VirtualList;
  readonly #store: Store<ListState, ListEvent>;
  readonly #bar: FilterBar;
  readonly #inspectors: readonly [Inspector, Inspector];
  readonly #verdict: VerdictButtons;
  readonly #poolToggle: PoolToggle;
  readonly #count = make('p', { class: 'faint', text: '' });
  readonly #refresh;
  readonly #close;
  readonly #instead = make('div', { class: 'instead' });
  readonly #closely = make('div', { class: 'closely-room' });
  readonly #hint = emptyState(
    'Choose a trajectory',
    'Its steps, its decisions and their probabilities appear here. Ctrl or Cmd opens a second trajectory beside it.',
  );
  readonly #comparison: AgentComparisonView;
  readonly #compare;
  readonly #exchange: ExchangeButtons;
  readonly #mixed = make('p', {
    class: 'mixed faint',
    text: 'The uncertainties of different agents are not comparable. Choose one agent above.',
  });
  #agents: readonly ListedAgent[] = [];
  #filters: ListFilters;
  #place: PanelPlace = { panel: 'trajectories' };
  #isConnected = false;
  /** The number of trajectories of each run. */
  readonly #counts = new Map<string, number>();
  readonly #refill = new Refill({
    isEmpty: () => this.#store.state.isFresh && this.#store.state.total === 0,
    fetch: () => this.#fetchFirstPage(),
  });
  #top = 0;
  /** The position to restore after a reload. */
  #restore: ListPosition | undefined;
  #storeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(context: PanelContext) {
    this.#context = context;
    this.#filters = parseFilters(context.host.read(FILTERS_KEY));
    this.#store = new Store(initialList(toQuery(this.#filters, undefined)), reduceList, state =>
      this.#draw(state),
    );
    this.#restore = parsePosition(context.host.read(POSITION_KEY));
    this.#list = new VirtualList('Trajectories', {
      height: ROW_HEIGHT_PX,
      fill: (element, index) => this.#fill(element, index),
      onVisible: span => this.#seen(span),
      onScroll: top => this.#storePosition(top),
      onMove: at => {
        this.#store.dispatch({ kind: 'moved', at });
        this.#storePosition(this.#top);
        this.#openSoon(at);
      },
      onOpen: (at, isBeside) => {
        this.#store.dispatch({ kind: 'moved', at });
        this.#storePosition(this.#top);
        this.#open(rowAt(this.#store.state, at)?.trajectory, isBeside);
      },
    });
    this.#compare = button({ text: 'Compare', label: 'Compare agents', title: 'Compare two agents' }, () =>
      this.#openComparison(),
    );
    this.#bar = new FilterBar(this.#filters, this.#compare.element, filters => {
      this.#filters = filters;
      context.host.keep(FILTERS_KEY, filters);
      this.#query();
    });
    const reloadBoth = (): void => {
      for (const each of this.#inspectors) each.reload();
    };
    this.#refresh = button({ text: 'Refresh', title: 'Fetch the list again' }, () => {
      this.#fetchAgents();
      this.#query();
      this.#comparison.refresh();
      // It may have been trained or judged meanwhile.
      reloadBoth();
    });
    const { link } = context.host;
    const inspector = (isBeside: boolean) =>
      new Inspector({
        link,
        frames: context.frames,
        storage: context.host,
        open: (trajectory, beside) => this.#open(trajectory, isBeside || beside),
        onStep: step => {
          if (!isBeside) this.#go({ ...this.#place, step }, false);
        },
        onLoad: whole => {
          if (whole !== undefined) this.#store.dispatch({ kind: 'marked', row: whole });
          if (isBeside) return;
          this.#verdict.show(whole);
          this.#poolToggle.show(whole);
        },
      });
    this.#inspectors = [inspector(false), inspector(true)];
    const shared = { link, who: () => annotatorName(context.host), showError: context.showError };
    this.#verdict = new VerdictButtons({ ...shared, onChange: reloadBoth });
    this.#poolToggle = new PoolToggle({ ...shared, onChange: reloadBoth });
    this.#close = button({ text: '← List', title: 'Back (Esc)', kind: 'icon' }, () => this.#back());
    const apart = button({ text: 'Close the second trajectory', kind: 'icon' }, () => {
      this.#go({ ...this.#place, beside: undefined }, true);
      // The button that had the focus is hidden now.
      this.#close.element.focus();
    });
    this.#close.element.classList.add('close');
    apart.element.classList.add('apart');
    const tools = make(
      'div',
      { class: 'tools' },
      this.#close.element,
      this.#verdict.element,
      this.#poolToggle.element,
      apart.element,
    );
    const [one, other] = this.#inspectors;
    this.#closely.append(tools, make('div', { class: 'pair' }, one.element, other.element));
    this.#comparison = new AgentComparisonView({
      link,
      back: () => this.#back(),
      choose: ([agent, against]) => this.#go({ ...this.#place, agent, against }, true),
      watch: ({ rows: [one, other] }) =>
        this.#go({ ...this.#place, trajectory: one.trajectory, beside: other.trajectory }, true),
      showError: context.showError,
    });
    this.#setAgents([]);
    this.#exchange = new ExchangeButtons(context.host, {
      target: () => this.#place,
      imported: () => this.#refresh.setText('Show new trajectories'),
    });
    const head = make('div', { class: 'list-head' }, this.#count, this.#refresh.element);
    const side = make(
      'div',
      { class: 'list-side' },
      this.#bar.element,
      head,
      this.#exchange.element,
      this.#mixed,
      this.#list.element,
      this.#instead,
    );
    this.element = make(
      'div',
      { class: 'trajectories' },
      side,
      this.#hint,
      this.#closely,
      this.#comparison.element,
    );
    this.#verdict.show(undefined);
    this.#poolToggle.show(undefined);
  }

  show(place: PanelPlace): void {
    const isOtherRun = place.run !== this.#place.run;
    // A step of the open trajectory must not keep the chosen one closed.
    if (isOtherRun || openedOf(place) === 'none' || place.trajectory !== this.#place.trajectory)
      clearTimeout(this.#soon);
    this.#place = place;
    if (isOtherRun && this.#isConnected) this.#query();
    const { trajectory, beside, step } = place;
    const compared = trajectory === undefined ? comparedAgents(place) : undefined;
    this.element.dataset['open'] = openedOf(place);
    const back = comparedAgents(place) === undefined ? '← List' : '← Comparison';
    this.#close.setText(back, back);
    this.#comparison.element.hidden = compared === undefined;
    this.#hint.hidden = trajectory !== undefined || compared !== undefined;
    this.#closely.hidden = trajectory === undefined;
    if (!this.#isConnected) return;
    if (compared !== undefined) this.#comparison.show(compared, place.run);
    this.#inspectors[0].open(trajectory, step);
    this.#inspectors[1].open(beside);
    this.#redraw();
  }

  connected(): void {
    this.#isConnected = true;
    this.#exchange.connected();
    // After a reconnect the list keeps its position.
    const { at } = this.#store.state;
    this.#restore ??= { at, top: this.#top };
    this.#fetchFirstPage();
    this.#fetchAgents();
    this.#comparison.refresh();
    this.show(this.#place);
    for (const each of this.#inspectors) each.connected();
  }

  stateChanged(state: RunState): void {
    if (this.#place.run !== undefined && state.run !== this.#place.run) return;
    this.#refill.stateChanged(state);
    const count = finishedEpisodes(state);
    // The first state of a run counts trajectories that the list already has.
    if (count > (this.#counts.get(state.run) ?? count)) this.#refresh.setText('Show new trajectories');
    this.#counts.set(state.run, count);
  }

  runsChanged(): void {}

  keyPressed(event: KeyboardEvent): boolean {
    if (event.key === 'Escape' && openedOf(this.#place) !== 'none') {
      this.#back();
      return true;
    }
    const [one, other] = this.#inspectors;
    const isUsed = one.keyPressed(event);
    // Both trajectories move together.
    return this.#place.beside === undefined ? isUsed : other.keyPressed(event) || isUsed;
  }

  /** From a trajectory to the comparison that opened it, and from there to the list. */
  #back(): void {
    const { run, trajectory, agent, against } = this.#place;
    const isCompared = trajectory !== undefined && comparedAgents(this.#place) !== undefined;
    this.#go({ panel: 'trajectories', run, ...(isCompared && { agent, against }) }, true);
    // The button that had the focus is hidden now.
    if (isCompared) this.#comparison.focus();
    else this.#list.element.focus();
  }

  #openComparison(): void {
    const [agent, against] = usualPair(this.#agents) ?? [];
    this.#go({ panel: 'trajectories', run: this.#place.run, agent, against }, true);
  }

  #fetchAgents(): void {
    this.#context.host.link
      .request('agents.list', {})
      .then(({ agents }) => this.#setAgents(agents), this.#context.showError);
  }

  #setAgents(agents: readonly ListedAgent[]): void {
    this.#agents = agents;
    this.#bar.setAgents(agents);
    this.#comparison.setAgents(agents);
    this.#compare.element.hidden = agents.length < 2;
    this.#redraw();
  }

  #go(place: PanelPlace, isNew: boolean): void {
    this.#context.go(place, isNew);
  }

  #open(trajectory: string | undefined, isBeside: boolean): void {
    clearTimeout(this.#soon);
    if (trajectory === undefined) return;
    const { trajectory: first, run } = this.#place;
    if (isBeside && first !== undefined && first !== trajectory)
      this.#go({ ...this.#place, beside: trajectory }, true);
    else this.#go({ panel: 'trajectories', run, trajectory }, first === undefined);
  }

  #soon: ReturnType<typeof setTimeout> | undefined;

  /** Holding an arrow key must not open every trajectory on the way. */
  #openSoon(at: number): void {
    if (this.element.dataset['open'] === 'none') return;
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => this.#open(rowAt(this.#store.state, at)?.trajectory, false), 120);
  }

  #query(): void {
    this.#restore = undefined;
    this.#list.scrollTo(0);
    this.#fetchFirstPage();
  }

  #fetchFirstPage(): void {
    this.#store.dispatch({ kind: 'queried', query: toQuery(this.#filters, this.#place.run) });
    this.#refresh.setText('Refresh');
    this.#fetchPage(0);
  }

  #storePosition(top: number): void {
    this.#top = top;
    clearTimeout(this.#storeTimer);
    this.#storeTimer = setTimeout(
      () => this.#context.host.keep(POSITION_KEY, { top, at: this.#store.state.at }),
      STORE_DELAY_MS,
    );
  }

  /** Called when the list has its length again. */
  #restorePosition(): void {
    const { isFresh, total } = this.#store.state;
    const position = this.#restore;
    if (position === undefined || !isFresh || total === undefined) return;
    this.#restore = undefined;
    this.#list.scrollTo(position.top);
    if (position.at === undefined || position.at >= total) return;
    // It may be out of sight: the wheel scrolls without it.
    this.#list.restore(position.at);
    this.#store.dispatch({ kind: 'moved', at: position.at });
  }

  /** Waits for a request under way: while the user drags the scroll bar, the list passes pages faster than they arrive. */
  #seen(span: RowSpan): void {
    const { isFresh, requestedPages, pages } = this.#store.state;
    if (!isFresh || !this.#isConnected || requestedPages.size > pages.size) return;
    for (const page of pagesInSpan(span, ROWS_PER_PAGE)) if (!requestedPages.has(page)) this.#fetchPage(page);
  }

  #fetchPage(page: number): void {
    const { generation, query, upTo } = this.#store.state;
    this.#store.dispatch({ kind: 'requested', generation, page });
    const params = {
      ...query,
      ...(upTo !== undefined && { upTo }),
      offset: page * ROWS_PER_PAGE,
      limit: ROWS_PER_PAGE,
    };
    this.#context.host.link.request('trajectories.list', params).then(
      list => this.#store.dispatch({ kind: 'received', generation, page, list }),
      (error: unknown) => {
        // The rows of this query can still be read. The page counts as requested until `connected` fetches the list again.
        if (error instanceof ConnectionLostError && this.#store.state.isFresh) return;
        const why = messageOf(error);
        this.#store.dispatch({ kind: 'failed', generation, page, why });
      },
    );
  }

  #fill(element: HTMLElement, index: number): void {
    const row = rowAt(this.#store.state, index);
    const { trajectory, beside } = this.#place;
    const opened =
      row === undefined ? 0 : row.trajectory === trajectory ? 1 : row.trajectory === beside ? 2 : 0;
    fillRow(element, row, opened, Date.now(), this.#agents.length > 1);
  }

  #redraw(): void {
    this.#draw(this.#store.state);
  }

  #draw({ total, at, problem, isFresh }: ListState): void {
    this.#list.show(total ?? 0, at);
    this.#restorePosition();
    this.#list.element.dataset['stale'] = String(!isFresh);
    this.#mixed.hidden = !mixesAgents(this.#filters, this.#agents.length);
    this.#count.textContent =
      total === undefined ? '' : `${formatCount(total)} ${total === 1 ? 'trajectory' : 'trajectories'}`;
    const instead = this.#insteadOf(total, problem);
    this.#list.element.hidden = instead !== undefined;
    this.#instead.replaceChildren(...(instead === undefined ? [] : [instead]));
  }

  #insteadOf(total: number | undefined, problem: string | undefined): HTMLElement | undefined {
    if (problem !== undefined)
      return errorState('The list could not be loaded.', problem, () => {
        this.#restore = { at: this.#store.state.at, top: this.#top };
        this.#fetchFirstPage();
      });
    if (total === undefined) return spinner('Loading trajectories…');
    if (total > 0) return undefined;
    return hasFilters(this.#filters)
      ? emptyState('No trajectory matches', 'Remove a filter above.')
      : emptyState('No trajectories yet', 'The first ones appear within seconds after a run starts.');
  }
}
