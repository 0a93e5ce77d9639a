// The screen, the elements and the shell of one container, from the first window to the end of a task. Decides when the screen has
// settled. Knows nothing of tasks.

import { randomBytes } from 'node:crypto';
import type { Action } from '../../core/action.ts';
import type { Clock } from '../../core/clock.ts';
import type { Element, Pixels, Screen, Size } from '../../core/screen.ts';
import { elementsOf } from './elements.ts';
import { type ElementsHub, type ElementTree, type HubReply, openHub } from './hub.ts';
import { onScreen } from './input.ts';
import { Rfb } from './rfb/connection.ts';
import { SCALE } from './rfb/framebuffer.ts';
import { hasElementsAtTarget, type SettleLimits, windowsChanged } from './settle.ts';
import { ContainerShell } from './shell.ts';
import { type ConnectionOptions, connectionError } from './streams.ts';
import type { Warden } from './warden.ts';

const HUB_COMMAND = ['/usr/lib/dartboard/hub'];
const SHELL_COMMAND = ['sh'];

/** Trees that still change after this time are animated. */
const TREE_TIMEOUT_MS = 1000;
const START_TIMEOUT_MS = 15_000;
const START_POLL_MS = 10;
/** A new or closed window redraws others, and draws itself in several steps. */
const WINDOW_SETTLE: SettleLimits = { first: 60, quiet: 60, max: 1500 };
/** Applications that have just started draw in many steps. */
const START_SETTLE: SettleLimits = { first: 100, quiet: 120, max: 5000 };

interface Connections {
  readonly rfb: Rfb;
  readonly hub: ElementsHub;
  readonly shell: ContainerShell;
}

export class ContainerSession {
  readonly #clock: Clock;
  readonly #connections: Connections;
  /** The last reply, and the elements made from it. */
  #reply: HubReply;
  #elements: readonly Element[] | undefined;

  /** Resolves once a window manager is on the screen. */
  static async open(warden: Warden, options: ConnectionOptions): Promise<ContainerSession> {
    const secret = () => randomBytes(16).toString('hex');
    const shell = new ContainerShell({ ...options, secret, open: () => warden.run(SHELL_COMMAND) });
    const rfb = await Rfb.open(warden.screen(), options);
    // After the screen, because the hub needs the X server.
    const hub = openHub(warden.run(HUB_COMMAND), options);
    try {
      return new ContainerSession({ rfb, hub, shell }, options.clock, await firstWindow(hub, options));
    } catch (error) {
      hub.close();
      rfb.close();
      throw error;
    }
  }

  private constructor(connections: Connections, clock: Clock, reply: HubReply) {
    this.#connections = connections;
    this.#clock = clock;
    this.#reply = reply;
  }

  get shell(): ContainerShell {
    return this.#connections.shell;
  }

  /** The size of the screen that a policy sees. */
  get size(): Size {
    return this.#connections.rfb.size;
  }

  async tree(): Promise<ElementTree> {
    return (await this.#connections.hub.ask()).tree();
  }

  /** The first screen, once all started applications have drawn themselves. */
  async begin(): Promise<Screen> {
    await this.#connections.rfb.settled(START_SETTLE);
    return this.#screen(await this.#stillPixels());
  }

  /** The current screen, without a wait. */
  look(): Screen {
    return this.#screen(this.#connections.rfb.frame());
  }

  async act(action: Action): Promise<Screen> {
    const { rfb } = this.#connections;
    const before = this.#reply.tree();
    await rfb.act(action);
    if (!hasElementsAtTarget(action, before, onScreen)) await rfb.settled();
    let pixels = await this.#stillPixels();
    if (windowsChanged(before, this.#reply.tree())) {
      await rfb.settled(WINDOW_SETTLE);
      pixels = await this.#stillPixels();
    }
    return this.#screen(pixels);
  }

  close(): void {
    const { rfb, hub, shell } = this.#connections;
    rfb.close();
    hub.close();
    shell.close();
  }

  /** The hub replies once all applications are idle, and the screen that is fetched afterwards contains everything drawn until then. */
  async #stillPixels(): Promise<Pixels> {
    const { rfb, hub } = this.#connections;
    const end = this.#clock.now() + TREE_TIMEOUT_MS;
    for (;;) {
      const reply = await hub.ask();
      if (reply.text !== this.#reply.text) this.#elements = undefined;
      this.#reply = reply;
      if (reply.isStill || this.#clock.now() >= end) return rfb.drawn();
    }
  }

  #screen(pixels: Pixels): Screen {
    const { width, height } = pixels;
    const desktop = { width: width * SCALE, height: height * SCALE };
    this.#elements ??= elementsOf(this.#reply.tree(), desktop, pixels);
    return { pixels, elements: this.#elements };
  }
}

/** The panel of the window manager is the first window, and the last part of a desktop to start. */
async function firstWindow(hub: ElementsHub, options: ConnectionOptions): Promise<HubReply> {
  const { clock } = options;
  for (const end = clock.now() + START_TIMEOUT_MS; clock.now() < end; await clock.sleep(START_POLL_MS)) {
    const reply = await hub.ask();
    if (reply.tree().windows.length > 0) return reply;
  }
  const message = `no window manager started within ${START_TIMEOUT_MS / 1000} s. Reset the desktop.`;
  throw connectionError(options, message);
}
