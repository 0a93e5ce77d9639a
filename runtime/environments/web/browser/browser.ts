// A browser in a child process, with one connection and many contexts.

import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../core/clock.ts';
import { DeadlineExceeded, withDeadline } from '../../../core/deadline.ts';
import { sentenceOf } from '../../../core/errors.ts';
import { BoundaryError } from '../../../core/failure.ts';
import type { Size } from '../../../core/screen.ts';
import { Connection } from './connection.ts';
import { BrowserContext, type WebContext } from './context.ts';
import { Downloads } from './downloads.ts';
import type { FoundBrowser } from './find-browser.ts';
import { BROWSER_ENVIRONMENT, browserFlags } from './flags.ts';
import { NetworkGate } from './gate.ts';
import { type BrowserProcess, startBrowserProcess } from './process.ts';
import { makeProfile, removeProfile, removeStaleProfiles } from './profile.ts';
import type { CdpEvents, Session } from './session.ts';
import type { TabScript } from './tab.ts';

/** A cold disk and a busy machine. */
const LAUNCH_TIMEOUT_MS = 30_000;

export interface ContextOptions {
  readonly size: Size;
  /** The hosts that its pages may reach. */
  readonly allow: readonly string[];
  /** Folders that its pages see as http://HOST/, by host. */
  readonly folders: ReadonlyMap<string, string>;
  /** Run in every document before its own scripts. */
  readonly scripts: readonly TabScript[];
  /** Called for each new tab, before its page runs. `frame` is the id of its main frame. */
  readonly tabOpened: (session: Session, frame: string) => void;
}

export interface Browser {
  /** Such as 'Chrome/156.0.8078.79'. */
  readonly version: string;
  openContext(options: ContextOptions): Promise<WebContext>;
  /** Resolves with the reason after the process has ended. Never rejects. */
  readonly ended: Promise<string>;
  /** Kills the process group and removes the profile. Never rejects. */
  close(): Promise<void>;
}

export interface LaunchOptions {
  readonly browser: FoundBrowser;
  readonly clock: Clock;
  /** The folder for the profile, such as that for temporary files. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
  readonly hasLittleSharedMemory: boolean;
}

export async function launchBrowser(options: LaunchOptions): Promise<Browser> {
  const { browser, clock, folder, environment, isRoot, hasLittleSharedMemory } = options;
  await removeStaleProfiles(folder);
  const profile = makeProfile(folder);
  const child = startBrowserProcess({
    path: browser.path,
    flags: browserFlags({ kind: browser.kind, profile, isRoot, hasLittleSharedMemory }),
    environment: { ...environment, ...BROWSER_ENVIRONMENT },
  });
  const connection = new Connection({ input: child.input, output: child.output, clock });
  const ended = child.ended.then(reason => {
    connection.end(reason);
    return reason;
  });
  const opened = new ChromiumBrowser({ connection, child, ended, profile, clock });
  try {
    const start = Promise.race([
      opened.start(),
      ended.then((reason): never => {
        throw new Error(reason);
      }),
    ]);
    await withDeadline(start, { what: `The start of '${browser.path}'`, ms: LAUNCH_TIMEOUT_MS, clock });
  } catch (error) {
    await opened.close();
    throw new BoundaryError(
      {
        boundary: error instanceof DeadlineExceeded ? 'environment' : 'provider',
        thing: 'browser',
        message: `The browser '${browser.path}' did not start: ${sentenceOf(error)} Start it by hand, or configure another one.`,
      },
      { cause: error },
    );
  }
  return opened;
}

interface BrowserParts {
  readonly connection: Connection;
  readonly child: BrowserProcess;
  readonly ended: Promise<string>;
  readonly profile: string;
  readonly clock: Clock;
}

class ChromiumBrowser implements Browser {
  readonly ended: Promise<string>;
  readonly #parts: BrowserParts;
  readonly #contexts = new Map<string, BrowserContext>();
  #version = '';
  #opened = 0;

  constructor(parts: BrowserParts) {
    this.#parts = parts;
    this.ended = parts.ended;
    const { browser } = parts.connection;
    browser.on('Target.attachedToTarget', event => this.#attach(event));
    browser.on('Target.detachedFromTarget', ({ sessionId }) =>
      parts.connection.session(sessionId).end('the tab was closed.'),
    );
  }

  get version(): string {
    return this.#version;
  }

  async start(): Promise<void> {
    const { browser } = this.#parts.connection;
    const [{ product }] = await Promise.all([
      browser.sendWithin(LAUNCH_TIMEOUT_MS, 'Browser.getVersion'),
      // A new tab waits until it is prepared, so that its first page has the right size and no script runs before.
      browser.sendWithin(LAUNCH_TIMEOUT_MS, 'Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: [{ type: 'page' }, { exclude: true }],
      }),
    ]);
    this.#version = product;
  }

  async openContext({ size, allow, folders, scripts, tabOpened }: ContextOptions): Promise<WebContext> {
    const { connection, clock, profile } = this.#parts;
    const { browser } = connection;
    const gate = await NetworkGate.open();
    gate.allow(allow);
    for (const [host, folder] of folders) gate.serve(host, folder);
    this.#opened += 1;
    const folder = join(profile, `downloads-${this.#opened}`);
    const [{ browserContextId: id }, { sessionId }] = await Promise.all([
      browser.send('Target.createBrowserContext', {
        proxyServer: gate.address,
        proxyBypassList: '<-loopback>',
      }),
      browser.send('Target.attachToBrowserTarget'),
      mkdir(folder),
    ]).catch(error => {
      gate.close();
      throw error;
    });
    const downloads = new Downloads(connection.session(sessionId), id, { folder, clock });
    const release = async () => {
      await Promise.all([
        browser.send('Target.disposeBrowserContext', { browserContextId: id }),
        browser.send('Target.detachFromTarget', { sessionId }),
      ]).catch(() => undefined); // It has crashed, or ended with the browser.
      this.#contexts.delete(id);
      await rm(folder, { recursive: true, force: true }).catch(() => undefined); // Removed with the profile.
    };
    const context = new BrowserContext({
      ...{ connection, clock, size, gate, downloads, release, scripts, tabOpened },
    });
    this.#contexts.set(id, context);
    try {
      await Promise.all([
        downloads.enable(),
        browser.send('Browser.grantPermissions', { permissions: [], browserContextId: id }),
        browser.send('Target.createTarget', { url: 'about:blank', browserContextId: id, ...size }),
        context.ready,
      ]);
    } catch (error) {
      await context.close();
      throw error;
    }
    return context;
  }

  async close(): Promise<void> {
    const { child, ended, profile, connection } = this.#parts;
    child.kill();
    connection.end('the browser was closed.');
    await ended;
    for (const context of this.#contexts.values()) await context.close();
    await removeProfile(profile);
  }

  #attach(event: CdpEvents['Target.attachedToTarget'][0]): void {
    const context = this.#contexts.get(event.targetInfo.browserContextId ?? '');
    // Not ready also means closed meanwhile, which the context notices.
    void context?.attach(event).catch(() => undefined);
  }
}
