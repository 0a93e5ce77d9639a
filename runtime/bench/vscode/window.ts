// A window of VS Code in a browser, and the actions of its user. A wait that fails reports what the window
// shows.

import type { FrameLocator, Locator, Page } from 'playwright-core';
import { failureReport } from './failure-report.ts';
import { storedTabs } from './stored-tabs.ts';

/** Long enough for a slow machine with other work. */
const WAIT_TIMEOUT_MS = 180_000;
/** VS Code may replace the frame of a panel, so that the search for it starts again after this time. */
const FRAME_TIMEOUT_MS = 3000;
const POLL_INTERVAL_MS = 200;
/** A key without an effect by then was lost. */
const KEY_TIMEOUT_MS = 10_000;

export class CodeWindow {
  readonly page: Page;
  readonly #screenshots: string;

  /** `screenshots`: the folder for screenshots of failures. */
  constructor(page: Page, screenshots: string) {
    this.page = page;
    this.#screenshots = screenshots;
  }

  async open(address: string): Promise<void> {
    await this.page.goto(address, { waitUntil: 'domcontentloaded', timeout: WAIT_TIMEOUT_MS });
    await this.ready();
  }

  /** Waits until a user could begin. */
  async ready(): Promise<void> {
    await this.sees('the workbench', this.page.locator('.monaco-workbench'));
    await this.sees('the status bar', this.page.locator('.statusbar'));
  }

  /** Reloads the page as soon as VS Code has stored the tab of that panel. */
  async reload(panel: string): Promise<void> {
    await this.until(`the stored tab of '${panel}'`, async () =>
      (await storedTabs(this.page)).includes(`dartboard.panel.${panel}`),
    );
    await this.page.reload({ waitUntil: 'domcontentloaded', timeout: WAIT_TIMEOUT_MS });
    await this.ready();
  }

