// A guest as a Desktop: restored for each task, prepared by the task's set-up steps, judged by its files, commands and pages.

import type { Action } from '../../core/action.ts';
import { actionError } from '../../core/action-error.ts';
import type { Clock } from '../../core/clock.ts';
import type { Desktop } from '../../core/desktop.ts';
import type { DesktopId, Seed } from '../../core/ids.ts';
import { decodePng, PngError } from '../../core/png-reader.ts';
import type { Element, Pixels, Screen, Size } from '../../core/screen.ts';
import type { Getter, SetupStep, Task } from '../../core/task.ts';
import type { Ending, Verdict } from '../../core/verdict.ts';
import { XmlError } from '../../tasks/formats/xml.ts';
import { DesktopCalls } from '../desktop-calls.ts';
import { isInspected, judgeTask } from '../judge-task.ts';
import { runGetter } from '../osworld/getters.ts';
import { runStep } from '../osworld/steps.ts';
import type { TaskRun } from '../osworld/task-run.ts';
import { elementsOfTree } from './accessibility.ts';
import type { GuestApi } from './guest-api.ts';
import type { GuestHost } from './guest-host.ts';
import { programOf } from './guest-input.ts';
import { isCalm } from './settle.ts';

/** A screen of 4K. Larger ones would block the process for too long while they are decoded. */
const MAX_PIXELS = 3840 * 2160;
/** Between an action and the first picture, and between two pictures. */
const LOOK_MS = 150;
/** An application may take so long to show an effect. OSWorld waits as long after each action. */
const FIRST_MS = 2000;
/** A screen that still changes after this time is animated. */
const SETTLE_MS = 3000;
/** A turn in which the agent waits. */
const WAIT_MS = 1000;

export interface GuestDesktopOptions {
  readonly api: GuestApi;
  readonly host: GuestHost;
  readonly clock: Clock;
  /** The elements of the screen take a guest seconds, so they are read only if the policy sees them. */
  readonly hasElements: boolean;
  /** Applications write some of what they did seconds later: Chrome its preferences after 10 s. */
  readonly judgeDelayMs: number;
  /** The surroundings of a task's steps and getters, with an empty cache. */
  readonly run: () => TaskRun;
  /** Gives the guest back. */
  readonly release: () => void;
}

interface RunningTask {
  readonly task: Task;
  readonly run: TaskRun;
  last: Pixels;
  /** The latest one that a caller got. */
  shown?: Screen;
  /** The picture when the elements of `shown` were read. */
  read?: Pixels;
}

export class GuestDesktop implements Desktop {
  readonly id: DesktopId;
  readonly #calls: DesktopCalls;
  readonly #options: GuestDesktopOptions;
  readonly #closing = new AbortController();
  #running: RunningTask | undefined;

  constructor(id: DesktopId, options: GuestDesktopOptions) {
    this.id = id;
    this.#options = options;
    this.#calls = new DesktopCalls({ id, discard: () => this.#discard() });
  }

