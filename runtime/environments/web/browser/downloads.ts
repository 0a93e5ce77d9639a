// Downloads of a context. The browser stores each under a random name, so that a page cannot choose a path.

import { basename, join } from 'node:path';
import type { Clock } from '../../../core/clock.ts';
import type { CdpSession } from './session.ts';

export interface WebDownload {
  /** The name that the page suggests, without folders. */
  readonly name: string;
  readonly path: string;
  readonly url: string;
  readonly complete: boolean;
}

const MAX_DOWNLOADS = 100;
const MAX_BYTES = 256 * 1024 * 1024;
/** A page can create frames without end. */
const MAX_FRAMES = 5000;
const MAX_NAME_CHARACTERS = 255;
const MAX_URL_CHARACTERS = 2000;
/** How long a list waits for downloads in progress. */
const FINISH_TIMEOUT_MS = 5000;
const POLL_MS = 10;

type State = 'running' | 'complete' | 'cancelled';

interface Entry {
  readonly name: string;
  readonly url: string;
  readonly state: State;
}

export class Downloads {
  readonly folder: string;
  readonly #browser: CdpSession;
  readonly #context: string;
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  /** The frames of the context, also of tabs that closed: a tab can be opened just for a download. */
  readonly #frames = new Set<string>();
  readonly #removeListeners: readonly (() => void)[];

  constructor(browser: CdpSession, context: string, { folder, clock }: { folder: string; clock: Clock }) {
    this.folder = folder;
    this.#browser = browser;
    this.#context = context;
    this.#clock = clock;
    this.#removeListeners = [
      // The event is one of the whole browser and names only its frame.
      browser.on('Browser.downloadWillBegin', ({ guid, frameId, suggestedFilename, url }) => {
        if (!this.#frames.has(frameId)) return;
        if (this.#entries.size >= MAX_DOWNLOADS) return this.#cancel(guid);
        const name = basename(suggestedFilename.replaceAll('\\', '/')).slice(0, MAX_NAME_CHARACTERS);
        this.#entries.set(guid, { name, url: url.slice(0, MAX_URL_CHARACTERS), state: 'running' });
      }),
      browser.on('Browser.downloadProgress', ({ guid, state, receivedBytes }) => {
        const entry = this.#entries.get(guid);
        if (entry === undefined) return;
        if (state === 'completed') this.#entries.set(guid, { ...entry, state: 'complete' });
        else if (state === 'canceled') this.#entries.set(guid, { ...entry, state: 'cancelled' });
        else if (receivedBytes > MAX_BYTES) this.#cancel(guid);
      }),
    ];
  }

  /** Called for each tab of the context, whose main frame has the id of the tab. */
  watch(session: CdpSession, target: string): void {
    this.#addFrame(target);
    session.on('Page.frameAttached', ({ frameId }) => this.#addFrame(frameId));
  }

  close(): void {
    for (const remove of this.#removeListeners) remove();
  }

  async enable(): Promise<void> {
    await this.#browser.send('Browser.setDownloadBehavior', {
      behavior: 'allowAndName',
      browserContextId: this.#context,
      downloadPath: this.folder,
      eventsEnabled: true,
    });
  }

  /** Waits a few seconds for downloads in progress. Leaves out those that failed. */
  async list(): Promise<readonly WebDownload[]> {
    const isRunning = () => [...this.#entries.values()].some(({ state }) => state === 'running');
    const end = this.#clock.now() + FINISH_TIMEOUT_MS;
    while (isRunning() && this.#clock.now() < end) await this.#clock.sleep(POLL_MS);
    return [...this.#entries]
      .filter(([, { state }]) => state !== 'cancelled')
      .map(([guid, { name, url, state }]) => ({
        ...{ name, url, path: join(this.folder, guid) },
        complete: state === 'complete',
      }));
  }

  #addFrame(id: string): void {
    this.#frames.add(id);
    const [oldest] = this.#frames;
    if (this.#frames.size > MAX_FRAMES && oldest !== undefined) this.#frames.delete(oldest);
  }

  #cancel(guid: string): void {
    // It may have ended meanwhile.
    void this.#browser
      .send('Browser.cancelDownload', { guid, browserContextId: this.#context })
      .catch(() => undefined);
  }
}
