// The panel Desktops: a wall of the screens on which the run that trains plays just now, and one of them closely. Nothing is done to
// them from here.

import type { DesktopView } from '../../runtime/protocol/daemon/desktops.ts';
import type { PanelPlace } from '../../runtime/protocol/panels.ts';
import { waiting } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import type { ReplyWithBytes } from '../shared/link/link.ts';
import type { Around, Panel } from '../shared/panel.ts';
import { nothing, troubled } from '../shared/states.ts';
import { CloseUp } from './close-up.ts';
import { Looking } from './looking.ts';
import { beside, NOTHING_WATCHED, summed, withLooked } from './state.ts';
import { Tile } from './tile.ts';

export class Desktops implements Panel {
  readonly element: HTMLElement;
  readonly #around: Around;
  readonly #looking: Looking;
  readonly #says = make('p', { class: 'faint says' });
  readonly #wall = make('div', { class: 'cards' });
  readonly #notes = make('div');
  readonly #closeUp: CloseUp;
  readonly #tiles = new Map<string, Tile>();
  #watched = NOTHING_WATCHED;
  #place: PanelPlace = { panel: 'desktops' };
  #isConnected = false;

  constructor(around: Around) {
    this.#around = around;
    this.#closeUp = new CloseUp({
      back: () => this.#open(undefined),
      turn: by => this.#turn(by),
    });
    this.element = make('div', { class: 'desktops' }, this.#says, this.#notes, this.#wall);
    this.#looking = new Looking({
      link: () => around.host.link,
      asked: () => {
        const { desktop } = this.#place;
        return { after: this.#watched.after, ...(desktop !== undefined && { desktop }) };
      },
      found: answer => this.#found(answer),
      failed: error => this.#failed(error),
    });
    // Who does not look is shown nothing.
    document.addEventListener('visibilitychange', () => this.#heed());
    new IntersectionObserver(() => this.#heed()).observe(this.element);
  }

  show(place: PanelPlace): void {
    const { desktop } = place;
    const isOther = desktop !== this.#place.desktop;
    const before = this.#place.desktop;
    this.#place = place;
    if (isOther) {
      // Pictures of the other size are all new.
      this.#watched = { ...this.#watched, after: 0 };
      if (desktop !== undefined) this.#openCloseUp(desktop);
      this.#layOut();
      if (desktop !== undefined) this.#closeUp.focus();
      else if (before !== undefined) this.#tiles.get(before)?.element.focus({ preventScroll: true });
      this.#looking.again();
    }
    this.#heed();
  }

  connected(): void {
    this.#isConnected = true;
    this.#watched = NOTHING_WATCHED;
    this.#notes.replaceChildren(waiting('Looking at the desktops…'));
    this.#looking.again();
    this.#heed();
  }

  heard(): void {}

  runs(): void {}

  pressed({ key }: KeyboardEvent): boolean {
    if (this.#place.desktop === undefined) return false;
    if (key === 'Escape') this.#open(undefined);
    else if (key === 'ArrowLeft') this.#turn(-1);
    else if (key === 'ArrowRight') this.#turn(1);
    else return false;
    return true;
  }

  #heed(): void {
    const isSeen = this.element.isConnected && document.visibilityState === 'visible';
    this.#looking.turn(isSeen && this.#isConnected);
  }

  #open(desktop: string | undefined): void {
    this.#around.go({ panel: 'desktops', desktop }, true);
  }

  #openCloseUp(desktop: string): void {
    this.#closeUp.open(desktop);
    const known = this.#watched.known.get(desktop);
    if (known !== undefined) this.#closeUp.show(known);
  }

  #turn(by: 1 | -1): void {
    const { desktop } = this.#place;
    const next = desktop === undefined ? undefined : beside(this.#watched.known, desktop, by);
    if (next !== undefined) this.#open(next);
  }

  async #found({ result, bytes }: ReplyWithBytes<'desktops.look'>): Promise<void> {
    const hadRun = this.#watched.run;
    this.#watched = withLooked(this.#watched, result);
    const { run, known } = this.#watched;
    if (run !== hadRun) this.#forget();
    this.#says.textContent = run === undefined ? '' : `${run} · ${summed(known)}`;
    if (run === undefined)
      this.#note(
        nothing(
          'No run trains just now',
          'While one does, its desktops are shown here as they are played on.',
        ),
      );
    else if (known.size === 0) this.#note(waiting('Waiting for the first screens…'));
    else this.#notes.replaceChildren();
    this.#layOut();
    for (const view of result.views) {
      if (this.#place.desktop !== undefined) this.#closeUp.show(view);
      else this.#tiles.get(view.desktop)?.show(view);
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
    // Somebody may have turned to another one meanwhile.
    if (desktop === this.#place.desktop) {
      if (desktop === undefined) this.#tiles.get(view.desktop)?.draw(picture);
      else this.#closeUp.draw(picture, view);
    }
    picture.close();
  }

  #failed(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    this.#note(troubled('The desktops cannot be shown.', why, () => this.#looking.again()));
  }

  /** Only where it says something else: it is read aloud. */
  #note(element: HTMLElement): void {
    if (this.#notes.textContent !== element.textContent) this.#notes.replaceChildren(element);
  }

  #forget(): void {
    this.#tiles.clear();
    this.#wall.replaceChildren();
  }

  /** The wall, or the one. */
  #layOut(): void {
    const { known, run } = this.#watched;
    // Of a run that has ended nothing is left to be looked at.
    const desktop = run === undefined ? undefined : this.#place.desktop;
    const shown = desktop === undefined ? this.#wall : this.#closeUp.element;
    if (this.element.lastElementChild !== shown) this.element.lastElementChild?.replaceWith(shown);
    if (desktop !== undefined) {
      const has = (by: 1 | -1): boolean => beside(known, desktop, by) !== undefined;
      this.#closeUp.neighbours(has(-1), has(1));
      return;
    }
    for (const name of known.keys()) {
      if (this.#tiles.has(name)) continue;
      const tile = new Tile(name, () => this.#open(name));
      this.#tiles.set(name, tile);
      const at = [...known.keys()].indexOf(name);
      this.#wall.insertBefore(tile.element, this.#wall.children[at] ?? null);
    }
  }
}