  /** The instances of an OSWorld task are all equal. */
  reset(task: Task, _seed: Seed): Promise<Screen> {
    return this.#calls.run(async () => {
      const { host, run } = this.#options;
      await host.prepare(this.#closing.signal);
      const prepared = run();
      for (const step of task.config ?? []) {
        // A closed desktop has given its guest back.
        this.#calls.assertOpen();
        await runStep(prepared, step);
      }
      this.#running = { task, run: prepared, last: await this.#screenshot() };
      return this.#settled();
    });
  }

  act(action: Action): Promise<Screen> {
    return this.#calls.run(async () => {
      const { clock } = this.#options;
      const running = this.#current();
      const error = actionError(action, running.last);
      if (error !== undefined) throw this.#calls.error(error);
      const program = programOf(action);
      if (program !== undefined) await this.#perform(program);
      else if (action.kind === 'wait') await clock.sleep(WAIT_MS);
      else return this.#screen(running.last);
      return this.#settled();
    });
  }

  /** A program that fails has performed nothing, or a part: the guest answers with its exit code. */
  async #perform(program: string): Promise<void> {
    const { api } = this.#options;
    const json = { command: ['python', '-c', program], shell: false };
    const { returncode, error } = api.json('/execute', await api.act('/execute', { json }));
    if (typeof returncode !== 'number' || returncode === 0) return;
    const why = String(error ?? '')
      .trim()
      .split('\n')
      .at(-1);
    throw api.failure('/execute', `could not perform the action (exit code ${returncode}): ${why}`);
  }

  /** The elements of a picture that has hardly changed are not read again: a person who watches looks several times per second. */
  look(): Promise<Screen> {
    return this.#calls.run(async () => {
      const running = this.#current();
      running.last = await this.#screenshot();
      const { shown, read } = running;
      // Not compared with the last look, so that small changes add up.
      if (shown === undefined || read === undefined || !isCalm(read, running.last))
        return this.#screen(running.last);
      if (!samePixels(shown.pixels, running.last)) running.shown = { ...shown, pixels: running.last };
      return running.shown ?? shown;
    });
  }

  query(getter: Getter): Promise<unknown> {
    return this.#calls.run(() => runGetter(this.#current().run, getter));
  }

  setup(step: SetupStep): Promise<void> {
    return this.#calls.run(() => runStep(this.#current().run, step));
  }

  judge(ending: Ending): Promise<Verdict> {
    return this.#calls.run(async () => {
      const { clock, judgeDelayMs } = this.#options;
      const { task, run } = this.#current();
      if (isInspected(task, ending)) await clock.sleep(judgeDelayMs, this.#closing.signal);
      return judgeTask(task, ending, {
        setup: step => runStep(run, step),
        query: getter => runGetter(run, getter),
      });
    });
  }

  async close(): Promise<void> {
    if (this.#calls.isClosed) return;
    this.#calls.close();
    this.#closing.abort();
    this.#discard();
    this.#options.release();
  }

  /** The screen once it has changed, or could have, and two pictures in a row are nearly equal. */
  async #settled(): Promise<Screen> {
    const { clock } = this.#options;
    const running = this.#current();
    const [begun, first] = [clock.now(), running.last];
    const passed = (ms: number): boolean => clock.now() - begun >= ms;
    for (let hasChanged = false; ; ) {
      await clock.sleep(LOOK_MS);
      const before = running.last;
      running.last = await this.#screenshot();
      // A picture of OSWorld contains the pointer: that it moved, or that a cursor blinked, is no effect.
      hasChanged ||= !isCalm(first, running.last);
      const isOver = isCalm(before, running.last) && (hasChanged || passed(FIRST_MS));
      if (isOver || passed(SETTLE_MS)) return this.#screen(running.last);
    }
  }

  #screenshot(): Promise<Pixels> {
    const { api, host } = this.#options;
    host.countScreenshot();
    return screenshotOf(api);
  }

  async #screen(pixels: Pixels): Promise<Screen> {
    const running = this.#current();
    const elements = this.#options.hasElements
      ? elementsFrom(this.#options.api, await running.run.machine.accessibilityTree(), pixels)
      : undefined;
    running.read = pixels;
    running.shown = { pixels, ...(elements !== undefined && { elements }) };
    return running.shown;
  }

  #discard(): void {
    this.#running = undefined;
    this.#options.host.forget();
  }

  #current(): RunningTask {
    if (this.#running === undefined) throw this.#calls.error('no task is running: call reset first');
    return this.#running;
  }
}

const samePixels = (one: Pixels, two: Pixels): boolean =>
  one.width === two.width && Buffer.compare(one.data, two.data) === 0;

export async function screenshotOf(api: GuestApi): Promise<Pixels> {
  const { status, bytes } = await api.read('/screenshot');
  if (status >= 300) throw api.failure('/screenshot', `answered ${status}`);
  try {
    return decodePng(bytes, MAX_PIXELS);
  } catch (error) {
    if (!(error instanceof PngError)) throw error;
    throw api.failure('/screenshot', `is no screenshot (${error.message})`);
  }
}

/** The elements in a tree that the guest sent. Throws a BoundaryError for text that is no tree. */
export function elementsFrom(api: GuestApi, xml: string, size: Size): readonly Element[] {
  try {
    return elementsOfTree(xml, size);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw api.failure('/accessibility', `is no tree (${error.message})`);
  }
}
