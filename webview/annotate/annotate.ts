// The panel Annotate: a queue of trajectories worth keeping, one after the other, decided by single keys.

import type { AnnotationRemark } from '../../runtime/protocol/daemon/remarks.ts';
import type { PanelPlace } from '../../runtime/protocol/panels.ts';
import { Inspector } from '../inspector/inspector.ts';
import { button, field, waiting } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import type { Around, Panel } from '../shared/panel.ts';
import { nothing, troubled } from '../shared/states.ts';
import { Store } from '../shared/store.ts';
import { callOneself, whoIs } from '../shared/who.ts';
import { counted } from '../shared/words.ts';
import { Form } from './form.ts';
import { QueueList } from './queue.ts';
import {
  type Annotating,
  type AnnotatingEvent,
  annotated,
  beyond,
  current,
  inWords,
  isThrough,
  NOBODY_WAITS,
  undosOf,
} from './state.ts';

/** More than anybody decides without a pause. */
const FETCHED = 200;

const KEPT = 'annotate-undos';
/** Nobody takes back more than that. */
const UNDOS_KEPT = 50;

export class Annotate implements Panel {
  readonly element: HTMLElement;
  readonly #around: Around;
  readonly #store: Store<Annotating, AnnotatingEvent>;
  readonly #queue = new QueueList(at => this.#went(at));
  readonly #inspector: Inspector;
  readonly #form: Form;
  readonly #body: HTMLElement;
  readonly #signed: HTMLElement;
  readonly #looking = make('p', {
    class: 'faint',
    text: 'These are only to be looked at. In a folder of yours, what your runs achieved is accepted or rejected here.',
  });
  readonly #says = make('p', { class: 'hidden' });
  #place: PanelPlace = { panel: 'annotate' };
  #isConnected = false;
  #before: Promise<unknown> = Promise.resolve();

  constructor(around: Around) {
    this.#around = around;
    const { host, frames } = around;
    const begin = { ...NOBODY_WAITS, undos: undosOf(host.read(KEPT)) };
    this.#store = new Store(begin, annotated, state => this.#draw(state));
    this.#inspector = new Inspector({
      link: host.link,
      frames,
      kept: host,
      open: trajectory => around.go({ panel: 'trajectories', run: this.#place.run, trajectory }, true),
      moved: step => {
        this.#form.moved();
        around.go({ ...this.#place, step }, false);
      },
      arrived: () => this.#draw(this.#store.state),
    });
    this.#form = new Form({
      kept: host,
      say: (trajectory, remark) => this.#say(trajectory, remark),
      undo: () => this.#undo(),
      at: () => this.#inspector.at,
    });
    this.#says.setAttribute('role', 'status');
    const name = field({ label: 'Your name', placeholder: 'Your name' }, text => callOneself(host, text));
    name.value = whoIs(host);
    this.#signed = make('div', { class: 'signed' }, make('span', { text: 'Signed' }), name.element);
    this.#queue.element.append(this.#signed);
    const work = make('div', { class: 'work' }, this.#looking, this.#form.element, this.#inspector.element);
    this.#body = make('div', { class: 'annotating' }, this.#queue.element, work);
    this.element = make('div', { class: 'annotate' }, this.#says);
  }

  show(place: PanelPlace): void {
    const before = this.#place;
    this.#place = place;
    if (place.run !== before.run && this.#isConnected) {
      this.#fetch();
      return;
    }
    if (place.trajectory === before.trajectory) return;
    // Somebody wants to be shown that one.
    const { queue = [], at } = this.#store.state;
    const wanted = queue.findIndex(({ row }) => row.trajectory === place.trajectory);
    if (wanted >= 0 && wanted !== at) this.#went(wanted);
  }

  connected(): void {
    this.#isConnected = true;
    for (const part of [this.#form.element, this.#signed]) part.hidden = !this.#canSay;
    this.#looking.hidden = this.#canSay;
    this.#fetch();
    this.#inspector.connected();
  }

  /** At a trajectory, and not at a page that says that none waits. */
  get #isLooking(): boolean {
    return this.element.firstElementChild === this.#body;
  }

  get #canSay(): boolean {
    return this.#around.host.link.supports('annotate');
  }

  heard(): void {}

  runs(): void {}

  pressed(event: KeyboardEvent): boolean {
    if (event.altKey) return false;
    if (event.ctrlKey || event.metaKey) {
      if (event.key !== 'z') return false;
      this.#undo();
      return true;
    }
    // What nobody sees is not decided; what was said last can be taken back.
    if (!this.#isLooking && event.key !== 'u') return false;
    const says = this.#canSay ? this.#keys[event.key] : undefined;
    const does = this.#moves[event.key] ?? says;
    if (does === undefined) return this.#inspector.pressed(event);
    // Whoever holds a key down has decided once.
    if (!(event.repeat && does === says)) does();
    return true;
  }

  readonly #keys: Readonly<Record<string, () => void>> = {
    a: () => this.#form.decide(true),
    r: () => this.#form.decide(false),
    k: () => this.#form.keyStep(),
    '[': () => this.#form.cut('from'),
    ']': () => this.#form.cut('to'),
    '\\': () => this.#form.uncut(),
    i: () => this.#form.edit('instruction'),
    n: () => this.#form.edit('note'),
    u: () => this.#undo(),
  };

  readonly #moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => this.#went(this.#store.state.at + 1),
    ArrowUp: () => this.#went(this.#store.state.at - 1),
  };

  #fetch(wanted = this.#place.trajectory): void {
    const { run } = this.#place;
    const asked = { offset: 0, limit: FETCHED, ...(run !== undefined && { run }) };
    this.#around.host.link.request('annotation.queue', asked).then(
      queue => this.#store.tell({ kind: 'arrived', queue, wanted }),
      (error: unknown) => this.#store.tell({ kind: 'failed', why: wordsOf(error) }),
    );
    this.#draw(this.#store.state);
  }

  #went(at: number): void {
    this.#store.tell({ kind: 'went', at });
  }

  #say(trajectory: string, remark: AnnotationRemark): Promise<boolean> {
    return this.#inTurn(async () => {
      const { decided } = this.#store.state;
      if (remark.kind === 'pool' && decided.get(trajectory) === remark.isMember) return;
      await this.#tell(trajectory, remark, ({ marked, undo }) => {
        this.#store.tell({ kind: 'said', trajectory, remark, marked, undo });
        this.#says.textContent = inWords(remark);
      });
    });
  }

  #undo(): void {
    void this.#inTurn(async () => {
      const { undos, queue = [] } = this.#store.state;
      const undo = undos.at(-1);
      if (undo === undefined) return;
      await this.#tell(undo.trajectory, undo.remark, ({ marked }) => {
        this.#store.tell({ kind: 'undone', undo, marked });
        this.#says.textContent = `Taken back: ${undo.says}`;
        // It was said before this queue was fetched, and may wait again.
        if (!queue.some(({ row }) => row.trajectory === undo.trajectory)) this.#fetch(undo.trajectory);
      });
    });
  }

  /** One after the other, however fast keys are pressed: what is taken back is what was said last. */
  #inTurn(say: () => Promise<void>): Promise<boolean> {
    const said = this.#before.then(say).then(
      () => true,
      (error: unknown) => {
        this.#around.complain(error);
        return false;
      },
    );
    this.#before = said;
    return said;
  }

  async #tell(trajectory: string, remark: AnnotationRemark, told: (answer: Told) => void): Promise<void> {
    const { link } = this.#around.host;
    const answer = await link.request('annotate', { trajectory, remark, who: whoIs(this.#around.host) });
    if (this.#inspector.whole?.trajectory === trajectory) this.#inspector.mark(answer.marked);
    told(answer);
    this.#around.host.keep(KEPT, this.#store.state.undos.slice(-UNDOS_KEPT));
  }

  #draw(state: Annotating): void {
    const instead = this.#insteadOf(state);
    const shown = instead ?? this.#body;
    if (this.element.firstElementChild !== shown) this.element.replaceChildren(shown, this.#says);
    if (instead !== undefined) return;
    this.#queue.show(state);
    const { trajectory } = current(state)?.row ?? {};
    const isOther = trajectory !== this.#place.trajectory;
    const step = isOther ? 0 : this.#place.step;
    if (isOther) this.#around.go({ panel: 'annotate', run: this.#place.run, trajectory }, false);
    this.#inspector.open(trajectory, step);
    this.#form.show(this.#inspector.whole, state.undos.at(-1)?.says);
  }

  #insteadOf(state: Annotating): HTMLElement | undefined {
    const { queue, trouble, undos } = state;
    if (trouble !== undefined)
      return troubled('The queue could not be fetched.', trouble, () => this.#fetch());
    if (queue === undefined) return waiting('Fetching what waits…');
    if (queue.length > 0 && !isThrough(state)) return undefined;
    const done = nothing(...thatIsAll(state));
    done.append(
      make(
        'div',
        { class: 'decide' },
        button({ text: 'Look for more', kind: 'primary' }, () => this.#fetch()).element,
        ...(undos.length > 0 ? [button({ text: 'Undo the last (u)' }, () => this.#undo()).element] : []),
      ),
    );
    return done;
  }
}

/** What is said where nothing is left to look at. */
function thatIsAll(state: Annotating): [title: string, text: string] {
  const { queue = [] } = state;
  if (queue.length === 0)
    return [
      'Nothing waits',
      'Successes that nobody has accepted or rejected show up here: training brings them, and so does collecting successes.',
    ];
  const more = beyond(state);
  const accepted = 'Accepted ones are in the success pool.';
  return more === 0
    ? ['All decided', `Everything that waited has an answer. ${accepted}`]
    : [`${counted(queue.length)} decided`, `${counted(more)} more wait. ${accepted}`];
}

interface Told {
  readonly marked: NonNullable<Inspector['whole']>['marked'];
  readonly undo: AnnotationRemark;
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
