// One tab as an agent uses it: inputs in, then the screen once the page has reacted.

import type { Clock } from '../../../core/clock.ts';
import { BoundaryError } from '../../../core/failure.ts';
import { decodePng } from '../../../core/png-reader.ts';
import { safeParse } from '../../../core/safe-parse.ts';
import type { Element, Pixels, Size } from '../../../core/screen.ts';
import { box } from '../../box.ts';
import { browserError, isDocumentGone } from '../browser/connection.ts';
import { textOfException } from '../browser/console-log.ts';
import { quiet } from '../browser/context.ts';
import type { CdpEvents, CdpSession } from '../browser/session.ts';
import { AccessibilityTrees } from './accessibility-trees.ts';
import type { WindowClipboard } from './clipboard.ts';
import type { InPage } from './in-page/isolated-world.ts';
import { type PageInput, usesClipboard } from './input.ts';
import { elementsFrom, type ListedFrame, type ListedPage, listedPage } from './listed-page.ts';
import { Navigations } from './navigations.ts';
import { StoppedClock, type StoppedTime } from './stopped-clock.ts';
import { Worlds } from './worlds.ts';

/** A page that replaces itself more often than this after one action never settles. */
const MAX_DOCUMENTS_PER_ACTION = 5;
const MAX_CALLS_FOR_DRAG = 200;
/** Each reply has 10 s. On a page with slow listeners, all keys of a long text together take longer. */
const MAX_UNANSWERED_INPUTS = 32;
/** Frames in frames deeper than this are not listed. */
const MAX_FRAME_DEPTH = 3;

export interface PageOptions {
  /** The id of the main frame. */
  readonly frame: string;
  readonly size: Size;
  readonly clock: Clock;
  /** The clipboard of the window. */
  readonly clipboard: WindowClipboard;
}

export interface PageContent {
  readonly elements: readonly Element[];
  /** The page ends its episode itself, and the episode goes on. */
  readonly goesOn: boolean;
}

export class WebPage {
  readonly #session: CdpSession;
  readonly #size: Size;
  readonly #frame: string;
  readonly #worlds: Worlds;
  readonly #trees: AccessibilityTrees;
  readonly #navigations: Navigations;
  readonly #clipboard: WindowClipboard;
  /** Undefined: the clock of the page goes by itself. */
  #clock: StoppedClock | undefined;
  /** The last picture, and its PNG in base 64. */
  #picture: { readonly data: string; readonly pixels: Pixels } | undefined;

  /** In a new tab, before its page runs. */
  constructor(session: CdpSession, { frame, size, clock, clipboard }: PageOptions) {
    this.#session = session;
    this.#size = size;
    this.#frame = frame;
    this.#worlds = new Worlds(session);
    this.#trees = new AccessibilityTrees(session);
    this.#navigations = new Navigations(session, frame, clock);
    this.#clipboard = clipboard;
    clipboard.watch(session);
    // The session may have ended.
    session.send('Input.setInterceptDrags', { enabled: true }).catch(() => undefined);
  }

  /** The PNG of the last picture as a data URL; undefined before the first. */
  get lastPicture(): string | undefined {
    return this.#picture && `data:image/png;base64,${this.#picture.data}`;
  }

  get isClockStopped(): boolean {
    return this.#clock !== undefined;
  }

  /** The time of documents that begin from now on passes only with actions. */
  stopClock(time: StoppedTime): void {
    this.#clock = new StoppedClock(this.#session, this.#worlds, time);
  }

  /** Sends inputs, waits until the page has reacted, and lists the elements. */
  async act(inputs: readonly PageInput[]): Promise<PageContent> {
    await this.setNextDate();
    await this.#perform(inputs);
    return this.list();
  }

  /** Before an action that can begin a document. */
  async setNextDate(): Promise<void> {
    await this.#clock?.setNextDate();
  }

  /** Waits until the page has settled, and lists the elements. */
  async list(): Promise<PageContent> {
    const listed = await this.#settled('settled().then(() => dartboard.listElements())');
    if (listed === undefined) return { elements: [], goesOn: false };
    const page = listedPage.parse(listed);
    return { elements: await this.#withFrames(page), goesOn: page.goesOn };
  }

  /** Sends inputs and waits until the page has reacted. */
  async settle(inputs: readonly PageInput[]): Promise<void> {
    await this.#perform(inputs);
    await this.#settled('settled()');
  }

  async #perform(inputs: readonly PageInput[]): Promise<void> {
    if (usesClipboard(inputs)) await this.#setClipboard();
    const isDrag = inputs.some(
      each => each.kind === 'mouse' && each.event.type === 'mouseMoved' && each.event.buttons,
    );
    if (isDrag) await this.#drag(inputs);
    else await this.#sendAll(inputs);
  }

