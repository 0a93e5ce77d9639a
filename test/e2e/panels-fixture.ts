// The fixture of the tests of panels: a browser page and a fake daemon with a library of 10,000 trajectories.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import { FakeDaemon } from '../webview/panels/fake-daemon.ts';
import { TrajectoryLibrary } from '../webview/panels/library.ts';
import { HOW_TO, hasChromium, launch } from './chromium.ts';

export const COUNT = 10_000;
/** With several agents. */
export const COUNT_OF_AGENTS = 400;
export const ONE = 't-009994';
export const OTHER = 't-009996';
export interface PanelFixture {
  readonly library: TrajectoryLibrary;
  readonly daemon: FakeDaemon;
  readonly page: Page;
  /** Errors of the page and of its console, breaches of the content security policy included. A test fails if any is left. */
  readonly pageErrors: string[];
  /** Opens the page at a place, and makes it the page of this fixture. */
  open(hash: string, width?: number): Promise<void>;
  /** Opens the page with a clock that the test can move. */
  openWithClock(hash: string): Promise<void>;
  /** Starts another daemon on this port, after the test has closed the first. */
  restart(port: number): Promise<void>;
}

/** Defines a suite that is skipped without Chromium. Each test has its own daemon and page. `agents` play beside the built-in agent. */
export function describePanels(
  name: string,
  define: (fixture: PanelFixture) => void,
  agents: readonly string[] = [],
): void {
  if (!hasChromium) process.stderr.write(`${HOW_TO}\n`);
  describe.skipIf(!hasChromium)(name, () => {
    const library = new TrajectoryLibrary(agents.length === 0 ? COUNT : COUNT_OF_AGENTS, agents);
    const pageErrors: string[] = [];
    let browser: Awaited<ReturnType<typeof launch>>;
    let daemon: FakeDaemon;
    let page: Page | undefined;

    async function open(hash: string, width: number, withClock: boolean): Promise<void> {
      await page?.close();
      const opened = await browser.newPage({ viewport: { width, height: 800 } });
      page = opened;
      opened.on('pageerror', error => pageErrors.push(error.message));
      opened.on('console', message => message.type() === 'error' && pageErrors.push(message.text()));
      if (withClock) await opened.clock.install();
      await opened.goto(daemon.address);
      await opened.getByText('Connected', { exact: true }).waitFor();
      await opened.evaluate(place => location.replace(place), hash);
    }

    beforeAll(async () => {
      browser = await launch();
    });
    afterAll(() => browser?.close());
    beforeEach(async () => {
      daemon = new FakeDaemon(library);
      await daemon.open();
    });
    afterEach(async () => {
      await page?.close();
      page = undefined;
      await daemon.close();
      expect(pageErrors.splice(0)).toEqual([]);
    });

    define({
      library,
      pageErrors,
      get daemon() {
        return daemon;
      },
      get page() {
        if (page === undefined) throw new Error('The test has not opened a page.');
        return page;
      },
      open: (hash, width = 1200) => open(hash, width, false),
      openWithClock: hash => open(hash, 1200, true),
      async restart(port) {
        daemon = new FakeDaemon(library);
        await daemon.open(port);
      },
    });
  });
}
