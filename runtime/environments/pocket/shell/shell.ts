// The shell: what is open, what has the focus, and the scene that follows from it. What input does stands in pointer.ts and
// keyboard.ts; drawing in scene.ts and frame.ts. It knows no application by name.

import type { Box, Point } from '../../../core/screen.ts';
import { box } from '../../box.ts';
import type { MenuItem, UiServices, Widget } from '../toolkit/widget.ts';
import type { App, Dialog, ShellServices } from './app.ts';
import { ChangeDetector } from './change-detector.ts';
import { windowFrame } from './frame.ts';
import { LayerCache } from './layer-cache.ts';
import { menuAt, type OpenMenu } from './menu.ts';
import { menuList } from './menu-list.ts';
import { type Item, itemAt, type Layer, layerOf, type Scene, type Ways } from './scene.ts';
import { TASKBAR_HEIGHT, taskbar, toastBox, toastNote, wallpaper } from './taskbar.ts';
import { type AppWindow, Windows } from './windows.ts';

export interface DesktopShellOptions {
  readonly screen: Box;
  /** The time as the task bar shows it. */
  readonly clock: () => string;
  /** What applications have in common: plain data, which the shell does not read, but watches. */
  readonly shared: object;
}

export class DesktopShell implements ShellServices {
  readonly windows: Windows;
  /** The open menu, where one is. */
  popup: OpenMenu | undefined;
  readonly #screen: Box;
  readonly #clock: () => string;
  readonly #apps: App[] = [];
  #toast: string | undefined;
  readonly #wallpaper: Layer;
  readonly #behind: LayerCache;
  #bar: { readonly layer: Layer; readonly arrangement: number; readonly time: string } | undefined;
  #scene: Scene = [];

  constructor({ screen, clock, shared }: DesktopShellOptions) {
    this.#screen = screen;
    this.#clock = clock;
    this.windows = new Windows(screen);
    this.#wallpaper = layerOf('wallpaper', wallpaper(screen), screen);
    this.#behind = new LayerCache(this.windows, new ChangeDetector(shared));
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
    this.#behind.forget();
    this.windows.open(app);
    if (what !== undefined) app.show?.(what);
  }

  close(id: string): void {
    this.windows.drop(id);
  }

  focus(key: string): void {
    const window = this.windows.active;
    if (window === undefined) return;
    const before = this.focused?.widget;
    if (before?.key !== key) before?.on?.leave?.();
    if (window.app.dialog?.() === undefined) window.focus = key;
    else window.dialogFocus = key;
  }

  /**
   * What widgets may do beyond their own application. Plain properties: the engine keeps the getters of an object literal, and
   * with them a shell that is long gone.
   */
  readonly ui: UiServices = {
    popup: (items, at) => this.show(items, at),
    focus: key => this.focus(key),
    clipboard: '',
  };

  // Menus

  show(items: readonly MenuItem[], at: Box): void {
    this.popup = menuAt(items, at, this.#screen);
  }

  choose(item: MenuItem): void {
    this.popup = undefined;
    // Whose menu it is is not known: it may be of an application that is behind others by now.
    this.#behind.forget();
    if (item.enabled !== false) item.choose(this.ui);
  }

  launcher(): void {
    const items = this.#apps.map(app => ({ name: app.name, choose: () => this.open(app.id) }));
    this.show(items, box(1, this.windows.room + 1, 46, TASKBAR_HEIGHT - 2));
  }

  // The scene

  compose(): Scene {
    const layers = [this.#wallpaper];
    this.#behind.begin();
    for (const window of this.windows.visible) {
      layers.push(...this.#behind.layersOf(window, () => this.#windowLayers(window)));
    }
    layers.push(this.#taskbarLayer());
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

  #windowLayers(window: AppWindow): readonly Layer[] {
    const { app } = window;
    const dialog = app.dialog?.();
    const inFront = window === this.windows.active;
    if (dialog?.title !== window.dialogTitle) {
      window.dialogTitle = dialog?.title;
      window.dialogFocus = dialog?.focus;
    }
    const active = inFront && dialog === undefined;
    const frame = windowFrame({
      title: app.title(),
      icon: app.icon,
      active,
      role: 'window',
      close: () => this.windows.close(window),
      minimise: () => this.windows.minimise(window),
      move: by => this.windows.move(window, by),
      content: app.view(),
    });
    const focus = active ? window.focus : undefined;
    const below = layerOf(`window ${app.id}`, frame, window.box, { focus, blocked: dialog !== undefined });
    return dialog === undefined ? [below] : [below, this.#dialogLayer(window, dialog, inFront)];
  }

  #dialogLayer(window: AppWindow, { title, content, width, dismiss }: Dialog, active: boolean): Layer {
    const front = windowFrame({ title, active, role: 'dialog', close: dismiss, content });
    const { height } = front.measure(width);
    const x = window.box.x + Math.floor((window.box.width - width) / 2);
    const y = window.box.y + Math.max(14, Math.floor((window.box.height - height) / 3));
    const area = this.windows.kept(box(x, y, width, height));
    return layerOf(`dialog ${window.app.id}`, front, area, {
      focus: active ? window.dialogFocus : undefined,
    });
  }

  /** It shows the time and which windows there are, and is the same as long as these are. */
  #taskbarLayer(): Layer {
    const { arrangement, room } = this.windows;
    const time = this.#clock();
    if (this.#bar?.arrangement !== arrangement || this.#bar.time !== time) {
      const area = box(0, room, this.#screen.width, TASKBAR_HEIGHT);
      this.#bar = { layer: layerOf('taskbar', this.#taskbar(time), area), arrangement, time };
    }
    return this.#bar.layer;
  }

  #taskbar(time: string): Widget {
    const { active, all } = this.windows;
    const buttons = [...all]
      .sort((a, b) => this.#apps.indexOf(a.app) - this.#apps.indexOf(b.app))
      .map(window => ({
        name: window.app.name,
        icon: window.app.icon,
        active: window === active,
        press: () => {
          if (window === active) this.windows.minimise(window);
          else this.windows.raise(window);
        },
      }));
    return taskbar(() => this.launcher(), buttons, time);
  }

  // What reacts

  /** The widget that reacts at a point of a layer. To ask any but those in front is to be said to those behind. */
  reacting(layer: Layer | undefined, at: Point, ways: Ways): Item | undefined {
    const item = itemAt(layer, at, ways);
    if (item !== undefined && layer !== this.front) this.#behind.forget();
    return item;
  }

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
