// One container as a desktop that can be seen and used: its screen, its elements and its shell, from the moment the first is there
// to the last. Knows when a screen has settled. Of tasks it knows nothing.

import type { Action } from '../../core/action.ts';
import type { Clock } from '../../core/clock.ts';
import { BoundaryError } from '../../core/failure.ts';
import type { Element, Pixels, Screen, Size } from '../../core/screen.ts';
import { elementsOf } from './elements.ts';
import { type ElementsHub, type ElementTree, type HubReply, openHub } from './hub.ts';
import { onScreen } from './input.ts';
import { hasElementsAtTarget, windowsChanged } from './landing.ts';
import { Rfb } from './rfb/connection.ts';
import { SCALE } from './rfb/framebuffer.ts';
import type { SettleLimits } from './settle.ts';
import { ContainerShell } from './shell.ts';
import type { Warden } from './warden.ts';

export interface ContainerSessionOptions {
  /** The desktop, in errors. */
  readonly thing: string;
  readonly clock: Clock;
  /** A word that nobody can guess, another one each time. */
  readonly secret: () => string;
}

/** What a container answers to besides, by its image. */
const HUB = ['/usr/lib/dartboard/hub'];
const SHELL = ['sh'];

/** Milliseconds. Trees that never become the same are those of something that moves by itself. */
const TREES = 1000;
const START = 15_000;
const LOOK = 10;
/** A window that has come or gone makes others draw, and is drawn in several goes. */
const NEW_WINDOW: SettleLimits = { first: 60, quiet: 60, most: 1500 };
/** Applications that have just been started draw in many goes. */
const BEGINNING: SettleLimits = { first: 100, quiet: 120, most: 5000 };

interface Parts {
  readonly rfb: Rfb;
  readonly hub: ElementsHub;
  readonly shell: ContainerShell;
}

export class ContainerSession {
  readonly #options: ContainerSessionOptions;
  readonly #parts: Parts;
  /** What was told last, and what it came to. */
  #told: HubReply;
  #elements: readonly Element[] | undefined;

  /** Resolves when there is a window manager on the screen. */
  static async open(warden: Warden, options: ContainerSessionOptions): Promise<ContainerSession> {
    const { thing, clock, secret } = options;
    const shell = new ContainerShell({ thing, clock, secret, open: async () => warden.run(SHELL) });
    const rfb = await Rfb.open(warden.screen(), { thing, clock });
    try {
      // Asks the same server for windows: before the screen is there, it would find none.
      const hub = openHub(thing, warden.run(HUB), clock);
      return new ContainerSession(options, { rfb, hub, shell }, await firstWindow(hub, options));
    } catch (error) {
      rfb.close();
      throw error;
    }
  }

  private constructor(options: ContainerSessionOptions, parts: Parts, told: HubReply) {
    this.#options = options;
    this.#parts = parts;
    this.#told = told;
  }

  get shell(): ContainerShell {
    return this.#parts.shell;
  }

  /** Of the screen that a policy sees. */
  get size(): Size {
    return this.#parts.rfb.size;
  }

  /** The windows as they are now, from back to front. */
  async windows(): Promise<readonly { readonly xid: number; readonly title: string }[]> {
    return (await this.tree()).windows;
  }

  async tree(): Promise<ElementTree> {
    return (await this.#parts.hub.ask()).tree();
  }

  /** Once all that was started has drawn itself. */
  async begun(): Promise<Screen> {
    await this.#parts.rfb.settled(BEGINNING);
    return this.#screen(await this.#still());
  }

  /** The screen as it was when it last settled, or is now. */
  look(): Screen {
    return this.#screen(this.#parts.rfb.frame());
  }

  async act(action: Action): Promise<Screen> {
    const { rfb } = this.#parts;
    const before = this.#told.tree();
    await rfb.act(action);
    if (!hasElementsAtTarget(action, before, onScreen)) await rfb.settled();
    let pixels = await this.#still();
    if (windowsChanged(before, this.#told.tree())) {
      await rfb.settled(NEW_WINDOW);
      pixels = await this.#still();
    }
    return this.#screen(pixels);
  }

  close(): void {
    const { rfb, hub, shell } = this.#parts;
    rfb.close();
    hub.close();
    shell.close();
  }

  /**
   * The hub answers once every application has emptied its queue and nothing has changed from one look to the next, and the screen
   * that is fetched after it has all that was drawn until then.
   */
  async #still(): Promise<Pixels> {
    const { rfb, hub } = this.#parts;
    const { clock } = this.#options;
    const end = clock.now() + TREES;
    for (;;) {
      const told = await hub.ask();
      if (told.text !== this.#told.text) this.#elements = undefined;
      this.#told = told;
      if (told.isStill || clock.now() >= end) return rfb.drawn();
    }
  }

  #screen(pixels: Pixels): Screen {
    const { width, height } = pixels;
    const whole = { width: width * SCALE, height: height * SCALE };
    this.#elements ??= elementsOf(this.#told.tree(), whole, pixels);
    return { pixels, elements: this.#elements };
  }
}

/** The window manager's panel is the first, and the last that a desktop needs to begin. */
async function firstWindow(hub: ElementsHub, { thing, clock }: ContainerSessionOptions): Promise<HubReply> {
  for (const end = clock.now() + START; clock.now() < end; await clock.sleep(LOOK)) {
    const told = await hub.ask();
    if (told.tree().windows.length > 0) return told;
  }
  const message = `no window manager came up within ${START / 1000} s: reset the desktop`;
  throw new BoundaryError({ boundary: 'environment', thing, message });
}
