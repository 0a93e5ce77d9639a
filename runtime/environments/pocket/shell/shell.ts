// The desktop shell: installed applications, windows, focus, the open menu, and the scene composed from them. input.ts
// dispatches input, scene.ts draws. The shell knows no application by name.

import type { Box, Point } from '../../../core/screen.ts';
import { box } from '../../box.ts';
import type { MenuItem, UiServices, Widget } from '../toolkit/widget.ts';
import type { App, Dialog, ShellServices } from './app.ts';
import { windowFrame } from './frame.ts';
import { ChangeDetector, LayerCache } from './layer-cache.ts';
import { menuAt, menuList, type OpenMenu } from './menu.ts';
import { type EventNames, type Item, itemAt, type Layer, layerOf, type Scene } from './scene.ts';
import { panelButton, TASKBAR_HEIGHT, taskbar, toastBox, toastWidget, wallpaper } from './taskbar.ts';
import { type AppWindow, Windows } from './windows.ts';

export class DesktopShell implements ShellServices {
  readonly windows: Windows;
  /** The open menu. */
  popup: OpenMenu | undefined;
  readonly #apps: App[] = [];
  #toast: string | undefined;
  readonly #wallpaper: Layer;
  readonly #layerCache: LayerCache;
  #taskbar: { readonly layer: Layer; readonly arrangement: number; readonly time: string } | undefined;
  #scene: Scene = [];

  /** `clock` returns the time for the task bar. `shared` is the plain data of the applications, watched for changes. */
  constructor(
    private readonly screen: Box,
    private readonly clock: () => string,
    shared: object,
  ) {
    this.windows = new Windows(screen);
    this.#wallpaper = layerOf('wallpaper', wallpaper(screen), screen);
    this.#layerCache = new LayerCache(this.windows, new ChangeDetector(shared));
  }

  install(app: App): void {
    this.#apps.push(app);
  }

  get scene(): Scene {
    return this.#scene;
  }

  /** Starts an action: removes the toast of the last one. Returns true if there was one. */
  begin(): boolean {
    const hadToast = this.#toast !== undefined;
    this.#toast = undefined;
    return hadToast;
  }

  // Services for applications

  toast(text: string): void {
    this.#toast = text;
  }

  open(id: string, what?: string): void {
    const app = this.#apps.find(each => each.id === id);
    if (app === undefined) {
      const ids = this.#apps.map(each => each.id).join(', ');
      throw new RangeError(`There is no application '${id}'. Use one of ${ids}.`);
    }
    this.#layerCache.clear();
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

  /** Services for widgets. No getters: V8 keeps the getters of an object literal alive, and a discarded shell with them. */
  readonly ui: UiServices = {
    popup: (items, at) => this.show(items, at),
    focus: key => this.focus(key),
    clipboard: '',
  };

  // Menus

  show(items: readonly MenuItem[], at: Box): void {
    this.popup = menuAt(items, at, this.screen);
  }

  choose(item: MenuItem): void {
    this.popup = undefined;
    // The menu may belong to an application behind the front one.
    this.#layerCache.clear();
    if (item.enabled !== false) item.choose(this.ui);
  }

  launcher(): void {
    const items = this.#apps.map(app => ({ name: app.name, choose: () => this.open(app.id) }));
    this.show(items, box(1, this.windows.height + 1, 46, TASKBAR_HEIGHT - 2));
  }

  // The scene

  compose(): Scene {
    const layers = [this.#wallpaper];
    this.#layerCache.begin();
    for (const window of this.windows.visible) {
      layers.push(...this.#layerCache.layersOf(window, () => this.#windowLayers(window)));
    }
    layers.push(this.#taskbarLayer());
    if (this.#toast !== undefined) {
      layers.push(layerOf('toast', toastWidget(this.#toast), toastBox(this.#toast, this.screen)));
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
    const area = this.windows.clamp(box(x, y, width, height));
    return layerOf(`dialog ${window.app.id}`, front, area, {
      focus: active ? window.dialogFocus : undefined,
    });
  }

  /** Cached while the time and the arrangement of windows are unchanged. */
  #taskbarLayer(): Layer {
    const { arrangement, height } = this.windows;
    const time = this.clock();
    if (this.#taskbar?.arrangement !== arrangement || this.#taskbar.time !== time) {
      const area = box(0, height, this.screen.width, TASKBAR_HEIGHT);
      this.#taskbar = { layer: layerOf('taskbar', this.#taskbarWidget(time), area), arrangement, time };
    }
    return this.#taskbar.layer;
  }

  #taskbarWidget(time: string): Widget {
    const { active, all } = this.windows;
    const buttons = [...all]
      .sort((a, b) => this.#apps.indexOf(a.app) - this.#apps.indexOf(b.app))
      .map(window => {
        const { name, icon } = window.app;
        const toggle = window === active ? this.windows.minimise : this.windows.raise;
        return panelButton(name, icon, window === active, () => toggle.call(this.windows, window));
      });
    return taskbar(() => this.launcher(), buttons, time);
  }

  // Input targets

  /** The widget at a point of a layer that handles one of some events. Input behind the front layer clears the cache. */
  target(layer: Layer | undefined, at: Point, events: EventNames): Item | undefined {
    const item = itemAt(layer, at, events);
    if (item !== undefined && layer !== this.front) this.#layerCache.clear();
    return item;
  }

  /** The layer with the keyboard focus: the front window, or its dialog. */
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
