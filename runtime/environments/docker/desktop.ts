// A container as a Desktop: clean for each task, prepared by the task's set-up steps, judged by its files and commands. session.ts reads
// the screen.
//
// The warden resets the container of the last task, which costs a fraction of a new one. If the reset is not certain, a new container
// replaces it. A call that fails or misses its deadline also gives the container back, because nobody knows what was done in it.

import type { Action } from '../../core/action.ts';
import { actionError } from '../../core/action-error.ts';
import type { Clock } from '../../core/clock.ts';
import type { Desktop } from '../../core/desktop.ts';
import type { DesktopId, Seed } from '../../core/ids.ts';
import type { Screen, Size } from '../../core/screen.ts';
import type { Getter, SetupStep, Task } from '../../core/task.ts';
import type { Ending, Verdict } from '../../core/verdict.ts';
import { DesktopCalls } from '../desktop-calls.ts';
import { isInspected, judgeTask } from '../judge-task.ts';
import type { ContainerHandle } from './container-handle.ts';
import { runGetter } from './getters.ts';
import { untilNothingRuns } from './idle.ts';
import { DEFAULT_SCALE } from './screen-size.ts';
import { ContainerSession } from './session.ts';
import { LIGHT_PACE, type SettlePace } from './settle.ts';
import { runSetupStep, type TaskContext } from './setup.ts';

export interface DockerDesktopOptions {
  /** Takes another fresh container. */
  readonly next: () => Promise<ContainerHandle>;
  readonly clock: Clock;
  /** Desktop pixels per pixel of the agent, in each direction. */
  readonly scale?: number;
  readonly pace?: SettlePace;
}

interface RunningTask {
  readonly task: Task;
  readonly session: ContainerSession;
  readonly context: TaskContext;
  readonly size: Size;
}

/** Actions that send no input, so the screen is not waited for. */
const NO_INPUT: readonly Action['kind'][] = ['finished', 'fail', 'none'];

export class DockerDesktop implements Desktop {
  readonly id: DesktopId;
  readonly #calls: DesktopCalls;
  readonly #options: DockerDesktopOptions;
  #container: ContainerHandle | undefined;
  #isFresh = true;
  #isCleaning = false;
  /** Why the container of the last task is gone. */
  #loss: string | undefined;
  #running: RunningTask | undefined;

  /** Takes ownership of a fresh container. */
  constructor(id: DesktopId, container: ContainerHandle, options: DockerDesktopOptions) {
    this.id = id;
    this.#options = options;
    this.#calls = new DesktopCalls({ id, discard: () => this.#discard() });
    this.#adopt(container);
  }

  /** Ignores the seed: the suite has already applied it to the task. */
  reset(task: Task, _seed: Seed): Promise<Screen> {
    return this.#calls.run(async () => {
      const { clock, scale = DEFAULT_SCALE, pace = LIGHT_PACE } = this.#options;
      this.#loss = undefined;
      const container = await this.#cleanContainer();
      const session = await ContainerSession.open(container.warden, { thing: this.id, clock, scale, pace });
      if (this.#container !== container) {
        session.close();
        throw this.#calls.error('its container is gone');
      }
      const { shell, size } = session;
      const context: TaskContext = { shell, clock, tree: () => session.tree(), printed: new Map() };
      this.#running = { task, session, context, size };
      for (const step of task.config ?? []) await runSetupStep(context, step);
      return session.begin();
    });
  }

  async act(action: Action): Promise<Screen> {
    const { session, size } = this.#current();
    const error = actionError(action, size);
    if (error !== undefined) throw this.#calls.error(error);
    return this.#calls.run(() => (NO_INPUT.includes(action.kind) ? session.look() : session.act(action)));
  }

  async look(): Promise<Screen> {
    const { session } = this.#current();
    return this.#calls.run(() => session.look());
  }

  async query(getter: Getter): Promise<unknown> {
    const { context } = this.#current();
    return this.#calls.run(() => runGetter(context, getter));
  }

  async setup(step: SetupStep): Promise<void> {
    const { context } = this.#current();
    return this.#calls.run(() => runSetupStep(context, step));
  }

  async judge(ending: Ending): Promise<Verdict> {
    const { task, context } = this.#current();
    return this.#calls.run(async () => {
      if (isInspected(task, ending)) await untilNothingRuns(context.shell, context.clock);
      return await judgeTask(task, ending, {
        setup: step => runSetupStep(context, step),
        query: getter => runGetter(context, getter),
      });
    });
  }

  async close(): Promise<void> {
    this.#calls.close();
    const container = this.#container;
    this.#discard();
    await container?.remove();
  }

  /** The container of the last task after a reset, else a new one. */
  async #cleanContainer(): Promise<ContainerHandle> {
    this.#endTask();
    const last = this.#container;
    this.#isCleaning = true;
    try {
      if (last !== undefined && !this.#isFresh) await last.warden.reset();
      this.#isFresh = false;
      if (last !== undefined && this.#container === last) return last;
    } catch {
      this.#discard(); // The reason is of no use: any failed reset has the same remedy.
    } finally {
      this.#isCleaning = false;
    }
    const container = await this.#options.next();
    if (this.#calls.isClosed) {
      await container.remove();
      this.#calls.assertOpen();
    }
    this.#adopt(container);
    this.#isFresh = false;
    return container;
  }

  #adopt(container: ContainerHandle): void {
    this.#container = container;
    this.#isFresh = true;
    void container.died.then(why => {
      if (this.#container !== container) return;
      // Another container replaces one that dies while it is reset, and the call goes on.
      if (!this.#isCleaning) {
        this.#loss = `its container is gone: ${why}`;
        this.#calls.interrupt(this.#loss);
      }
      this.#discard();
    });
  }

  #endTask(): void {
    this.#running?.session.close();
    this.#running = undefined;
  }

  #discard(): void {
    this.#endTask();
    void this.#container?.remove();
    this.#container = undefined;
  }

  #current(): RunningTask {
    if (this.#running !== undefined) return this.#running;
    const why =
      this.#loss === undefined ? 'no task is running: call reset first' : `${this.#loss}. Reset the desktop.`;
    throw this.#calls.error(why);
  }
}
