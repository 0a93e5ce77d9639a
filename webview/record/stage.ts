// The live screen of a recording: scales it, and turns pointer and keyboard into events for the desktop. A transparent text field covers the
// screen, so that input methods, dead keys and the clipboard write text there.

import type { SentInput } from '../../runtime/protocol/daemon/record.ts';
import type { Point } from '../../runtime/protocol/daemon/screen.ts';
import type { StepDetail } from '../../runtime/protocol/daemon/trajectories.ts';
import { StepMarks } from '../inspector/step-marks.ts';
import { context2d, make } from '../shared/dom.ts';
import { meaningOf } from './keyboard.ts';
import { textParts } from './text-parts.ts';

type InputEventOf = SentInput['event'];

interface StageOptions {
  readonly send: (event: InputEventOf, time: number) => void;
  /** Input that no agent could give, and why. */
  readonly refused: (why: string) => void;
  /** The keyboard goes to the desktop, or returns to the page. */
  readonly captured: (isCaptured: boolean) => void;
}

/** The pointer rests after this time, and the desktop sees it hover. */
const REST_MS = 400;
/** The pixels of one line of a wheel that reports lines. */
const LINE_PX = 33;
const PAGE_PX = 300;
/** The maximum share of the window's height. */
const MAX_HEIGHT_SHARE = 0.72;
const BUTTONS = ['left', 'middle', 'right'] as const;

const MODIFIED_CLICK =
  'A click with a modifier key was not sent: agents have no such action. Do it in another way, for example with the keyboard alone.';

const HELP =
  'Live desktop. Pointer and keyboard act on it while it has the focus. Press Escape twice to return the keyboard to the page.';

export class RecordStage {
  readonly element: HTMLElement;
  readonly #options: StageOptions;
  readonly #picture = make('canvas', { class: 'picture' });
  readonly #marks = new StepMarks();
  readonly #glass = make('textarea', { class: 'glass' });
  readonly #frame: HTMLElement;
  #size = { width: 4, height: 3 };
  #isLocked = true;
  #escapedAt: number | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #restedAt: Point | undefined;

