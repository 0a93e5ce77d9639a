// The shell: what is open, what has the focus, and the scene that follows from it. What input does stands in pointer.ts and
// keyboard.ts; drawing in scene.ts and frame.ts. It knows no application by name.

import type { Box } from '../../../contracts/screen.ts';
import { box } from '../box.ts';
import type { Hands, MenuItem, Widget } from '../toolkit/widget.ts';
import type { App, Dialog, ShellServices } from './app.ts';
import { framed } from './frame.ts';
import { type Menu, menuAt } from './menu.ts';
import { menuList } from './menu-list.ts';
import { TASKBAR_HEIGHT, taskbar, toastBox, toastNote, wallpaper } from './panel.ts';
import { type Item, type Layer, layerOf, type Scene } from './scene.ts';
import { type Window, Windows } from './windows.ts';

export interface ShellOptions {
  readonly screen: Box;
  /** The time as the task bar shows it. */
  readonly clock: () => string;
}

export class Shell implements ShellServices {
  readonly windows: Windows;
  /** The open menu, where one is. */
  popup: Menu | undefined;
  readonly #screen: Box;
  readonly #clock: () => string;
  readonly #apps: App[] = [];
  #toast: string | undefined;
  #clipboard = '';
  #scene: Scene = [];

  constructor({ screen, clock }: ShellOptions) {
    this.#screen = screen;
    this.#clock = clock;
    this.windows = new Windows(screen);
  }

  install(app: App): void {
    this.#apps.push(app);
  }

  get scene(): Scene {
    return this.#scene;
  }

  /** What was said in passing is gone with the next action. Whether there was anything. */
  begin(): boolean {
    const spoke = this.#toast !== undefined;
    this.#toast = undefined;
    return spoke;
  }

  // What it does for applications

  toast(text: string): void {
    this.#toast = text;
  }

  open(id: string, what?: string): void {
    const app = this.#apps.find(each => each.id === id);
    if (app === undefined) {
      const known = this.#apps.map(each => each.id).join(', ');
      throw new RangeError(`There is no application '${id}'; there are ${known}.`);
    }
    this.windows.open(app);
    if (what !== undefined) app.show?.(what);
  }

  close(id: string): void {
    this.windows.drop(id);
  }

  focus(key: string): void {
    const window = this.windows.active;
    if (window === undefined) return;
    if (window.app.dialog?.() === undefined) window.focus = key;
    else window.dialogFocus = key;
  }

  /** What widgets may do beyond their own application. */
  readonly hands: Hands = ((shell: Shell) => ({
    popup: (items: readonly MenuItem[], at: Box) => shell.show(items, at),
    focus: (key: string) => shell.focus(key),
    get clipboard() {
      return shell.#clipboard;
    },
    set clipboard(text: string) {
      shell.#clipboard = text;
    },
  }))(this);

  // Menus

  show(items: readonly MenuItem[], at: Box): void {
    this.popup = menuAt(items, at, this.#screen);
  }

  choose(item: MenuItem): void {
    this.popup = undefined;
    if (item.enabled !== false) item.choose(this.hands);
  }

  launcher(): void {
    const items = this.#apps.map(app => ({ name: app.name, choose: () => this.open(app.id) }));
    this.show(items, box(1, this.windows.room + 1, 46, TASKBAR_HEIGHT - 2));
  }

  // The scene

  compose(): Scene {
    const { room } = this.windows;
    const open = this.windows.all.filter(window => !window.minimised);
    const layers: Layer[] = [
      layerOf('wallpaper', wallpaper(this.#screen), this.#screen),
      ...open.flatMap(window => this.#windowLayers(window)),
      layerOf('taskbar', this.#taskbar(), box(0, room, this.#screen.width, TASKBAR_HEIGHT)),
    ];
    if (this.#toast !== undefined) {
      layers.push(layerOf('toast', toastNote(this.#toast), toastBox(this.#toast, this.#screen)));
    }
    if (this.popup !== undefined) {
      const { items, box: area, marked } = this.popup;
      const list = menuList(items, marked, item => this.choose(item));
      layers.push(layerOf('popup', list, area));
    }
    this.#scene = layers;
    return layers;
  }

  #windowLayers(window: Window): readonly Layer[] {
    const { app } = window;
    const dialog = app.dialog?.();
    const inFront = window === this.windows.active;
    if (dialog?.title !== window.dialogTitle) {
      window.dialogTitle = dialog?.title;
      window.dialogFocus = dialog?.focus;
    }
    const active = inFront && dialog === undefined;
    const frame = framed({
      title: app.title(),
      icon: app.icon,
      active,
      role: 'window',
      close: () => this.windows.close(window),
      minimise: () => {
        window.minimised = true;
      },
      move: by => this.windows.move(window, by),
      content: app.view(),
    });
    const focus = active ? window.focus : undefined;
    const below = layerOf(`window ${app.id}`, frame, window.box, { focus, blocked: dialog !== undefined });
    return dialog === undefined ? [below] : [below, this.#dialogLayer(window, dialog, inFront)];
  }

  #dialogLayer(window: Window, { title, content, width, dismiss }: Dialog, active: boolean): Layer {
    const front = framed({ title, active, role: 'dialog', close: dismiss, content });
    const { height } = front.measure(width);
    const x = window.box.x + Math.floor((window.box.width - width) / 2);
    const y = window.box.y + Math.max(14, Math.floor((window.box.height - height) / 3));
    const area = this.windows.kept(box(x, y, width, height));
    return layerOf(`dialog ${window.app.id}`, front, area, {
      focus: active ? window.dialogFocus : undefined,
    });
  }

  #taskbar(): Widget {
    const { active, all } = this.windows;
    const buttons = [...all]
      .sort((a, b) => this.#apps.indexOf(a.app) - this.#apps.indexOf(b.app))
      .map(window => ({
        name: window.app.name,
        icon: window.app.icon,
        active: window === active,
        press: () => {
          if (window === active) window.minimised = true;
          else this.windows.raise(window);
        },
      }));
    return taskbar(() => this.launcher(), buttons, this.#clock());
  }

  // The focus

  /** The layer that hears the keyboard: the front window's dialog, or the window itself. */
  get front(): Layer | undefined {
    const window = this.windows.active;
    if (window === undefined) return undefined;
    const kind = window.dialogTitle === undefined ? 'window' : 'dialog';
    return this.#scene.find(layer => layer.id === `${kind} ${window.app.id}`);
  }

  get focused(): Item | undefined {
    return this.front?.items.find(item => item.focused);
  }
}
