// The panel Desktops: a wall of the live desktops of the run that trains, and one of them in full size, which a person can take over.

import type { DesktopView } from '../../runtime/protocol/daemon/desktops.ts';
import type { HostState } from '../../runtime/protocol/daemon/hosts.ts';
import type { PanelPlace } from '../../runtime/protocol/panels.ts';
import { annotatorName } from '../shared/annotator.ts';
import { spinner } from '../shared/controls.ts';
import { arrangeChildren, make } from '../shared/dom.ts';
import { messageOf } from '../shared/errors.ts';
import type { ReplyWithBytes } from '../shared/link/link.ts';
import type { Panel, PanelContext } from '../shared/panel.ts';
import { emptyState, errorState } from '../shared/placeholders.ts';
import { isCombined } from '../shared/shortcut-key.ts';
import { DesktopDetail } from './detail.ts';
import { HostHeading } from './host-heading.ts';
import { DesktopsPoller } from './poller.ts';
import { desktopsByHost, NO_DESKTOPS, neighbourOf, summaryOf, withUpdate } from './state.ts';
import { DesktopTile } from './tile.ts';

export class DesktopsPanel implements Panel {
  readonly element: HTMLElement;
  readonly #context: PanelContext;
  readonly #poller: DesktopsPoller;
  readonly #summary = make('p', { class: 'faint says' });
  readonly #wall = make('div', { class: 'cards' });
  readonly #notes = make('div');
  readonly #detail: DesktopDetail;
  readonly #tiles = new Map<string, DesktopTile>();
  readonly #headings = new Map<string, HostHeading>();
  #watched = NO_DESKTOPS;
  /** Whether all desktops are known. The daemon sends one alone while it is shown in full size. */
  #knowsWall = false;
  #place: PanelPlace = { panel: 'desktops' };
  #isConnected = false;