  /** Runs a command of the palette, by its whole title. */
  async command(title: string): Promise<void> {
    await this.#openPalette(title, this.#rows().filter({ hasText: title }).first());
    const input = this.#input();
    // A question of the command may follow in the same widget.
    await this.#confirm(
      `the start of '${title}'`,
      async () => (await input.isVisible()) && (await input.inputValue({ timeout: 2000 })).startsWith('>'),
    );
  }

  /** Presses Ctrl+K, then Shift and this letter, until the expected thing is visible: VS Code loses early keys. */
  async shortcut(letter: string, expected: Locator): Promise<void> {
    await this.until(`the effect of Ctrl+K Shift+${letter}`, async () => {
      await this.page.keyboard.press('Control+k');
      await this.page.keyboard.press(`Shift+${letter}`);
      return expected.waitFor({ timeout: FRAME_TIMEOUT_MS }).then(
        () => true,
        () => false,
      );
    });
  }

  /** Waits until the status bar item about a person on a desktop shows `text`. */
  async person(text: RegExp): Promise<void> {
    const item = this.page.locator('[id="dartboard.dartboard.dartboard.person"]').filter({ hasText: text });
    await this.sees(`${text} in the status bar`, item);
  }

  /** The titles that the palette offers for `text`, once `title` is among them. */
  async offered(text: string, title: string): Promise<readonly string[]> {
    const names = this.#rows().locator('.label-name');
    await this.#openPalette(text, names.filter({ hasText: title }).first());
    const titles = await names.allTextContents();
    await this.page.keyboard.press('Escape');
    return titles;
  }

  /** Waits for a quick pick with this title, and chooses its first item. */
  async answer(title: string): Promise<void> {
    await this.sees(`the question '${title}'`, this.#question(title));
    await this.sees(`an answer to '${title}'`, this.#rows().first());
    await this.#confirm(`the end of the question '${title}'`, () => this.#question(title).isVisible());
  }

  /** Waits for an input box with this title, types `text` and presses Enter. */
  async enter(title: string, text: string): Promise<void> {
    await this.sees(`the question '${title}'`, this.#question(title));
    const input = this.#input();
    await input.fill(text);
    await input.press('Enter');
  }

  /** Waits for a quick pick with this title, and chooses the item with this text. */
  async choose(title: string, text: string): Promise<void> {
    await (await this.answers(title, text)).click();
  }

  /** Waits for a quick pick with this title and an item with this text, which it returns. */
  async answers(title: string, text: string): Promise<Locator> {
    await this.sees(`the question '${title}'`, this.#question(title));
    const row = this.#rows().filter({ hasText: text }).first();
    await this.sees(`the answer '${text}'`, row);
    return row;
  }

  /** Waits until the visible terminal shows `text`. Rows of the terminal wrap long lines. */
  async terminal(text: RegExp): Promise<void> {
    const rows = this.page.locator('.terminal-wrapper.active .xterm-rows');
    await this.sees(`${text} in the terminal`, rows.filter({ hasText: text }));
  }

  notification(text: string | RegExp): Locator {
    const all = this.page.locator('.notification-list-item').filter({ hasText: text, visible: true });
    return all.first();
  }

  /** Presses a button of a notification. VS Code hides notifications after some seconds. */
  async press(notification: Locator, name: string): Promise<void> {
    if (!(await notification.isVisible())) await this.command('Notifications: Show Notifications');
    const button = notification.getByRole('button', { name });
    await this.sees(`the button '${name}'`, button);
    await button.click();
  }

  /** Waits until the status bar item of the extension shows `text`. */
  async status(text: RegExp): Promise<void> {
    const item = this.page.locator('[id="dartboard.dartboard.dartboard.status"]').filter({ hasText: text });
    await this.sees(`${text} in the status bar`, item);
  }

  async selectTab(title: string): Promise<void> {
    const tab = this.page.getByRole('tab', { name: title, exact: true });
    await this.sees(`the tab '${title}'`, tab);
    await tab.click();
  }

  /** The page of the visible panel, connected. The locator stays valid when VS Code reloads the page. */
  async panel(name: string): Promise<FrameLocator> {
    // A webview is two frames deep.
    const frames = this.page.locator('iframe.webview.ready').filter({ visible: true }).last().contentFrame();
    const page = frames.locator('iframe#active-frame').contentFrame();
    const connected = page.locator(`body[data-panel="${name}"]`).getByText('Connected', { exact: true });
    await this.until(`the connected panel '${name}'`, () =>
      connected.waitFor({ timeout: FRAME_TIMEOUT_MS }).then(
        () => true,
        // Not there yet, or its frame was replaced.
        () => false,
      ),
    );
    return page;
  }

  /** Switches the color scheme of the user's system. */
  async scheme(colorScheme: 'light' | 'dark'): Promise<void> {
    await this.page.emulateMedia({ colorScheme });
    const theme = colorScheme === 'dark' ? '.monaco-workbench.vs-dark' : '.monaco-workbench.vs';
    await this.sees(`the ${colorScheme} theme`, this.page.locator(theme));
  }

  async sees(what: string, locator: Locator): Promise<void> {
    await this.#reported(what, locator.waitFor({ timeout: WAIT_TIMEOUT_MS }));
  }

  async until(what: string, condition: () => Promise<boolean>): Promise<void> {
    const poll = async (): Promise<void> => {
      const deadline = Date.now() + WAIT_TIMEOUT_MS;
      for (; !(await condition()); await this.page.waitForTimeout(POLL_INTERVAL_MS))
        if (Date.now() > deadline) throw new Error(`Not within ${WAIT_TIMEOUT_MS / 1000} s.`);
    };
    await this.#reported(what, poll());
  }

  #question(title: string): Locator {
    return this.page.locator('.quick-input-widget', { hasText: title });
  }

  #input(): Locator {
    return this.page.locator('.quick-input-widget input:not([type="checkbox"])').first();
  }

  #rows(): Locator {
    return this.page.locator('.quick-input-list .monaco-list-row');
  }

  /**
   * Retries: VS Code loses early keys, and an open palette does not show commands that are registered later.
   */
  async #openPalette(text: string, row: Locator): Promise<void> {
    const input = this.#input();
    await this.until(`'${text}' in the palette`, async () => {
      await this.page.keyboard.press('F1');
      try {
        await input.waitFor({ timeout: 2000 });
        await input.fill(`>${text}`, { timeout: 2000 });
        await row.waitFor({ timeout: 3000 });
        return true;
      } catch {
        // Not there yet: try again with a new palette.
        await this.page.keyboard.press('Escape');
        return false;
      }
    });
  }

  /** Presses Enter until nothing is asked any more: VS Code loses keys while the focus moves. */
  async #confirm(what: string, isAsked: () => Promise<boolean>): Promise<void> {
    let pressedAt = Number.NEGATIVE_INFINITY;
    await this.until(what, async () => {
      if (!(await isAsked().catch(() => false))) return true;
      if (Date.now() - pressedAt < KEY_TIMEOUT_MS) return false;
      pressedAt = Date.now();
      // The question may close meanwhile.
      await this.#input()
        .press('Enter', { timeout: 2000 })
        .catch(() => undefined);
      return false;
    });
  }

  async #reported(what: string, wait: Promise<void>): Promise<void> {
    try {
      await wait;
    } catch (error) {
      throw new Error(await failureReport(this.page, what, this.#screenshots), { cause: error });
    }
  }
}
