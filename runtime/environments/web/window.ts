// The window of a desktop: the tab in front, or the dialog that blocks it. Performs actions and takes the screen.

import type { Action } from '../../core/action.ts';
import type { Clock } from '../../core/clock.ts';
import { BoundaryError } from '../../core/failure.ts';
import { safeParse } from '../../core/safe-parse.ts';
import type { Point, Screen, Size } from '../../core/screen.ts';
import { taskError } from '../task-function.ts';
import { browserError } from './browser/connection.ts';
import { quiet, type WebContext } from './browser/context.ts';
import type { WebDialog } from './browser/dialogs.ts';
import type { CdpSession } from './browser/session.ts';
import type { Browsers } from './browsers.ts';
import { DIALOG_ANSWER, dialogAnswer, dialogHtml, showBelow } from './dialog-page.ts';
import { WindowClipboard } from './page/clipboard.ts';
import { type BrowserCommand, nextPress, type PageInput, pageInputs } from './page/input.ts';
import { type PageContent, WebPage } from './page/page.ts';
import { type StoppedClockOptions, StoppedTime } from './page/stopped-clock.ts';
import type { EpisodeRules } from './task-page.ts';

export interface WebWindowOptions {
  readonly browsers: Pick<Browsers, 'openContext'>;
  readonly size: Size;
  readonly clock: Clock;
  /** Files that a file chooser offers, by name: the path of each. */
  readonly uploads: ReadonlyMap<string, string>;
}

interface OpenTabs {
  readonly context: WebContext;
  readonly pages: ReadonlyMap<CdpSession, WebPage>;
  /** Stops the clocks of all tabs, and of those that open later. */
  stopClocks(options: StoppedClockOptions): void;
  /** Before an action: its time passes for all tabs. A tab that is not in front catches up when it is shown. */
  beginStep(): void;
}

/** How long the action `wait` lets a page work. */
const WAIT_MS = 500;
const MAX_DIALOGS = 20;
/** Each is interrupted by a new tab or dialog. */
const MAX_LOOKS = 50;

export class WebWindow {
  readonly context: WebContext;
  readonly #options: WebWindowOptions;
  readonly #tabs: OpenTabs;
  readonly #clipboard: WindowClipboard;
  /** Shows a dialog, in a context of its own. The page may have opened another one meanwhile. */
  #dialog: { readonly of: WebDialog; readonly tabs: OpenTabs } | undefined;
  #isClosed = false;

  static async open(options: WebWindowOptions): Promise<WebWindow> {
    const clipboard = new WindowClipboard();
    return new WebWindow(options, clipboard, await openTabs(options, clipboard));
  }

  private constructor(options: WebWindowOptions, clipboard: WindowClipboard, tabs: OpenTabs) {
    this.#options = options;
    this.#clipboard = clipboard;
    this.context = tabs.context;
    this.#tabs = tabs;
  }

  /** The page in front, even if a dialog blocks it. */
  get page(): WebPage {
    return pageOf(this.#tabs);
  }

  /** Scripts in the page run: no dialog blocks it. */
  get isReadable(): boolean {
    return this.context.dialog === undefined;
  }

  /** The time of pages that open from now on passes only with actions. Cannot be undone. */
  stopClock(options: StoppedClockOptions): void {
    this.#tabs.stopClocks(options);
  }

  /** For the next episode in the window. */
  emptyClipboard(): void {
    this.#clipboard.empty();
  }

  async act(action: Action, rules?: EpisodeRules): Promise<Screen> {
    const { size, clock } = this.#options;
    if (action.kind === 'wait' && !this.page.isClockStopped) await clock.sleep(WAIT_MS);
    return this.#perform(pageInputs(action, size), rules);
  }

  /** Presses again at the point of the last click, as part of a double or triple click. */
  clickAgain(at: Point, press: 2 | 3, rules?: EpisodeRules): Promise<Screen> {
    return this.#perform(nextPress(at, press), rules);
  }

  async #perform(inputs: readonly PageInput[], rules: EpisodeRules | undefined): Promise<Screen> {
    const [first] = inputs;
    this.#tabs.beginStep();
    if (this.#dialog !== undefined) {
      if (first?.kind !== 'browser') await pageOf(this.#dialog.tabs).act(inputs);
      await this.#takeAnswer();
      return this.look(rules);
    }
    if (first?.kind === 'browser') {
      await this.page.setNextDate();
      await this.#command(first.command);
      return this.look(rules);
    }
    return (await this.#screen(page => page.act(inputs), rules)) ?? this.look(rules);
  }

  /** The present screen, once the page has settled. */
  async look(rules?: EpisodeRules): Promise<Screen> {
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      const shown = await this.#shown();
      // Nothing interrupts the page of a dialog.
      if (shown !== this.page) {
        const { elements } = await shown.list();
        return { elements, pixels: await shown.pixels() };
      }
      const screen = await this.#screen(page => page.list(), rules);
      if (screen !== undefined) return screen;
    }
    throw taskError('page', `opens and closes tabs or dialogs without end. Correct the page.`);
  }

  /** Of the page in front after a call. Undefined if a new tab or a dialog is in front before its picture is taken. */
  async #screen(
    call: (page: WebPage) => Promise<PageContent>,
    rules: EpisodeRules | undefined,
  ): Promise<Screen | undefined> {
    const { context, page } = this;
    const { frontTab } = context;
    const content = await context.unlessInterrupted(quiet(call(page)));
    if (content === undefined || context.frontTab !== frontTab) return undefined;
    const pixels = await context.unlessInterrupted(quiet(page.pixels()));
    if (pixels === undefined || context.frontTab !== frontTab) return undefined;
    const { elements, goesOn } = content;
    return { pixels, elements, ...(rules?.endsItself === true && !goesOn && { isOver: true }) };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#closeDialog();
    await this.context.close();
  }

