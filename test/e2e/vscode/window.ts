// One window of VS Code in a browser, and what a person does in it. Nothing is waited for without a limit, and who waited in vain is
// told what there was instead.

import type { FrameLocator, Locator, Page } from 'playwright-core';
import { seenInstead } from './failure-report.ts';
import { keptTabs } from './stored-tabs.ts';

/** Milliseconds: for a machine that is busy with other things. */
const PATIENCE = 60_000;
/** After so long a frame is looked for anew: VS Code may have put another in its place. */
const LOOK_ANEW = 3000;

export class Window {
  readonly page: Page;
  readonly #pictures: string;

  /** Pictures of what came instead are written to that folder. */
  constructor(page: Page, pictures: string) {
    this.page = page;
    this.#pictures = pictures;
  }

  /** Loaded, so far that a person could begin. */
  async ready(): Promise<void> {
    await this.sees('the workbench', this.page.locator('.monaco-workbench'));
    await this.sees('the status bar', this.page.locator('.statusbar'));
  }

  /** Once VS Code would bring back a tab of that panel, in the state in which it is. */
  async reload(panel: string): Promise<void> {
    await this.until(`the tab of '${panel}' in what VS Code keeps`, async () =>
      (await keptTabs(this.page)).includes(`dartboard.panel.${panel}`),
    );
    // What a page has still to fetch may take long; who waits for the workbench need not wait for that.
    await this.page.reload({ waitUntil: 'domcontentloaded', timeout: PATIENCE });
    await this.ready();
  }

  /** A command of the palette, by its whole title. */
  async command(title: string): Promise<void> {
    await this.#open(title, this.#rows().filter({ hasText: title }).first());
    await this.page.keyboard.press('Enter');
  }

  /**
   * What the palette offers to who types this, once that title is among it: before the extension and the folder are known, there is
   * something else.
   */
  async offered(text: string, title: string): Promise<readonly string[]> {
    const names = this.#rows().locator('.label-name');
    await this.#open(text, names.filter({ hasText: title }).first());
    const titles = await names.allTextContents();
    await this.page.keyboard.press('Escape');
    return titles;
  }

  /** Waits for a question, and takes its first answer. */
  async answer(question: string): Promise<void> {
    const widget = this.page.locator('.quick-input-widget', { hasText: question });
    await this.sees(`the question '${question}'`, widget);
    await this.sees(`an answer to '${question}'`, this.#rows().first());
    await this.page.keyboard.press('Enter');
  }

  /** The extension's item in the status bar, once it says that. */
  async status(text: RegExp): Promise<void> {
    const item = this.page.locator('[id="dartboard.dartboard.dartboard.status"]').filter({ hasText: text });
    await this.sees(`${text} in the status bar`, item);
  }

  /** The tab of that title, turned to. */
  async turnTo(title: string): Promise<void> {
    const tab = this.page.getByRole('tab', { name: title, exact: true });
    await this.sees(`the tab '${title}'`, tab);
    await tab.click();
  }

  /** The page of a panel that is in sight, connected. It stays the right one when VS Code loads it anew. */
  async panel(name: string): Promise<FrameLocator> {
    // A webview is two frames deep.
    const frames = this.page.locator('iframe.webview.ready').filter({ visible: true }).last().contentFrame();
    const page = frames.locator('iframe#active-frame').contentFrame();
    const body = page.locator(`body[data-panel="${name}"]`);
    const connected = body.getByText('Connected', { exact: true });
    await this.until(`the panel '${name}', connected`, () =>
      connected.waitFor({ timeout: LOOK_ANEW }).then(
        () => true,
        () => false,
      ),
    );
    return page;
  }

  /** Light or dark, as the user's system is. */
  async scheme(colorScheme: 'light' | 'dark'): Promise<void> {
    await this.page.emulateMedia({ colorScheme });
    const drawn = colorScheme === 'dark' ? '.monaco-workbench.vs-dark' : '.monaco-workbench.vs';
    await this.sees(`the ${colorScheme} theme`, this.page.locator(drawn));
  }

  async sees(what: string, thing: Locator): Promise<void> {
    await this.#told(what, thing.waitFor({ timeout: PATIENCE }));
  }

  /** Looks now and then whether it holds. */
  async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    const looking = async (): Promise<void> => {
      for (const end = Date.now() + PATIENCE; !(await holds()); await this.page.waitForTimeout(200))
        if (Date.now() > end) throw new Error(`Not within ${PATIENCE / 1000} s.`);
    };
    await this.#told(what, looking());
  }

  #rows(): Locator {
    return this.page.locator('.quick-input-list .monaco-list-row');
  }

  /** Keys that come too early are lost, and a palette that is open learns of no new commands: so it is opened again. */
  async #open(text: string, row: Locator): Promise<void> {
    const input = this.page.locator('.quick-input-widget input[type="text"]').first();
    await this.until(`'${text}' in the palette`, async () => {
      await this.page.keyboard.press('F1');
      try {
        await input.waitFor({ timeout: 2000 });
        await input.fill(`>${text}`, { timeout: 2000 });
        await row.waitFor({ timeout: 3000 });
        return true;
      } catch {
        await this.page.keyboard.press('Escape');
        return false;
      }
    });
  }

  async #told(what: string, coming: Promise<void>): Promise<void> {
    try {
      await coming;
    } catch (error) {
      throw new Error(await seenInstead(this.page, what, this.#pictures), { cause: error });
    }
  }
}
