// The browser of a guest through its debugging port: tabs over HTTP, pages over one WebSocket each.

import WebSocket from 'ws';
import type { Clock } from '../../core/clock.ts';
import { DeadlineExceeded, withDeadline } from '../../core/deadline.ts';
import { causeOf, messageOf, sentenceOf } from '../../core/errors.ts';
import { BoundaryError } from '../../core/failure.ts';
import { parsedJson } from '../../core/json.ts';
import { isRecord } from '../../tasks/metrics/metric.ts';
import { boundedBody } from '../bounded-body.ts';
import type { MachineBrowser, MachineTab } from '../osworld/machine.ts';
import { isUnreachable } from './is-unreachable.ts';

/** A page of the real web can take this long. */
const LOAD_MS = 60_000;
const REPLY_MS = 15_000;
const POLL_MS = 100;
/** OSWorld waits for a browser for as long. */
const START_MS = 75_000;
const START_POLL_MS = 1000;
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;
const MAX_DETAIL = 300;
const NOT_FOUND = 404;

interface GuestBrowserOptions {
  /** Such as `http://192.168.7.2:9222`. */
  readonly url: string;
  readonly clock: Clock;
}

interface Tab extends MachineTab {
  readonly id: string;
}

interface BrowserReply {
  readonly status: number;
  readonly text: string;
}

export class GuestBrowser implements MachineBrowser {
  readonly #options: GuestBrowserOptions;

  constructor(options: GuestBrowserOptions) {
    this.#options = options;
  }

  async started(): Promise<void> {
    const { clock } = this.#options;
    for (const end = clock.now() + START_MS; ; await clock.sleep(START_POLL_MS))
      try {
        await this.#list();
        return;
      } catch (error) {
        if (clock.now() >= end) throw error;
      }
  }

  async tabs(): Promise<readonly MachineTab[]> {
    const tabs = await this.#list().catch((error: unknown) => {
      // `fetch` rejects with a TypeError if nothing answers: the browser does not run.
      const isSilent = error instanceof Error && error.cause instanceof TypeError;
      if (!isSilent || isUnreachable(error)) throw error;
      return [];
    });
    return tabs.map(({ title, url }) => ({ title, url }));
  }

  async openTab(url: string): Promise<void> {
    const { id } = await this.#open('about:blank');
    await this.#with(id, page =>
      page.load(url).catch((error: unknown) => {
        // A page that is slow or cannot be loaded stays open, as in OSWorld.
        if (page.isClosed) throw error;
      }),
    );
  }

  async closeTab(isMatch: (url: string) => boolean): Promise<boolean> {
    const tab = (await this.#list()).find(({ url }) => isMatch(url));
    if (tab !== undefined) await this.#close(tab.id);
    return tab !== undefined;
  }

  async evaluate(isMatch: (url: string) => boolean, expression: string): Promise<unknown> {
    const tab = (await this.#list()).find(({ url }) => isMatch(url));
    return tab && this.#with(tab.id, page => page.evaluate(expression));
  }

  visit(url: string, expressions: readonly string[]): Promise<unknown> {
    return this.#inNewTab(url, async page => {
      let value: unknown;
      for (const expression of expressions) {
        value = await page.evaluate(expression);
        await page.loaded();
      }
      return value;
    });
  }

  printPdf(url: string): Promise<Uint8Array> {
    return this.#inNewTab(url, async page => {
      const { data } = await page.send('Page.printToPDF', {}, LOAD_MS);
      return Buffer.from(textOf(data), 'base64');
    });
  }

  async #inNewTab<Result>(url: string, use: (page: Page) => Promise<Result>): Promise<Result> {
    const { id } = await this.#open('about:blank');
    try {
      return await this.#with(id, async page => {
        await page.load(url);
        return use(page);
      });
    } finally {
      await this.#close(id).catch(() => undefined); // It has closed itself, or the browser has ended.
    }
  }

  async #with<Result>(id: string, use: (page: Page) => Promise<Result>): Promise<Result> {
    const { url, clock } = this.#options;
    const page = await Page.open(`${url.replace(/^http/, 'ws')}/devtools/page/${id}`, clock);
    try {
      return await use(page);
    } finally {
      page.close();
    }
  }

  async #list(): Promise<readonly Tab[]> {
    const targets = await this.#value('/json/list');
    if (!Array.isArray(targets)) throw browserError('/json/list answered no list of tabs', this.#options.url);
    return targets
      .filter(isRecord)
      .flatMap(({ id, type, title, url }) =>
        type === 'page' && typeof id === 'string' ? [{ id, title: textOf(title), url: textOf(url) }] : [],
      );
  }

  async #open(url: string): Promise<{ readonly id: string }> {
    const target = await this.#value(`/json/new?${encodeURIComponent(url)}`, 'PUT');
    return { id: textOf(isRecord(target) ? target['id'] : '') };
  }

  /** The browser answers before the tab has gone. */
  async #close(id: string): Promise<void> {
    const { clock } = this.#options;
    const path = `/json/close/${id}`;
    const reply = await this.#ask(path);
    // A tab that has closed itself is not found.
    if (reply.status >= 300 && reply.status !== NOT_FOUND) throw this.#refusal(path, reply);
    for (const end = clock.now() + REPLY_MS; clock.now() < end; await clock.sleep(POLL_MS))
      if ((await this.#list()).every(tab => tab.id !== id)) return;
  }

  /** The JSON of a reply. */
  async #value(path: string, method?: string): Promise<unknown> {
    const reply = await this.#ask(path, method);
    const value = reply.status < 300 ? parsedJson(reply.text) : undefined;
    if (value === undefined) throw this.#refusal(path, reply);
    return value;
  }

  #refusal(path: string, { status, text }: BrowserReply): BoundaryError {
    const detail = text.trim().slice(0, MAX_DETAIL).replace(/\.$/, '');
    // Chrome answers so to any name but localhost.
    const remedy = detail.startsWith('Host header') ? '. Name the guest by its IP address' : '';
    return browserError(`${path} answered ${status} ${detail}${remedy}`, this.#options.url);
  }

  async #ask(path: string, method = 'GET'): Promise<BrowserReply> {
    const { url, clock } = this.#options;
    const read = async (over: AbortSignal): Promise<BrowserReply> => {
      const response = await fetch(`${url}${path}`, { method, signal: over });
      return { status: response.status, text: new TextDecoder().decode(await boundedBody(response)) };
    };
    try {
      return await withDeadline(read, { what: `The browser's reply to ${path}`, ms: REPLY_MS, clock });
    } catch (error) {
      throw browserError(
        `has no reply to ${path}: ${sentenceOf(causeOf(error))} Start it with --remote-debugging-port`,
        url,
        error,
      );
    }
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const browserError = (what: string, url: string, cause?: unknown): BoundaryError =>
  new BoundaryError(
    {
      boundary: 'environment',
      thing: `browser ${url}`,
      message: `${what.trimEnd().replace(/\.$/, '')}. Check the browser in the guest.`,
    },
    { cause },
  );