  constructor(context: PanelContext) {
    this.#context = context;
    this.#detail = new DesktopDetail({
      back: () => this.#open(undefined),
      turn: by => this.#turn(by),
      takeOver: () => this.#takeOver(),
    });
    this.element = make('div', { class: 'desktops' }, this.#summary, this.#notes, this.#wall);
    this.#poller = new DesktopsPoller({
      link: () => context.host.link,
      params: () => {
        const { desktop } = this.#place;
        const one = this.#knowsWall ? desktop : undefined;
        return { after: this.#watched.after, ...(one !== undefined && { desktop: one }) };
      },
      received: answer => this.#receive(answer),
      failed: error => this.#failed(error),
    });
    // A hidden panel requests no pictures.
    document.addEventListener('visibilitychange', () => this.#updatePolling());
    new IntersectionObserver(() => this.#updatePolling()).observe(this.element);
  }

  show(place: PanelPlace): void {
    const { desktop } = place;
    const isOther = desktop !== this.#place.desktop;
    const before = this.#place.desktop;
    this.#place = place;
    if (isOther) {
      // Pictures of the other size must be fetched again.
      this.#watched = { ...this.#watched, after: 0 };
      if (desktop !== undefined) this.#openDetail(desktop);
      this.#layOut();
      if (desktop !== undefined) this.#detail.focus();
      else if (before !== undefined) this.#tiles.get(before)?.element.focus({ preventScroll: true });
      this.#poller.pollNow();
    }
    this.#updatePolling();
  }

  connected(): void {
    this.#isConnected = true;
    this.#watched = NO_DESKTOPS;
    this.#knowsWall = false;
    this.#detail.offerTakeOver(this.#context.host.link.supports('record.takeOver'));
    this.#notes.replaceChildren(spinner('Loading the desktops…'));
    this.#poller.pollNow();
    this.#updatePolling();
  }

  stateChanged(): void {}

  runsChanged(): void {}

  keyPressed(event: KeyboardEvent): boolean {
    if (this.#place.desktop === undefined || isCombined(event)) return false;
    const { key } = event;
    if (key === 'Escape') this.#open(undefined);
    else if (key === 'ArrowLeft') this.#turn(-1);
    else if (key === 'ArrowRight') this.#turn(1);
    else return false;
    return true;
  }

  #updatePolling(): void {
    const isVisible = this.element.isConnected && document.visibilityState === 'visible';
    this.#poller.setActive(isVisible && this.#isConnected);
  }

  #open(desktop: string | undefined): void {
    this.#context.go({ panel: 'desktops', desktop }, true);
  }

  #openDetail(desktop: string): void {
    this.#detail.open(desktop);
    const view = this.#watched.views.get(desktop);
    if (view !== undefined) this.#detail.show(view);
  }

  #turn(by: 1 | -1): void {
    const { desktop } = this.#place;
    const next = desktop === undefined ? undefined : neighbourOf(this.#watched.views, desktop, by);
    if (next !== undefined) this.#open(next);
  }

  /** The panel Record then shows the desktop. */
  #takeOver(): void {
    const { desktop } = this.#place;
    const { host } = this.#context;
    if (desktop === undefined) return;
    this.#detail.taking(true);
    host.link
      .request('record.takeOver', { desktop, who: annotatorName(host) })
      .then(() => this.#context.go({ panel: 'record' }, true))
      .catch((error: unknown) => this.#context.showError(error))
      .finally(() => this.#detail.taking(false));
  }

  async #receive({ result, bytes }: ReplyWithBytes<'desktops.look'>): Promise<void> {
    const hadRun = this.#watched.run;
    this.#watched = withUpdate(this.#watched, result);
    const { run, views } = this.#watched;
    if (run !== hadRun) this.#forget();
    if (run !== hadRun && this.#knowsWall) {
      // The answer may have one desktop of the new run alone.
      this.#knowsWall = false;
      // The desktops in this reply are not drawn, so they must be sent again.
      this.#watched = { ...this.#watched, after: 0 };
      this.#poller.pollNow();
      return;
    }
    const { desktop } = this.#place;
    // In full size the others are as they were last.
    const summary = desktop === undefined ? ` · ${summaryOf(views)}` : '';
    this.#summary.textContent = run === undefined ? '' : `${run}${summary}`;
    if (run === undefined)
      this.#note(emptyState('No run is training', 'Start or continue a run to watch its desktops here.'));
    else if (views.size === 0) this.#note(spinner('Waiting for the first screen…'));
    else if (this.#knowsWall && desktop !== undefined && !views.has(desktop)) {
      this.#detail.gone();
      this.#note(emptyState('This desktop has left the run', 'Return to all desktops to watch another one.'));
    } else this.#notes.replaceChildren();
    this.#layOut();
    for (const view of result.views) {
      if (desktop === undefined) this.#tiles.get(view.desktop)?.show(view);
      else if (view.desktop === desktop) this.#detail.show(view);
    }
    const isFirstWall = !this.#knowsWall && views.size > 0;
    this.#knowsWall ||= isFirstWall;
    if (isFirstWall && desktop !== undefined) {
      // These pictures are small.
      this.#watched = { ...this.#watched, after: 0 };
      this.#poller.pollNow();
      return;
    }
    await Promise.all(
      result.views.flatMap(view =>
        view.picture === undefined ? [] : [this.#draw(view, view.picture, bytes)],
      ),
    );
  }

  async #draw(
    view: DesktopView,
    { from, length }: NonNullable<DesktopView['picture']>,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<void> {
    const { desktop } = this.#place;
    const blob = new Blob([bytes.subarray(from, from + length)], { type: 'image/png' });
    const picture = await createImageBitmap(blob);
    // The user may have opened another desktop meanwhile.
    if (desktop === this.#place.desktop) {
      if (desktop === undefined) this.#tiles.get(view.desktop)?.draw(picture);
      else this.#detail.draw(picture, view);
    }
    picture.close();
  }

  #failed(error: unknown): void {
    const why = messageOf(error);
    this.#note(errorState('The desktops could not be loaded.', why, () => this.#poller.pollNow()));
  }

  /** Replaced only if the text changes, since screen readers announce it. */
  #note(element: HTMLElement): void {
    if (this.#notes.textContent !== element.textContent) this.#notes.replaceChildren(element);
  }

  #forget(): void {
    this.#tiles.clear();
    this.#headings.clear();
    this.#wall.replaceChildren();
  }

  /** Shows the wall or one desktop. */
  #layOut(): void {
    const { views, run } = this.#watched;
    // An ended run has no desktops.
    const desktop = run === undefined ? undefined : this.#place.desktop;
    const content = desktop === undefined ? this.#wall : this.#detail.element;
    if (this.element.lastElementChild !== content) this.element.lastElementChild?.replaceWith(content);
    if (desktop !== undefined) {
      const has = (by: 1 | -1): boolean => neighbourOf(views, desktop, by) !== undefined;
      this.#detail.neighbours(has(-1), has(1));
      return;
    }
    arrangeChildren(
      this.#wall,
      desktopsByHost(this.#watched).flatMap(({ host, desktops }) => [
        ...(host === undefined ? [] : [this.#headingOf(host)]),
        ...desktops.map(name => this.#tileOf(name, host)),
      ]),
    );
  }

  #headingOf(host: HostState): HTMLElement {
    const heading =
      this.#headings.get(host.name) ??
      new HostHeading(host.name, {
        link: this.#context.host.link,
        run: () => this.#watched.run,
        failed: error => this.#context.showError(error),
      });
    this.#headings.set(host.name, heading);
    heading.show(host, this.#watched.hosts);
    return heading.element;
  }

  #tileOf(name: string, host: HostState | undefined): HTMLElement {
    const tile = this.#tiles.get(name) ?? new DesktopTile(name, () => this.#open(name));
    this.#tiles.set(name, tile);
    tile.setStale(host?.status === 'lost');
    return tile.element;
  }
}
