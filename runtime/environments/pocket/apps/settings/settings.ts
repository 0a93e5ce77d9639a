// Settings: pages of controls over the desktop's settings, and a reset that asks first.

import type { App, Dialog, ShellServices } from '../../shell/app.ts';
import { tabs } from '../../toolkit/bars.ts';
import { column } from '../../toolkit/boxes.ts';
import type { KeyStroke, UiServices, Widget } from '../../toolkit/widget.ts';
import { emptyWorld, type PocketWorld } from '../../world.ts';
import { question } from '../dialogs.ts';
import { aboutPage } from './about.ts';
import { displayPage } from './display.ts';
import { networkPage } from './network.ts';
import { soundPage } from './sound.ts';
import { SystemPage } from './system.ts';

const PAGES = ['Display', 'Sound', 'Network', 'System', 'About'] as const;
type Page = (typeof PAGES)[number];

export class SettingsApp implements App {
  readonly id = 'settings';
  readonly name = 'Settings';
  readonly icon = 'settings';
  readonly size = { width: 230, height: 152 };
  readonly focus = 'tab Display';
  readonly #world: PocketWorld;
  readonly #shell: ShellServices;
  readonly #system: SystemPage;
  #page: Page = 'Display';
  #asking = false;

  constructor(world: PocketWorld, shell: ShellServices) {
    this.#world = world;
    this.#shell = shell;
    this.#system = new SystemPage(world, shell, () => {
      this.#asking = true;
    });
  }

  title(): string {
    return 'Settings';
  }

  /** A page by its name. */
  show(what: string): void {
    this.#page = PAGES.find(each => each === what) ?? this.#page;
  }

  view(): Widget {
    const pages: Readonly<Record<Page, () => Widget>> = {
      Display: () => displayPage(this.#world),
      Sound: () => soundPage(this.#world),
      Network: () => networkPage(this.#world, this.#shell),
      System: () => this.#system.view(),
      About: () => aboutPage(this.#world),
    };
    return column(
      [tabs(PAGES, this.#page, name => this.show(name)), column([pages[this.#page]()], { margin: 7 })],
      { gap: 0, margin: 3 },
    );
  }

  stroke(stroke: KeyStroke, ui: UiServices): boolean {
    const by = { 'ctrl+pagedown': 1, 'ctrl+tab': 1, 'ctrl+pageup': -1, 'ctrl+shift+tab': -1 }[stroke];
    if (by === undefined) return false;
    const next = PAGES.at((PAGES.indexOf(this.#page) + by) % PAGES.length) ?? this.#page;
    this.show(next);
    ui.focus(`tab ${next}`);
    return true;
  }

  dialog(): Dialog | undefined {
    if (!this.#asking) return undefined;
    const close = () => {
      this.#asking = false;
    };
    const reset = () => {
      Object.assign(this.#world.settings, emptyWorld().settings);
      this.#system.forget();
      this.#shell.toast('Settings were reset');
      close();
    };
    const asked = question({
      title: 'Reset all settings?',
      text: 'All settings go back to how they were at first.',
      answers: [{ name: 'Reset', choose: reset }],
      cancel: close,
    });
    // So much is lost at once that Enter alone should not do it.
    return { ...asked, focus: 'Cancel' };
  }
}
