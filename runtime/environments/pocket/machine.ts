// The pocket desktop as a machine: input goes in, pixels and elements come out. Deterministic: what it shows depends on
// the world it was given and on the input alone. Tasks and judgement stand elsewhere.

import type { Action } from '../../contracts/action.ts';
import type { Box, Element, Size } from '../../contracts/screen.ts';
import { APPS } from './apps/all.ts';
import { box } from './box.ts';
import { clockFace } from './clock.ts';
import { changedBetween } from './shell/changes.ts';
import { Reader } from './shell/elements.ts';
import { Keyboard } from './shell/keyboard.ts';
import { Pointer } from './shell/pointer.ts';
import { paint, type Scene } from './shell/scene.ts';
import { Shell } from './shell/shell.ts';
import { Surface } from './surface.ts';
import { THEMES, type Theme } from './theme.ts';
import type { World } from './world.ts';

/** Grows whenever the same input would be drawn differently. */
export const RENDERER = 'pocket-1';

export class Machine {
  readonly world: World;
  readonly surface: Surface;
  readonly shell: Shell;
  readonly #pointer: Pointer;
  readonly #keyboard: Keyboard;
  readonly #reader = new Reader();
  #theme: Theme;
  /** What the pixels show. */
  #drawn: Scene = [];
  #pixels: Uint8Array | undefined;

  constructor(world: World, { width, height }: Size) {
    this.world = world;
    this.surface = new Surface(width, height);
    const screen = box(0, 0, width, height);
    this.shell = new Shell({ screen, clock: () => clockFace(world), shared: world });
    this.#pointer = new Pointer(this.shell);
    this.#keyboard = new Keyboard(this.shell);
    for (const AppClass of APPS) this.shell.install(new AppClass(world, this.shell));
    this.#theme = THEMES[world.settings.theme];
    this.#drawn = this.shell.compose();
    this.#draw([this.#screen]);
  }

  get #screen(): Box {
    return box(0, 0, this.surface.width, this.surface.height);
  }

  /** Opens an application, as a task's set-up does before anybody looks. */
  open(app: string, what?: string): void {
    this.shell.open(app, what);
    this.#refresh();
  }

  perform(action: Action): void {
    const spoke = this.shell.begin();
    const acted = this.#input(action);
    // Looking on changes nothing, and costs nothing.
    if (spoke || acted) this.#refresh();
  }

  /** Four bytes a pixel. The same array as before where nothing was drawn since, so whoever has it does not write. */
  pixels(): Uint8Array {
    this.#pixels ??= this.surface.rgba();
    return this.#pixels;
  }

  elements(): readonly Element[] {
    return this.#reader.read(this.#drawn);
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

  #refresh(): void {
    const before = this.#drawn;
    this.#drawn = this.shell.compose();
    const theme = THEMES[this.world.settings.theme];
    if (theme !== this.#theme) {
      this.#theme = theme;
      this.#draw([this.#screen]);
    } else this.#draw(changedBetween(before, this.#drawn));
  }

  #draw(parts: readonly Box[]): void {
    if (parts.length > 0) this.#pixels = undefined;
    for (const part of parts) paint(this.surface, this.#drawn, part, this.#theme);
  }
}

const PLAIN = "`1234567890-=[]\\;',./";
const SHIFTED = '~!@#$%^&*()_+{}|:"<>?';

/** What a US keyboard prints with shift held. */
function shifted(key: string): string {
  const at = PLAIN.indexOf(key);
  return at < 0 ? key.toUpperCase() : SHIFTED.charAt(at);
}
