// The pocket desktop as a machine: input goes in, pixels and elements come out. Deterministic: what it shows depends on
// the world it was given and on the input alone. Law: nothing is drawn before somebody looks, and then only where it differs from what
// is drawn already; who never looks pays for no picture. Tasks and judgement stand elsewhere.

import type { Action } from '../../core/action.ts';
import type { Element, Size } from '../../core/screen.ts';
import { box } from '../box.ts';
import { APPS } from './apps/all.ts';
import { changedBetween } from './shell/changes.ts';
import { Reader } from './shell/elements.ts';
import { Keyboard } from './shell/keyboard.ts';
import { Pointer } from './shell/pointer.ts';
import { paint, type Scene } from './shell/scene.ts';
import { DesktopShell } from './shell/shell.ts';
import { Surface } from './surface.ts';
import { THEMES, type Theme } from './theme.ts';
import { type PocketWorld, timeText } from './world.ts';

/** Grows whenever the same input would be drawn differently. */
export const RENDERER = 'pocket-2';

/** All that a picture depends on. */
interface Showing {
  readonly scene: Scene;
  readonly theme: Theme;
}

export class PocketMachine {
  readonly world: PocketWorld;
  readonly size: Size;
  readonly shell: DesktopShell;
  readonly #pointer: Pointer;
  readonly #keyboard: Keyboard;
  readonly #reader = new Reader();
  #now: Showing;
  #surface: Surface | undefined;
  /** What is drawn on the surface. */
  #drawn: Showing | undefined;

  /** `paper`: a surface of this size that nobody needs any more, to be drawn over. */
  constructor(world: PocketWorld, size: Size, paper?: Surface) {
    this.world = world;
    this.size = size;
    this.#surface = paper;
    const screen = box(0, 0, size.width, size.height);
    this.shell = new DesktopShell({
      screen,
      clock: () => timeText(world.now.slice(-5), world.settings.timeFormat),
      shared: world,
    });
    this.#pointer = new Pointer(this.shell);
    this.#keyboard = new Keyboard(this.shell);
    for (const AppClass of APPS) this.shell.install(new AppClass(world, this.shell));
    this.#now = this.#composed();
  }

  /** Opens an application, as a task's set-up does before anybody looks. */
  open(app: string, what?: string): void {
    this.shell.open(app, what);
    this.#now = this.#composed();
  }

  perform(action: Action): void {
    const spoke = this.shell.begin();
    const acted = this.#input(action);
    // Looking on changes nothing, and costs nothing.
    if (spoke || acted) this.#now = this.#composed();
  }

  /** As it looks now: the same surface each time, which is drawn over when somebody looks after a later action. */
  get surface(): Surface {
    const { width, height } = this.size;
    this.#surface ??= new Surface(width, height);
    const [before, { scene, theme }] = [this.#drawn, this.#now];
    if (before !== this.#now) {
      const isNew = theme !== before?.theme;
      const parts = isNew ? [box(0, 0, width, height)] : changedBetween(before.scene, scene);
      for (const part of parts) paint(this.#surface, scene, part, theme);
      this.#drawn = this.#now;
    }
    return this.#surface;
  }

  /** For the next machine, once this one is not looked at any more; undefined where nobody ever looked. */
  get paper(): Surface | undefined {
    return this.#surface;
  }

  /** Four bytes a pixel, where the surface has them. Whoever has them does not write, and copies what is to stay. */
  pixels(): Uint8Array {
    return this.surface.bytes;
  }

  elements(): readonly Element[] {
    return this.#reader.read(this.#now.scene);
  }

  #composed(): Showing {
    return { scene: this.shell.compose(), theme: THEMES[this.world.settings.theme] };
  }

  /** Whether anything was done that the desktop could have noticed. */
  #input(action: Action): boolean {
    const [pointer, keyboard] = [this.#pointer, this.#keyboard];
    switch (action.kind) {
      case 'click':
        pointer.press(action.at);
        break;
      case 'double_click':
        pointer.doublePress(action.at);
        break;
      case 'right_click':
        pointer.menu(action.at);
        break;
      case 'drag':
        pointer.drag(action.from, action.to);
        break;
      case 'scroll':
        pointer.wheel(action.at, action.direction, action.notches);
        break;
      case 'type':
        keyboard.type(action.text);
        break;
      case 'hotkey':
        this.#keys(action.keys);
        break;
      case 'move':
      case 'wait':
      case 'finished':
      case 'fail':
        return false;
    }
    return true;
  }

  #keys(keys: readonly string[]): void {
    const held = ['ctrl', 'alt', 'shift'].filter(modifier => keys.includes(modifier));
    for (const key of keys.filter(each => !['ctrl', 'alt', 'shift'].includes(each))) {
      const printable = key.length === 1 || key === 'space';
      if (printable && !held.includes('ctrl') && !held.includes('alt')) {
        this.#character(key, held.includes('shift'));
      } else this.#keyboard.stroke([...held, key.toLowerCase()].join('+'));
    }
  }

  /** A printing key types, unless what has the focus takes it as a key: space presses a button. */
  #character(key: string, shift: boolean): void {
    if (key === 'space') this.#keyboard.space();
    else this.#keyboard.type(shift ? shifted(key) : key);
  }
}

const PLAIN = "`1234567890-=[]\\;',./";
const SHIFTED = '~!@#$%^&*()_+{}|:"<>?';

/** What a US keyboard prints with shift held. */
function shifted(key: string): string {
  const at = PLAIN.indexOf(key);
  return at < 0 ? key.toUpperCase() : SHIFTED.charAt(at);
}
