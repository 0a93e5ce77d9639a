// The screen, the elements and the shell of one container, from the first window to the end of a task. Decides when the screen has
// settled. Knows nothing of tasks.

import { randomBytes } from 'node:crypto';
import type { Action } from '../../core/action.ts';
import type { Clock } from '../../core/clock.ts';
import type { Element, Pixels, Point, Screen, Size } from '../../core/screen.ts';
import type { ElementTree } from './element-tree.ts';
import { elementsOf } from './elements.ts';
import { type ElementsHub, type HubReply, openHub } from './hub.ts';
import { untilArranged, untilIdle } from './idle.ts';
import type { InputBurst } from './input.ts';
import { Rfb, type ScreenOptions } from './rfb/connection.ts';
import { DEFAULT_SCALE, onScreen } from './screen-size.ts';
import { hasElementsAtTarget, LIGHT_PACE, limitsFor, type SettlePace, windowsChanged } from './settle.ts';
import { ContainerShell } from './shell.ts';
import { type ConnectionOptions, connectionError } from './streams.ts';
import type { Warden } from './warden.ts';

const HUB_COMMAND = ['/usr/lib/dartboard/hub'];
const SHELL_COMMAND = ['sh'];

/** Trees that still change after this time are animated. */
const TREE_TIMEOUT_MS = 1000;
const START_TIMEOUT_MS = 15_000;
const START_POLL_MS = 10;

export interface ContainerSessionOptions extends ScreenOptions {
  readonly pace?: SettlePace;
}

interface Connections {
  readonly rfb: Rfb;
  readonly hub: ElementsHub;
  readonly shell: ContainerShell;
}

export class ContainerSession {
  readonly #clock: Clock;
  readonly #connections: Connections;
  readonly #scale: number;
  readonly #pace: SettlePace;
  /** The last reply, the elements made from it, and the frame that was shown when it was asked for. */
  #reply: HubReply;
  #elements: readonly Element[] | undefined;
  #asked: Pixels | undefined;

  /** Resolves once a window manager is on the screen. */
  static async open(warden: Warden, options: ContainerSessionOptions): Promise<ContainerSession> {
    const secret = () => randomBytes(16).toString('hex');
    const shell = new ContainerShell({ ...options, secret, open: () => warden.run(SHELL_COMMAND) });
    const rfb = await Rfb.open(warden.screen(), options);
    // After the screen, because the hub needs the X server.
    const hub = openHub(warden.run(HUB_COMMAND), options);
    try {
      return new ContainerSession({ rfb, hub, shell }, options, await firstWindow(hub, options));
    } catch (error) {
      hub.close();
      rfb.close();
      throw error;
    }
  }

  private constructor(connections: Connections, options: ContainerSessionOptions, reply: HubReply) {
    this.#connections = connections;
    this.#clock = options.clock;
    this.#scale = options.scale ?? DEFAULT_SCALE;
    this.#pace = options.pace ?? LIGHT_PACE;
    this.#reply = reply;
  }

  get shell(): ContainerShell {
    return this.#connections.shell;
  }

  /** The size of the screen that an agent sees. */
  get size(): Size {
    return this.#connections.rfb.size;
  }

  async tree(): Promise<ElementTree> {
    return (await this.#connections.hub.ask()).tree();
  }

  /** The first screen, once all started applications have drawn themselves. */
  async begin(): Promise<Screen> {
    const { rfb, shell } = this.#connections;
    await rfb.settled(this.#pace.start);
    if (!this.#pace.isHeavy) return this.#screen(await this.#stillPixels());
    await untilIdle(shell, this.#clock);
    let pixels = rfb.frame();
    await untilArranged(async () => {
      pixels = await this.#stillPixels();
      return this.#reply.text;
    }, this.#clock);
    return this.#screen(pixels);
  }

  /** The current screen, without a wait until it has settled. */
  async look(): Promise<Screen> {
    const { rfb } = this.#connections;
    // A dialog can have opened by itself.
    if (rfb.frame() !== this.#asked) await this.#ask();
    return this.#screen(rfb.frame());
  }

  async act(action: Action): Promise<Screen> {
    const { rfb } = this.#connections;
    const before = this.#reply.tree();
    await rfb.act(action);
    const toScreen = (point: Point) => onScreen(point, this.#scale);
    if (this.#pace.isHeavy || !hasElementsAtTarget(action, before, toScreen))
      await rfb.settled(limitsFor(action, this.#pace));
    let pixels = await this.#stillPixels();
    if (windowsChanged(before, this.#reply.tree())) {
      await rfb.settled(this.#pace.windows);
      pixels = await this.#stillPixels();
    }
    return this.#screen(pixels);
  }

  /** The screen with everything drawn by now, without a wait for elements. */
  drawn(): Promise<Pixels> {
    return this.#connections.rfb.drawn();
  }

  /** Sends events in pixels of the desktop, without a wait for their effects. */
  perform(bursts: readonly InputBurst[]): Promise<void> {
    return this.#connections.rfb.perform(bursts);
  }

  setClipboard(text: string): Promise<void> {
    return this.#connections.rfb.setClipboard(text);
  }

  close(): void {
    const { rfb, hub, shell } = this.#connections;
    rfb.close();
    hub.close();
    shell.close();
  }

  /** The hub replies once all applications are idle, and the screen that is fetched afterwards contains everything drawn until then. */
  async #stillPixels(): Promise<Pixels> {
    const { rfb } = this.#connections;
    const end = this.#clock.now() + TREE_TIMEOUT_MS;
    for (;;) {
      const { isStill } = await this.#ask();
      const isOver = this.#clock.now() >= end;
      if (!isStill && !isOver) continue;
      const pixels = await rfb.drawn();
      // An application that draws after the request can have moved its elements. Only heavy applications do.
      if (isOver || !this.#pace.isHeavy || pixels === this.#asked) return pixels;
    }
  }

  async #ask(): Promise<HubReply> {
    const { rfb, hub } = this.#connections;
    this.#asked = rfb.frame();
    const reply = await hub.ask();
    if (reply.text !== this.#reply.text) this.#elements = undefined;
    this.#reply = reply;
    return reply;
  }

  #screen(pixels: Pixels): Screen {
    this.#elements ??= elementsOf(this.#reply.tree(), pixels, this.#scale);
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
