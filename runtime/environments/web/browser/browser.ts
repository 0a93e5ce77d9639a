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
import type { BrowserMachine } from './machine.ts';
import { type BrowserProcess, startBrowserProcess } from './process.ts';
import type { CdpEvents, CdpSession } from './session.ts';
import type { TabScript } from './tab.ts';
import { makeTemporaryFolder, removeStaleFolders, removeTemporaryFolder } from './temporary-folder.ts';

/** A cold disk and a busy machine. */
const LAUNCH_TIMEOUT_MS = 30_000;

export interface ContextOptions {
  readonly size: Size;
  /** The hosts that its pages may reach. */
  readonly allow: readonly string[];
  /** Folders that its pages see as http://HOST/, by host. */
  readonly folders: ReadonlyMap<string, string>;
  /** Run in every document before its own scripts. */
  readonly scripts?: readonly TabScript[];
  /** Called for each new tab, before its page runs. `frame` is the id of its main frame. */
  readonly tabOpened?: (session: CdpSession, frame: string) => void;
}

export interface WebBrowser {
  /** Such as 'Chrome/156.0.8078.79'. */
  readonly version: string;
  /** The process, and also its group. */
  readonly pid: number;
  openContext(options: ContextOptions): Promise<WebContext>;
  /** Resolves with the reason after the process has ended. Never rejects. */
  readonly ended: Promise<string>;
  /** Kills the process group and removes the profile. Never rejects. */
  close(): Promise<void>;
}

export interface LaunchOptions {
  readonly browser: FoundBrowser;
  readonly clock: Clock;
  readonly machine: BrowserMachine;
}

export async function launchBrowser({ browser, clock, machine }: LaunchOptions): Promise<WebBrowser> {
  await removeStaleFolders(machine.temporaryFolder);
  const profile = makeTemporaryFolder(machine.temporaryFolder);
  const failed = (error: unknown) =>
    new BoundaryError(
      {
        boundary: error instanceof DeadlineExceeded ? 'environment' : 'provider',
        thing: 'browser',
        message: `Cannot start the browser: ${sentenceOf(error)} Start '${browser.path}' by hand, or configure another browser.`,
      },
      { cause: error },
    );
  let child: BrowserProcess;
  try {
    child = startBrowserProcess({
      path: browser.path,
      flags: browserFlags({ kind: browser.kind, profile, machine }),
      environment: { ...machine.environment, ...BROWSER_ENVIRONMENT },
    });
  } catch (error) {
    await removeTemporaryFolder(profile);
    throw failed(error);
  }
  const hung = () => child.kill('the browser did not answer for 15 s.');
  const connection = new Connection({ input: child.input, output: child.output, clock, hung });
  const ended = child.ended.then(reason => {
    connection.end(reason);
    return reason;
  });
  const opened = new ChromiumBrowser({ connection, child, ended, profile, clock });
  try {
    // The end of the process rejects the commands of `start`, with its reason.
    await withDeadline(opened.start(), { what: 'The launch', ms: LAUNCH_TIMEOUT_MS, clock });
  } catch (error) {
    await opened.close();
    throw failed(error);
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

class ChromiumBrowser implements WebBrowser {
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

  get pid(): number {
    return this.#parts.child.pid;
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

  async openContext({
    size,
    allow,
    folders,
    scripts = [],
    tabOpened = () => undefined,
  }: ContextOptions): Promise<WebContext> {
    const { connection, clock, profile } = this.#parts;
    const { browser } = connection;
    this.#opened += 1;
    const folder = join(profile, `downloads-${this.#opened}`);
    // A cleaner of temporary files may have removed the profile. The profile of an ended browser stays removed.
    if (browser.isOpen) await mkdir(folder, { recursive: true, mode: 0o700 });
    const gate = await NetworkGate.open();
    gate.allow(allow);
    for (const [host, served] of folders) gate.serve(host, served);
    const { browserContextId: id } = await browser
      .send('Target.createBrowserContext', { proxyServer: gate.address, proxyBypassList: '<-loopback>' })
      .catch(error => {
        gate.close();
        throw error;
      });
    const downloads = new Downloads(browser, id, { folder, clock });
    const release = async () => {
      downloads.close();
      // It has crashed, or ended with the browser.
      await browser.send('Target.disposeBrowserContext', { browserContextId: id }).catch(() => undefined);
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
        // A page may copy, as in every browser. All other requests for permissions are denied: nobody could answer them.
        browser.send('Browser.grantPermissions', {
          permissions: ['clipboardSanitizedWrite'],
          browserContextId: id,
        }),
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
    const { child, ended, profile } = this.#parts;
    child.kill('the browser was closed.');
    await ended;
    for (const context of this.#contexts.values()) await context.close();
    await removeTemporaryFolder(profile);
  }

  #attach(event: CdpEvents['Target.attachedToTarget'][0]): void {
    const context = this.#contexts.get(event.targetInfo.browserContextId ?? '');
    // Not ready also means closed meanwhile, which the context notices.
    void context?.attach(event).catch(() => undefined);
  }
}
