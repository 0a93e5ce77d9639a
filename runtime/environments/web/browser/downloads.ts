// Downloads of a context. The browser stores each under a random name, so that a page cannot choose a path.

import { basename, join } from 'node:path';
import type { Clock } from '../../../core/clock.ts';
import type { Session } from './session.ts';

export interface WebDownload {
  /** The name that the page suggests, without folders. */
  readonly name: string;
  readonly path: string;
  readonly url: string;
  readonly complete: boolean;
}

const MAX_DOWNLOADS = 100;
const MAX_BYTES = 256 * 1024 * 1024;
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
  readonly #session: Session;
  readonly #context: string;
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  /** `session` belongs to the browser, and to this context alone: the events do not name their context. */
  constructor(session: Session, context: string, { folder, clock }: { folder: string; clock: Clock }) {
    this.folder = folder;
    this.#session = session;
    this.#context = context;
    this.#clock = clock;
    session.on('Browser.downloadWillBegin', ({ guid, suggestedFilename, url }) => {
      if (this.#entries.size >= MAX_DOWNLOADS) return this.#cancel(guid);
      const name = basename(suggestedFilename.replaceAll('\\', '/')).slice(0, MAX_NAME_CHARACTERS);
      this.#entries.set(guid, { name, url: url.slice(0, MAX_URL_CHARACTERS), state: 'running' });
    });
    session.on('Browser.downloadProgress', ({ guid, state, receivedBytes }) => {
      const entry = this.#entries.get(guid);
      if (entry === undefined) return;
      if (state === 'completed') this.#entries.set(guid, { ...entry, state: 'complete' });
      else if (state === 'canceled') this.#entries.set(guid, { ...entry, state: 'cancelled' });
      else if (receivedBytes > MAX_BYTES) this.#cancel(guid);
    });
  }

  async enable(): Promise<void> {
    await this.#session.send('Browser.setDownloadBehavior', {
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

  #cancel(guid: string): void {
    // It may have ended meanwhile.
    void this.#session
      .send('Browser.cancelDownload', { guid, browserContextId: this.#context })
      .catch(() => undefined);
  }
}
