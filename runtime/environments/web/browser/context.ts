// An isolated context of a browser: cookies, storage, cache, network, downloads and tabs of its own.

import type { Clock } from '../../../core/clock.ts';
import { BoundaryError } from '../../../core/failure.ts';
import type { Size } from '../../../core/screen.ts';
import { browserError, type Connection } from './connection.ts';
import { ConsoleLog, type ConsoleMessage } from './console-log.ts';
import type { DialogReply, WebDialog } from './dialogs.ts';
import type { Downloads, WebDownload } from './downloads.ts';
import type { NetworkGate } from './gate.ts';
import type { CdpEvents, CdpSession } from './session.ts';
import { Tab, type TabScript } from './tab.ts';
import { TabOrder } from './tab-order.ts';

/** A page can open tabs without end. Those above the limit close at once. */
const MAX_TABS = 16;

export interface WebContext {
  /** The tab in front. A new tab comes to the front; when it closes, the tab before it does. */
  readonly front: CdpSession;
  /** Counts the changes of the tab in front. */
  readonly frontTab: number;
  /** Loads a page in the tab in front, and resolves after `load`. Rejects with boundary `task` if the page cannot be loaded. */
  open(url: string): Promise<void>;
  /** Replaces the hosts that pages may reach ('example.org', 'localhost:8080', '*.example.org'). None by default. */
  allow(hosts: readonly string[]): void;
  /** http://HOST/ answers with the files of the folder. */
  serve(host: string, folder: string): void;
  switchTab(step: 1 | -1): Promise<void>;
  /** Like a person, so the page may ask first (`beforeunload`). The last tab stays open. */
  closeTab(): Promise<void>;
  goBack(): Promise<void>;
  goForward(): Promise<void>;
  reload(): Promise<void>;
  /** The dialog that waits for an answer: of the tab in front, else of another. Dialogs of scripts block their page meanwhile. */
  readonly dialog: WebDialog | undefined;
  /** Answers that dialog. Has no effect if there is none. */
  answer(reply: DialogReply): Promise<void>;
  /**
   * Resolves like `work`, or with undefined as soon as a dialog is open or the tab in front changes: input that opened a dialog has
   * no reply before the answer, and input that closed its tab has none.
   */
  unlessInterrupted<Result>(work: Promise<Result>): Promise<Result | undefined>;
  /** Waits a few seconds for downloads in progress. */
  downloads(): Promise<readonly WebDownload[]>;
  /** The last messages of all tabs. */
  console(): readonly ConsoleMessage[];
  /** Resolves with the reason when a tab or the browser crashed: the context is of no more use. */
  readonly crashed: Promise<string>;
  /** Never rejects. */
  close(): Promise<void>;
  readonly closed: Promise<void>;
}

/** The calls that a dialog blocks are answered once it is closed, and nobody waits for them. */
export function quiet<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}

export interface ContextParts {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly size: Size;
  readonly gate: NetworkGate;
  readonly downloads: Downloads;
  readonly scripts: readonly TabScript[];
  readonly tabOpened: (session: CdpSession, frame: string) => void;
  /** Releases what the browser made for the context. Never rejects. */
  readonly release: () => Promise<void>;
}

export class BrowserContext implements WebContext {
  readonly crashed: Promise<string>;
  /** Resolves when the first tab is ready. */
  readonly ready: Promise<void>;
  readonly #parts: ContextParts;
  readonly #order = new TabOrder<Tab>();
  readonly #console = new ConsoleLog();
  readonly #interruptions = new Set<() => void>();
  #crash: (reason: string) => void = () => {};
  #isReady: (ready: Promise<void>) => void = () => {};
  readonly closed: Promise<void>;
  #hasClosed: () => void = () => {};
  /** A browser outlives thousands of contexts, so it must not keep those that are closed. */
  readonly #forget: () => void;
  #isClosed = false;

  constructor(parts: ContextParts) {
    this.closed = new Promise(resolve => {
      this.#hasClosed = resolve;
    });
    this.#parts = parts;
    this.crashed = new Promise(resolve => {
      this.#crash = reason => {
        if (!this.#isClosed) resolve(reason);
      };
    });
    this.ready = new Promise(resolve => {
      this.#isReady = resolve;
    });
    this.#forget = parts.connection.browser.onEnd(reason => this.#crash(reason));
  }

  get front(): CdpSession {
    return this.#front.session;
  }

  get frontTab(): number {
    return this.#order.changes;
  }

