// A browser window as a Desktop: an isolated context for each task, prepared by the task's set-up steps, judged by its pages.
//
// Pages of MiniWoB++ start their episodes themselves and store nothing: they share a context, which costs a fraction of a new one.

import { tmpdir } from 'node:os';
import type { Action } from '../../core/action.ts';
import { actionError } from '../../core/action-error.ts';
import type { Clock } from '../../core/clock.ts';
import type { Desktop, FirstScreen } from '../../core/desktop.ts';
import type { DesktopId, Seed } from '../../core/ids.ts';
import type { Point, Screen, Size } from '../../core/screen.ts';
import type { Getter, SetupStep, Task } from '../../core/task.ts';
import type { Ending, Verdict } from '../../core/verdict.ts';
import { DesktopCalls } from '../desktop-calls.ts';
import { isInspected, judgeTask } from '../judge-task.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from './browser/temporary-folder.ts';
import type { Browsers } from './browsers.ts';
import { runGetter, unlessUnreadable } from './getters.ts';
import { miniwobSize, sharesContext } from './miniwob-task.ts';
import { runSetupStep } from './setup.ts';
import type { TaskPage } from './task-page.ts';
import { WebWindow } from './window.ts';

export interface WebDesktopOptions {
  readonly browsers: Pick<Browsers, 'openContext'>;
  readonly size: Size;
  /** The hosts that tasks may reach at most. */
  readonly allow: readonly string[];
  /** The folder of MiniWoB++ pages. */
  readonly miniwob: string | undefined;
  /** The folder with task files of the user. */
  readonly files: string | undefined;
  readonly clock: Clock;
}

interface RunningTask {
  readonly task: Task;
  readonly size: Size;
  readonly window: WebWindow;
  readonly page: TaskPage;
  readonly firstTab: number;
}

export class WebDesktop implements Desktop {
  readonly id: DesktopId;
  readonly #calls: DesktopCalls;
  readonly #options: WebDesktopOptions;
  #running: RunningTask | undefined;
  /** Why the page of the last task crashed. */
  #crash: string | undefined;

  constructor(id: DesktopId, options: WebDesktopOptions) {
    this.id = id;
    this.#options = options;
    this.#calls = new DesktopCalls({ id, discard: () => this.#discard() });
  }

  /** Ignores the seed: the suite has already applied it to the task. */
  reset(task: Task, _seed: Seed): Promise<FirstScreen> {
    return this.#calls.run(async () => {
      const running = await this.#windowFor(task);
      this.#crash = undefined;
      this.#running = running;
      const { page, window } = running;
      for (const step of task.config ?? []) await runSetupStep(page, step);
      const screen = await window.look();
      const { instruction } = page.rules;
      return { ...screen, ...(instruction !== undefined && { instruction }) };
    });
  }

  async act(action: Action): Promise<Screen> {
    const { window, size, page } = this.#current();
    const error = actionError(action, size);
    if (error !== undefined) throw this.#calls.error(error);
    return this.#calls.run(() => window.act(action, page.rules));
  }

  look(): Promise<Screen> {
    const { window } = this.#current();
    return this.#calls.run(() => window.look());
  }

  clickAgain(at: Point, press: 2 | 3): Promise<Screen> {
    const { window, page } = this.#current();
    return this.#calls.run(() => window.clickAgain(at, press, page.rules));
  }

  async query(getter: Getter): Promise<unknown> {
    const { page } = this.#current();
    return this.#calls.run(() => unlessUnreadable(runGetter(page, getter)));
  }

  async setup(step: SetupStep): Promise<void> {
    const { page } = this.#current();
    return this.#calls.run(() => runSetupStep(page, step));
  }

  async judge(ending: Ending): Promise<Verdict> {
    const { task, page, window } = this.#current();
    return this.#calls.run(async () => {
      if (isInspected(task, ending)) await window.dismissDialogs();
      return judgeTask(task, ending, {
        setup: step => runSetupStep(page, step),
        query: getter => runGetter(page, getter),
      });
    });
  }

  async close(): Promise<void> {
    this.#calls.close();
    await this.#discard();
  }

  async #windowFor(task: Task): Promise<RunningTask> {
    const { browsers, size: ownSize, allow, clock, miniwob, files } = this.#options;
    const size = miniwobSize(task) ?? ownSize;
    const last = this.#running;
    // A page may have opened other tabs.
    const isReused =
      last?.window.isReadable === true &&
      last.window.context.frontTab === last.firstTab &&
      sharesContext(last.task, task);
    if (last !== undefined && isReused) {
      last.window.emptyClipboard();
      return { ...last, task, page: { ...last.page, origins: new Set(), rules: {} } };
    }
    await this.#discard();
    const uploads = new Map<string, string>();
    const folder = makeTemporaryFolder(tmpdir());
    let window: WebWindow;
    try {
      window = await WebWindow.open({ browsers, size, clock, uploads });
    } catch (error) {
      await removeTemporaryFolder(folder);
      throw error;
    }
    if (this.#calls.isClosed) {
      await Promise.all([window.close(), removeTemporaryFolder(folder)]);
      this.#calls.assertOpen();
    }
    const { context } = window;
    void context.crashed.then(why => {
      if (this.#running?.window !== window) return;
      this.#crash = why;
      this.#calls.interrupt(why);
      void this.#discard();
    });
    const page: TaskPage = {
      context,
      page: () => window.page,
      stopClock: options => window.stopClock(options),
      uploads,
      folder,
      allow,
      miniwob,
      files,
      origins: new Set(),
      rules: {},
    };
    return { task, size, window, page, firstTab: context.frontTab };
  }

  async #discard(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    if (running === undefined) return;
    await running.window.close();
    await removeTemporaryFolder(running.page.folder);
  }

  #current(): RunningTask {
    if (this.#running === undefined)
      throw this.#calls.error(this.#crash ?? 'no task is running: call reset first');
    return this.#running;
  }
}
