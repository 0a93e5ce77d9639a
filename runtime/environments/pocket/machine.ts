// The pocket desktop as a machine: actions in, pixels and elements out. Deterministic: the output depends only on the initial
// world and the actions. Drawing is lazy: reading the surface redraws only the parts that changed since the last read.

import type { Action } from '../../core/action.ts';
import type { Element, Size } from '../../core/screen.ts';
import { box } from '../box.ts';
import { CalculatorApp } from './apps/calculator/calculator.ts';
import { CalendarApp } from './apps/calendar/calendar.ts';
import { ContactsApp } from './apps/contacts/contacts.ts';
import { FilesApp } from './apps/files/files.ts';
import { MailApp } from './apps/mail/mail.ts';
import { NotesApp } from './apps/notes/notes.ts';
import { SettingsApp } from './apps/settings/settings.ts';
import { ElementReader } from './shell/elements.ts';
import { Keyboard, MAX_INPUTS, Pointer } from './shell/input.ts';
import { changedBetween, paint, type Scene } from './shell/scene.ts';
import { DesktopShell } from './shell/shell.ts';
import { Surface } from './surface.ts';
import { THEMES, type Theme } from './theme.ts';
import { type PocketWorld, timeText } from './world.ts';

/** Increased whenever the same actions would draw different pixels. */
export const RENDERER = 'pocket-3';

/** In the order of the launcher. */
const APPS = [FilesApp, NotesApp, MailApp, ContactsApp, CalculatorApp, CalendarApp, SettingsApp];

/** Actions that are no input to the desktop: the frame stays valid. */
const NO_INPUT: readonly Action['kind'][] = ['move', 'wait', 'finished', 'fail'];

/** Everything that the pixels depend on. */
interface Frame {
  readonly scene: Scene;
  readonly theme: Theme;
}

export class PocketMachine {
  readonly world: PocketWorld;
  readonly size: Size;
  readonly shell: DesktopShell;
  readonly #pointer: Pointer;
  readonly #keyboard: Keyboard;
  readonly #reader = new ElementReader();
  #frame: Frame;
  #surface: Surface | undefined;
  /** The frame on the surface. */
  #drawn: Frame | undefined;

  /** `surface`: one of this size that is no longer in use. */
  constructor(world: PocketWorld, size: Size, surface?: Surface) {
    this.world = world;
    this.size = size;
    this.#surface = surface;
    const screen = box(0, 0, size.width, size.height);
    const clock = () => timeText(world.now.slice(-5), world.settings.timeFormat);
    this.shell = new DesktopShell(screen, clock, world);
    this.#pointer = new Pointer(this.shell);
    this.#keyboard = new Keyboard(this.shell);
    for (const AppClass of APPS) this.shell.install(new AppClass(world, this.shell));
    this.#frame = this.#composed();
  }

  /** Opens an application for a task's set-up. */
  open(app: string, what?: string): void {
    this.shell.open(app, what);
    this.#frame = this.#composed();
  }

  perform(action: Action): void {
    // Not even time passes, so a player may leave it out.
    if (action.kind === 'none') return;
    const hadToast = this.shell.begin();
    this.#input(action);
    if (hadToast || !NO_INPUT.includes(action.kind)) this.#frame = this.#composed();
  }

  /** The current pixels: one surface, which a read after a later action redraws. */
  get surface(): Surface {
    const { width, height } = this.size;
    this.#surface ??= new Surface(width, height);
    const [before, { scene, theme }] = [this.#drawn, this.#frame];
    if (before !== this.#frame) {
      const isNew = theme !== before?.theme;
      const parts = isNew ? [box(0, 0, width, height)] : changedBetween(before.scene, scene);
      for (const part of parts) paint(this.#surface, scene, part, theme);
      this.#drawn = this.#frame;
    }
    return this.#surface;
  }

  /** The surface for the next machine, once this one is discarded; undefined if nobody read it. */
  get reusableSurface(): Surface | undefined {
    return this.#surface;
  }

  /** RGBA bytes of the surface itself: read only, valid until the next read after an action. */
  pixels(): Uint8Array {
    return this.surface.bytes;
  }

  elements(): readonly Element[] {
    return this.#reader.read(this.#frame.scene);
  }

  #composed(): Frame {
    return { scene: this.shell.compose(), theme: THEMES[this.world.settings.theme] };
  }

  #input(action: Action): void {
    const [pointer, keyboard] = [this.#pointer, this.#keyboard];
    if (action.kind === 'click') pointer.press(action.at);
    else if (action.kind === 'double_click') pointer.doublePress(action.at);
    else if (action.kind === 'triple_click') pointer.triplePress(action.at);
    else if (action.kind === 'right_click') pointer.menu(action.at);
    else if (action.kind === 'middle_click') pointer.middlePress(action.at);
    else if (action.kind === 'drag') pointer.drag(action.from, action.to);
    else if (action.kind === 'scroll') pointer.wheel(action.at, action.direction, action.notches);
    else if (action.kind === 'type') keyboard.type(action.text);
    else if (action.kind === 'hotkey') this.#keys(action.keys);
  }

  #keys(keys: readonly string[]): void {
    const modifiers = MODIFIERS.filter(modifier => keys.includes(modifier));
    const others = keys.filter(each => !MODIFIERS.includes(each)).slice(0, MAX_INPUTS);
    for (const [index, key] of others.entries()) {
      // Widgets act on the state of their scene, which the key before has changed.
      if (index > 0) this.shell.compose();
      const printable = key.length === 1 || key === 'space';
      if (printable && !modifiers.includes('ctrl') && !modifiers.includes('alt')) {
        this.#character(key, modifiers.includes('shift'));
      } else this.#keyboard.stroke([...modifiers, key.toLowerCase()].join('+'));
    }
  }

  /** A printable key types text, except that space presses a focused button. */
  #character(key: string, shift: boolean): void {
    if (key === 'space') this.#keyboard.space();
    else this.#keyboard.type(shift ? shifted(key) : key);
  }
}

const MODIFIERS = ['ctrl', 'alt', 'shift'];
const PLAIN = "`1234567890-=[]\\;',./";
const SHIFTED = '~!@#$%^&*()_+{}|:"<>?';

/** The character of a key with shift on a US keyboard. */
function shifted(key: string): string {
  const at = PLAIN.indexOf(key);
  return at < 0 ? key.toUpperCase() : SHIFTED.charAt(at);
}