  constructor(options: StageOptions) {
    this.#options = options;
    this.#picture.setAttribute('aria-hidden', 'true');
    const glass = this.#glass;
    glass.setAttribute('aria-label', HELP);
    for (const [name, value] of [
      ['autocomplete', 'off'],
      ['autocapitalize', 'off'],
      ['spellcheck', 'false'],
      ['rows', '1'],
    ] as const)
      glass.setAttribute(name, value);
    this.#frame = make('div', { class: 'frame stage-frame' }, this.#picture, this.#marks.element, glass);
    this.propose(undefined);
    this.element = make('div', { class: 'record-screen' }, this.#frame);
    new ResizeObserver(() => this.#fit()).observe(this.element);
    this.#listenToPointer();
    this.#listenToKeyboard();
    this.lock(true);
  }

  /** A locked stage shows the screen, and takes no input. */
  lock(isLocked: boolean): void {
    this.#isLocked = isLocked;
    this.#glass.readOnly = isLocked;
    this.#frame.dataset['locked'] = String(isLocked);
    if (isLocked) this.release();
  }

  focus(): void {
    this.#glass.focus({ preventScroll: true });
  }

  release(): void {
    if (document.activeElement === this.#glass) this.#glass.blur();
  }

  draw(picture: ImageBitmap): void {
    const { width, height } = picture;
    if (this.#picture.width !== width || this.#picture.height !== height) {
      Object.assign(this.#picture, { width, height });
      this.#size = { width, height };
      this.#fit();
    }
    context2d(this.#picture).drawImage(picture, 0, 0);
  }

  /** Marks what the agent proposes, with the alternatives; undefined removes the marks. */
  propose(step: StepDetail | undefined): void {
    const { element } = this.#marks;
    element.hidden = step === undefined;
    this.#marks.mark(
      { step, withHeat: true, elements: [] },
      `The agent proposes: ${step?.says ?? 'nothing'}`,
    );
  }

  #fit(): void {
    const { width, height } = this.#size;
    const room = this.element.clientWidth;
    if (room === 0) return;
    const wide = Math.min(room, (window.innerHeight * MAX_HEIGHT_SHARE * width) / height);
    Object.assign(this.#frame.style, { width: `${wide}px`, height: `${(wide * height) / width}px` });
    // Below a magnification of 1.5, smoothing looks better than sharp pixels.
    this.#picture.dataset['sharp'] = String(wide * window.devicePixelRatio >= 1.5 * width);
    this.#marks.fit(this.#size, wide);
  }

  /** The nearest pixel of the desktop. */
  #pixelAt({ clientX, clientY }: MouseEvent): Point {
    const box = this.#picture.getBoundingClientRect();
    const along = (at: number, start: number, length: number, pixels: number): number =>
      Math.min(pixels - 1, Math.max(0, Math.floor(((at - start) / length) * pixels)));
    const { width, height } = this.#size;
    return {
      x: along(clientX, box.left, box.width, width),
      y: along(clientY, box.top, box.height, height),
    };
  }

  #send(event: InputEventOf, time: number): void {
    if (!this.#isLocked) this.#options.send(event, time);
  }

  #listenToPointer(): void {
    const glass = this.#glass;
    const press = (kind: 'press' | 'release') => (event: PointerEvent) => {
      const button = BUTTONS[event.button];
      if (this.#isLocked || button === undefined) return;
      event.preventDefault();
      if (kind === 'press' && (event.ctrlKey || event.altKey || event.shiftKey || event.metaKey)) {
        this.#options.refused(MODIFIED_CLICK);
        return;
      }
      if (kind === 'press') {
        this.focus();
        glass.setPointerCapture(event.pointerId);
      }
      this.#forgetRest();
      const at = this.#pixelAt(event);
      this.#restedAt = at;
      this.#send({ kind, button, at }, event.timeStamp);
    };
    glass.addEventListener('pointerdown', press('press'));
    glass.addEventListener('pointerup', press('release'));
    glass.addEventListener('pointercancel', event => this.#send({ kind: 'cancel' }, event.timeStamp));
    glass.addEventListener('pointermove', event => {
      this.#forgetRest();
      if (this.#isLocked || event.buttons !== 0) return;
      const at = this.#pixelAt(event);
      if (at.x === this.#restedAt?.x && at.y === this.#restedAt.y) return;
      this.#rest = setTimeout(() => {
        this.#restedAt = at;
        this.#send({ kind: 'rest', at }, event.timeStamp + REST_MS);
      }, REST_MS);
    });
    glass.addEventListener('pointerleave', () => this.#forgetRest());
    // The text field would select and open menus.
    for (const name of ['contextmenu', 'dragstart', 'drop', 'mousedown', 'auxclick'] as const)
      glass.addEventListener(name, event => event.preventDefault());
    glass.addEventListener('wheel', event => this.#wheel(event), { passive: false });
  }

  #wheel(event: WheelEvent): void {
    // Ctrl and wheel zoom the page.
    if (this.#isLocked || event.ctrlKey) return;
    event.preventDefault();
    const unit = [1, LINE_PX, PAGE_PX][event.deltaMode] ?? 1;
    // With Shift the wheel scrolls to the side; macOS reports that by itself.
    const isTurned = event.shiftKey && event.deltaX === 0;
    const [x, y] = isTurned ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
    this.#send({ kind: 'wheel', at: this.#pixelAt(event), x: x * unit, y: y * unit }, event.timeStamp);
  }

  #forgetRest(): void {
    clearTimeout(this.#rest);
  }

  #listenToKeyboard(): void {
    const glass = this.#glass;
    glass.addEventListener('focus', () => this.#options.captured(!this.#isLocked));
    glass.addEventListener('blur', () => {
      this.#escapedAt = undefined;
      this.#forgetRest();
      this.#options.captured(false);
    });
    glass.addEventListener('keydown', event => this.#keyDown(event));
    glass.addEventListener('keyup', event => this.#isLocked || event.stopPropagation());
    glass.addEventListener('beforeinput', event => {
      // Composed text arrives at the end of its composition.
      if (event.isComposing || COMPOSED.has(event.inputType)) return;
      event.preventDefault();
      const { inputType, data, timeStamp } = event;
      const text = inputType === 'insertLineBreak' || inputType === 'insertParagraph' ? '\n' : data;
      if (inputType.startsWith('insert') && text !== null) this.#type(text, timeStamp);
    });
    glass.addEventListener('compositionend', ({ data, timeStamp }) => {
      glass.value = '';
      this.#type(data, timeStamp);
    });
    glass.addEventListener('paste', event => {
      event.preventDefault();
      this.#type(event.clipboardData?.getData('text/plain') ?? '', event.timeStamp);
    });
  }

  #keyDown(event: KeyboardEvent): void {
    if (this.#isLocked) return;
    const { key, code, ctrlKey, altKey, shiftKey, metaKey, isComposing, timeStamp: time } = event;
    const altGraph = event.getModifierState('AltGraph');
    const pressed = {
      ...{ key, code, ctrlKey, altKey, shiftKey, metaKey, altGraph },
      ...{ isMac: IS_MAC, isComposing, time },
    };
    const meaning = meaningOf(pressed, this.#escapedAt);
    this.#escapedAt = key === 'Escape' ? time : undefined;
    if (meaning.kind === 'ignored') return;
    // Neither the page nor an editor around it may take the key as a shortcut.
    event.stopPropagation();
    if (meaning.kind === 'text') return;
    event.preventDefault();
    if (meaning.kind === 'release') this.release();
    else this.#send({ kind: 'keys', keys: [...meaning.keys] }, time);
  }

  #type(text: string, time: number): void {
    for (const part of textParts(text)) this.#send({ kind: 'text', text: part }, time);
  }
}

const IS_MAC = navigator.platform.startsWith('Mac');
/** Input of a composition, which `compositionend` reports. */
const COMPOSED: ReadonlySet<string> = new Set(['insertCompositionText', 'insertFromComposition']);