type Reply = Readonly<Record<string, unknown>>;

/** The debugging session of one page. */
class Page {
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #replies = new Map<number, { resolve(reply: Reply): void; reject(error: Error): void }>();
  #id = 0;

  static async open(url: string, clock: Clock): Promise<Page> {
    const socket = new WebSocket(url, { maxPayload: MAX_MESSAGE_BYTES, handshakeTimeout: REPLY_MS });
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('error', error => reject(browserError(messageOf(error), url)));
    });
    return new Page(socket, clock);
  }

  private constructor(socket: WebSocket, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
    socket.on('message', data => this.#receive(parsedJson(data.toString())));
    socket.on('error', () => undefined); // 'close' follows and rejects what waits.
    socket.on('close', () => {
      for (const { reject } of this.#replies.values()) reject(browserError('closed the page', socket.url));
    });
  }

  get isClosed(): boolean {
    return this.#socket.readyState !== WebSocket.OPEN;
  }

  close(): void {
    this.#socket.terminate();
  }

  async load(url: string): Promise<void> {
    const { errorText } = await this.send('Page.navigate', { url }, LOAD_MS);
    if (errorText !== undefined)
      throw browserError(`cannot load ${url}: ${textOf(errorText)}`, this.#socket.url);
    await this.loaded();
  }

  /** Waits until the document has loaded, also a next one. A page that takes too long is used as it is. */
  async loaded(): Promise<void> {
    const expression = `new Promise(resolve => document.readyState === 'complete' ? resolve() : addEventListener('load', () => resolve()))`;
    const end = this.#clock.now() + LOAD_MS;
    while (this.#clock.now() < end) {
      // A navigation destroys the context of the expression.
      const isLoaded = await this.evaluate(`${expression}.then(() => true)`).catch((error: unknown) => {
        if (this.isClosed) throw error;
        return false;
      });
      if (isLoaded === true) return;
      await this.#clock.sleep(POLL_MS);
    }
  }

  async evaluate(expression: string): Promise<unknown> {
    const parameters = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', parameters, LOAD_MS);
    if (exceptionDetails !== undefined)
      throw browserError(
        `cannot evaluate: ${JSON.stringify(exceptionDetails).slice(0, 300)}`,
        this.#socket.url,
      );
    return isRecord(result) ? result['value'] : undefined;
  }

  async send(method: string, params: object, ms: number): Promise<Reply> {
    if (this.isClosed) throw browserError('closed the page', this.#socket.url);
    this.#id += 1;
    const id = this.#id;
    const reply = new Promise<Reply>((resolve, reject) => this.#replies.set(id, { resolve, reject }));
    this.#socket.send(JSON.stringify({ id, method, params }));
    try {
      return await withDeadline(reply, { what: method, ms, clock: this.#clock });
    } catch (error) {
      throw error instanceof DeadlineExceeded ? browserError(error.message, this.#socket.url, error) : error;
    } finally {
      this.#replies.delete(id);
    }
  }

  #receive(message: unknown): void {
    if (!isRecord(message) || typeof message['id'] !== 'number') return;
    const { id, result, error } = message;
    const waiting = this.#replies.get(message['id']);
    if (isRecord(error))
      waiting?.reject(browserError(`${textOf(error['message'])} (${id})`, this.#socket.url));
    else waiting?.resolve(isRecord(result) ? result : {});
  }
}