  /** The page confirms an input after its listeners ran. A script that is sent before may run before them. */
  async #sendAll(inputs: readonly PageInput[]): Promise<void> {
    const replies: Promise<unknown>[] = [];
    let block = () => {};
    const blocked = new Promise<void>(resolve => {
      block = resolve;
    });
    const stop = this.#session.on('Page.javascriptDialogOpening', block);
    try {
      for (const input of inputs) {
        // A page with a dialog confirms nothing, and the inputs of the next action must come after these.
        if (!this.#navigations.isBlocked && replies.length === MAX_UNANSWERED_INPUTS)
          await Promise.race([replies.shift(), blocked]);
        replies.push(quiet(this.#send(input)));
      }
      await Promise.all(replies);
    } finally {
      stop();
    }
  }

  /** Any frame may have the focus. */
  async #setClipboard(): Promise<void> {
    const expression = `dartboard.setClipboard(${JSON.stringify(this.#clipboard.json)})`;
    await Promise.all(
      this.#worlds.contexts.map(contextId =>
        this.#session.send('Runtime.evaluate', { expression, contextId }).catch((error: unknown) => {
          // The frame may have been removed or replaced meanwhile.
          if (this.#worlds.contexts.includes(contextId) && !isDocumentGone(error)) throw error;
        }),
      ),
    );
  }

  /** The present picture. */
  async pixels(): Promise<Pixels> {
    const { data } = await this.#session.send('Page.captureScreenshot', {
      format: 'png',
      optimizeForSpeed: true,
    });
    // Most actions of a beginner change nothing.
    if (data !== this.#picture?.data) {
      const maxPixels = this.#size.width * this.#size.height * 4;
      this.#picture = { data, pixels: decodePng(Buffer.from(data, 'base64'), maxPixels) };
    }
    return this.#picture.pixels;
  }

  /** Evaluates an expression as a script of the page. The value is what JSON can represent. */
  async evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.#session.send('Runtime.evaluate', {
      ...{ expression, awaitPromise: true, returnByValue: true },
    });
    if (exceptionDetails === undefined) return result.value;
    throw new BoundaryError({
      boundary: 'task',
      thing: 'script',
      message: `${textOfException(exceptionDetails)}. Correct the script ${JSON.stringify(expression.slice(0, 80))}.`,
    });
  }

  /** The same for a promise that may wait for timers of the page: its time passes meanwhile. */
  async evaluateInTime(promise: string): Promise<unknown> {
    if (this.#clock === undefined) return this.evaluate(promise);
    const value = await this.evaluate(this.#clock.during(promise));
    await this.#clock.read();
    return value;
  }

  #send(input: PageInput): Promise<unknown> {
    switch (input.kind) {
      case 'mouse':
        return this.#session.send('Input.dispatchMouseEvent', input.event);
      case 'key':
        return this.#session.send('Input.dispatchKeyEvent', input.event);
      case 'text':
        return this.#session.send('Input.insertText', { text: input.text });
      case 'browser':
        return Promise.resolve();
    }
  }

  /** A page that starts to drag an element receives drag events instead of the moves. */
  async #drag(inputs: readonly PageInput[]): Promise<void> {
    let data: CdpEvents['Input.dragIntercepted'][0]['data'] | undefined;
    const stop = this.#session.on('Input.dragIntercepted', event => {
      data = event.data;
    });
    try {
      for (const input of inputs) {
        if (input.kind === 'mouse' && input.event.type === 'mouseReleased')
          await this.#dragReported(() => data !== undefined);
        if (data !== undefined && input.kind === 'mouse') {
          const { x, y, type } = input.event;
          const at = { x, y, data };
          const types =
            type === 'mouseReleased' ? (['dragOver', 'drop'] as const) : (['dragEnter', 'dragOver'] as const);
          for (const each of types)
            await this.#session.send('Input.dispatchDragEvent', { type: each, ...at });
        }
        await this.#send(input);
      }
    } finally {
      stop();
    }
  }

  /** The browser reports a drag some time after the move that began it. The wait is counted in calls, because a busy machine delays both. */
  async #dragReported(isReported: () => boolean): Promise<void> {
    for (let calls = 0; calls < MAX_CALLS_FOR_DRAG && !isReported(); calls++)
      if ((await this.#inFrame(this.#frame, 'isDragBegun()')) !== true) return;
  }

  /** Undefined if the page replaces itself without end. */
  async #settled(call: InPageCall): Promise<unknown> {
    let hasWaitedForFrames = false;
    for (let documents = 0; documents < MAX_DOCUMENTS_PER_ACTION; documents++) {
      await this.#clock?.pass();
      await this.#navigations.finished();
      const { begun } = this.#navigations;
      // The animations of a document that has just loaded.
      await this.#clock?.pass();
      await this.#settleFrames();
      const result = await this.#inFrame(this.#frame, call);
      // Without an answer the document was replaced; it may also be about to be.
      if (result === undefined || this.#navigations.isUnderWay) continue;
      const areFramesSettled = !this.#navigations.isAnyUnderWay && this.#navigations.begun === begun;
      // Frames can be replaced without end.
      if (hasWaitedForFrames || areFramesSettled) return result;
      hasWaitedForFrames = true;
    }
    return undefined;
  }

  /** Waits for the frames of other origins: the script of the page sees only those of its own. */
  async #settleFrames(): Promise<void> {
    const frames = this.#worlds.frames.filter(frame => frame !== this.#frame);
    await Promise.all(frames.map(frame => this.#inFrame(frame, 'settledApart()')));
  }

  /** Calls the script in a frame; undefined if its document is gone. */
  async #inFrame(frame: string, call: InPageCall): Promise<unknown> {
    const contextId = this.#worlds.contextOf(frame);
    if (contextId === undefined) {
      await this.#navigations.progress();
      return undefined;
    }
    if (readsElements(call)) this.#trees.keep(frame, contextId);
    try {
      const { result, exceptionDetails } = await this.#session.send('Runtime.evaluate', {
        ...{ expression: `dartboard.${call}`, contextId, awaitPromise: true, returnByValue: true },
      });
      if (exceptionDetails === undefined) return result.value;
      throw browserError(
        `${call} failed in the page: ${textOfException(exceptionDetails)}. This is a bug in Dartboard: report it with this message and the page.`,
      );
    } catch (error) {
      // A gone document is an error of the call; the end of the browser and an exception of the script are not.
      if (this.#worlds.contextOf(frame) === contextId && !isDocumentGone(error)) throw error;
      return undefined;
    }
  }

  async #withFrames(listed: ListedPage): Promise<readonly Element[]> {
    const { width, height } = this.#size;
    const elements = elementsFrom(listed, box(0, 0, width, height));
    if (listed.frames.length === 0) return elements;
    return [...elements, ...(await this.#elementsInFrames(this.#frame, listed.frames, 1))];
  }

  /** Scripts cannot read a frame of another origin, so its own script lists it. */
  async #elementsInFrames(
    parent: string,
    frames: readonly ListedFrame[],
    depth: number,
    /** Of frames of the same origin that lead to the parent, as '0.2.'. */
    around = '',
  ): Promise<readonly Element[]> {
    if (depth > MAX_FRAME_DEPTH) return [];
    const found = await Promise.all(
      this.#worlds.childrenOf(parent).map(async child => {
        const path = `${around}${String(await this.#inFrame(child, 'frameNumber()'))}`;
        const place = frames.find(([of]) => of === path);
        if (place === undefined)
          // The page around a frame of the same origin has listed it.
          return frames.some(([of]) => of.startsWith(`${path}.`))
            ? this.#elementsInFrames(child, frames, depth + 1, `${path}.`)
            : [];
        const listed = safeParse(listedPage, await this.#inFrame(child, 'listElements()'));
        if (!listed.success) return [];
        const [, x, y, left, top, right, bottom] = place;
        const visible = box(
          Math.round(left - x),
          Math.round(top - y),
          Math.round(right - left),
          Math.round(bottom - top),
        );
        const deeper = listed.data.frames.map(
          ([of, dx, dy, l, t, r, b]): ListedFrame => [
            ...([of, dx + x, dy + y] as const),
            ...([Math.max(l + x, left), Math.max(t + y, top)] as const),
            ...([Math.min(r + x, right), Math.min(b + y, bottom)] as const),
          ],
        );
        return [
          ...elementsFrom(listed.data, visible, Math.round(x), Math.round(y)),
          ...(await this.#elementsInFrames(child, deeper, depth + 1)),
        ];
      }),
    );
    return found.flat();
  }
}

type InPageCall = `${keyof InPage}(${string}`;

const readsElements = (call: InPageCall): boolean => call.includes('listElements()');