  /** Called for each new tab, before its page runs. Resolves when the tab is ready. */
  async attach({ sessionId, targetInfo }: CdpEvents['Target.attachedToTarget'][0]): Promise<void> {
    const { connection, clock, size, downloads } = this.#parts;
    const session = connection.session(sessionId);
    const target = targetInfo.targetId;
    if (this.#order.tabs.length >= MAX_TABS) {
      // The page that opens it is blocked until it runs.
      const { browser } = connection;
      await Promise.all([
        session.send('Runtime.runIfWaitingForDebugger'),
        browser.send('Target.closeTarget', { targetId: target }),
      ]);
      return;
    }
    const tab = new Tab({ session, target, clock, dialogOpened: () => this.#interrupt() });
    this.#console.read(session);
    downloads.watch(session, target);
    session.on('Inspector.targetCrashed', () => {
      this.#crash('the page crashed.');
      session.end('the page crashed.');
    });
    session.onEnd(reason => this.#remove(tab, reason));
    this.#order.add(tab);
    this.#interrupt();
    this.#parts.tabOpened(session, targetInfo.targetId);
    const ready = tab.prepare(size, this.#parts.scripts);
    this.#isReady(ready);
    await ready;
  }

  async open(url: string): Promise<void> {
    const failed = (message: string) => new BoundaryError({ boundary: 'task', thing: url, message });
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    const isBlank = parsed?.protocol === 'about:' || parsed?.protocol === 'data:';
    if (parsed === undefined || !(isBlank || /^https?:$/.test(parsed.protocol)))
      throw failed('This is no address of a web page. Write one that begins with http:// or https://.');
    if (!isBlank && !this.#parts.gate.isOpen(parsed))
      throw failed(`The task does not allow the host '${parsed.host}'. Add it to the allowed hosts.`);
    await this.#front.navigate(url);
  }

  allow(hosts: readonly string[]): void {
    this.#parts.gate.allow(hosts);
  }

  serve(host: string, folder: string): void {
    this.#parts.gate.serve(host, folder);
  }

  async switchTab(step: 1 | -1): Promise<void> {
    const tab = this.#order.neighbour(step);
    if (tab === undefined || tab === this.#order.front) return;
    this.#order.show(tab);
    await tab.session.send('Page.bringToFront');
  }

  async closeTab(): Promise<void> {
    const tab = this.#front;
    if (this.#order.tabs.length === 1) return;
    const closed = new Promise<void>(resolve => tab.session.onEnd(() => resolve()));
    const sent = tab.session.send('Page.close').catch((error: unknown) => {
      // The session of the tab can end before its reply. A tab that stays open without a reply hangs.
      if (tab.session.isOpen) throw error;
    });
    await this.unlessInterrupted(quiet(Promise.all([sent, closed])));
  }

  goBack(): Promise<void> {
    return this.#front.move(-1);
  }

  goForward(): Promise<void> {
    return this.#front.move(1);
  }

  reload(): Promise<void> {
    return this.#front.reload();
  }

  get dialog(): WebDialog | undefined {
    return this.#withDialog?.dialogs.pending;
  }

  async answer(reply: DialogReply): Promise<void> {
    await this.#withDialog?.dialogs.answer(reply);
  }

  async unlessInterrupted<Result>(work: Promise<Result>): Promise<Result | undefined> {
    let interrupt = () => {};
    const interrupted = new Promise<undefined>(resolve => {
      interrupt = () => resolve(undefined);
      this.#interruptions.add(interrupt);
    });
    if (this.dialog !== undefined && this.dialog.kind !== 'files') interrupt();
    try {
      return await Promise.race([work, interrupted]);
    } finally {
      this.#interruptions.delete(interrupt);
    }
  }

  downloads(): Promise<readonly WebDownload[]> {
    return this.#parts.downloads.list();
  }

  console(): readonly ConsoleMessage[] {
    return this.#console.messages;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#parts.gate.close();
    await this.#parts.release();
    this.#forget();
    this.#hasClosed();
  }

  get #front(): Tab {
    const tab = this.#order.front;
    if (tab === undefined) throw browserError('the context has no tab. Open another context.');
    return tab;
  }

  get #withDialog(): Tab | undefined {
    const tabs = [this.#order.front, ...this.#order.tabs];
    return tabs.find(tab => tab?.dialogs.pending !== undefined);
  }

  #remove(tab: Tab, reason: string): void {
    const wasFront = this.#order.front === tab;
    this.#order.remove(tab);
    if (this.#order.front === undefined) this.#crash(`the last tab ended: ${reason}`);
    else if (wasFront) void this.#order.front.session.send('Page.bringToFront').catch(() => undefined);
    this.#interrupt();
  }

  #interrupt(): void {
    for (const interrupt of [...this.#interruptions]) interrupt();
  }
}