  /** Dismisses dialogs until none waits. */
  async dismissDialogs(): Promise<void> {
    const { context } = this;
    await this.#closeDialog();
    for (let count = 0; context.dialog !== undefined; count++) {
      if (count === MAX_DIALOGS)
        throw taskError('page', `opens more than ${MAX_DIALOGS} dialogs in a row. Correct the page.`);
      await context.answer({ accept: false });
      // The script goes on, and may open another one, or another page.
      await context.unlessInterrupted(quiet(this.page.settle([])));
    }
  }

  async #shown(): Promise<WebPage> {
    const { dialog } = this.context;
    if (dialog === undefined) {
      await this.#closeDialog();
      return this.page;
    }
    if (this.#dialog?.of !== dialog) {
      await this.#closeDialog();
      await this.#showDialog(dialog);
    }
    return pageOf(this.#dialog?.tabs ?? this.#tabs);
  }

  async #showDialog(dialog: WebDialog): Promise<void> {
    const tabs = await openTabs(this.#options, this.#clipboard);
    if (this.#isClosed) {
      await tabs.context.close();
      throw browserError('the window was closed. Open another one.');
    }
    this.#dialog = { of: dialog, tabs };
    const html = dialogHtml(dialog, [...this.#options.uploads.keys()]);
    await tabs.context.open(`data:text/html;charset=utf-8;base64,${Buffer.from(html).toString('base64')}`);
    const { lastPicture } = this.page;
    if (lastPicture !== undefined) await pageOf(tabs).evaluate(showBelow(lastPicture));
  }

  /** An answer is one to the dialog that the agent saw. */
  async #takeAnswer(): Promise<void> {
    if (this.#dialog === undefined || this.#dialog.of !== this.context.dialog) return;
    const parsed = safeParse(dialogAnswer, await pageOf(this.#dialog.tabs).evaluate(DIALOG_ANSWER));
    if (!parsed.success) return;
    const { accept, text, file } = parsed.data;
    const path = file === undefined ? undefined : this.#options.uploads.get(file);
    await this.#closeDialog();
    await this.context.answer({
      accept,
      ...(text !== undefined && { text }),
      ...(path !== undefined && { files: [path] }),
    });
  }

  async #closeDialog(): Promise<void> {
    const dialog = this.#dialog;
    this.#dialog = undefined;
    await dialog?.tabs.context.close();
  }

  async #command(command: BrowserCommand): Promise<void> {
    const { context } = this;
    switch (command) {
      case 'back':
        return context.goBack();
      case 'forward':
        return context.goForward();
      case 'reload':
        return context.reload();
      case 'close tab':
        return context.closeTab();
      case 'next tab':
        return context.switchTab(1);
      case 'previous tab':
        return context.switchTab(-1);
    }
  }
}

async function openTabs(
  { browsers, size, clock }: WebWindowOptions,
  clipboard: WindowClipboard,
): Promise<OpenTabs> {
  const pages = new Map<CdpSession, WebPage>();
  let time: StoppedTime | undefined;
  const tabOpened = (session: CdpSession, frame: string) => {
    const page = new WebPage(session, { frame, size, clock, clipboard });
    if (time !== undefined) page.stopClock(time);
    pages.set(session, page);
  };
  return {
    context: await browsers.openContext({ size, tabOpened }),
    pages,
    stopClocks(options) {
      time = new StoppedTime(options);
      for (const page of pages.values()) page.stopClock(time);
    },
    beginStep: () => time?.beginStep(),
  };
}

function pageOf({ context, pages }: OpenTabs): WebPage {
  const page = pages.get(context.front);
  if (page !== undefined) return page;
  throw new BoundaryError({
    boundary: 'environment',
    thing: 'tab',
    message: 'the tab has no page. Reset the desktop.',
  });
}
