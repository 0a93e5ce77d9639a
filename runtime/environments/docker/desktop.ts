// A desktop in a container behind the Desktop contract: for each task as in a new container, prepared by the task's steps and judged by
// its files and commands. What a screen is made of, and when it has settled, is told by session.ts.
//
// The container of the last task is made new from inside, which costs a fraction of another one; where that cannot be shown to have
// come about, there is another one.

import { randomBytes } from 'node:crypto';
import type { Action } from '../../core/action.ts';
import type { Clock } from '../../core/clock.ts';
import type { Desktop } from '../../core/desktop.ts';
import { BoundaryError, type Failure, failureOf } from '../../core/failure.ts';
import type { DesktopId, Seed } from '../../core/ids.ts';
import type { Screen, Size } from '../../core/screen.ts';
import { type Getter, isInfeasible, type SetupStep, type Task } from '../../core/task.ts';
import type { Ending, Verdict } from '../../core/verdict.ts';
import { evaluate } from '../../tasks/evaluate.ts';
import type { ContainerHandle } from './fleet.ts';
import { runGetter } from './getters.ts';
import { actionError } from './input.ts';
import { ContainerSession } from './session.ts';
import { runSetupStep, type TaskContext } from './setup.ts';
import { Warden } from './warden.ts';

export interface DockerDesktopOptions {
  /** Another container, as fresh as the first. */
  readonly next: () => Promise<ContainerHandle>;
  readonly clock: Clock;
}

/** `container` is fresh, and belongs to the desktop from now on. */
export const openDockerDesktop = async (
  id: DesktopId,
  container: ContainerHandle,
  options: DockerDesktopOptions,
): Promise<DockerDesktop> => new DockerDesktop(id, container, options);

/** A container that is in use, and who is talked to in it. */
interface Place {
  readonly container: ContainerHandle;
  readonly warden: Warden;
}

const CLOSED = 'the desktop was closed';

interface Running {
  readonly task: Task;
  readonly session: ContainerSession;
  readonly bench: TaskContext;
  readonly size: Size;
}

export class DockerDesktop implements Desktop {
  readonly id: DesktopId;
  readonly #options: DockerDesktopOptions;
  /** What was never used. */
  #fresh: ContainerHandle | undefined;
  /** What the task of the last reset has, also while it is being prepared. */
  #used: Place | undefined;
  #running: Running | undefined;
  #isBusy = false;
  #isClosed = false;
  /** Makes what is under way reject. */
  #interrupt: (failure: Failure) => void = () => undefined;

  constructor(id: DesktopId, container: ContainerHandle, options: DockerDesktopOptions) {
    this.id = id;
    this.#options = options;
    this.#fresh = container;
  }

  /** What varies with the seed is in the task already: the suite has made it so. */
  reset(task: Task, _seed: Seed): Promise<Screen> {
    return this.#alone(async () => {
      const place = (await this.#renewed()) ?? (await this.#taken());
      const session = await this.#opened(place);
      const bench: TaskContext = {
        shell: session.shell,
        clock: this.#options.clock,
        windows: () => session.windows(),
        tree: () => session.tree(),
        printed: new Map(),
      };
      this.#running = { task, session, bench, size: session.size };
      for (const step of task.config ?? []) await runSetupStep(bench, step);
      return session.begun();
    });
  }

  async act(action: Action): Promise<Screen> {
    const { session, size } = this.#current();
    const refused = actionError(action, size);
    if (refused !== undefined) throw this.#error(refused);
    if (action.kind === 'finished' || action.kind === 'fail') return session.look();
    return this.#alone(() => session.act(action));
  }

  async query(getter: Getter): Promise<unknown> {
    const { bench } = this.#current();
    return this.#alone(() => runGetter(bench, getter));
  }

  async setup(step: SetupStep): Promise<void> {
    const { bench } = this.#current();
    return this.#alone(() => runSetupStep(bench, step));
  }

  async judge(ending: Ending): Promise<Verdict> {
    const { task, bench } = this.#current();
    return this.#alone(async () => {
      // Where nothing is looked at, nothing is prepared for it.
      const isLooked = !isInfeasible(task) && ending !== 'fail';
      for (const step of isLooked ? (task.evaluator.postconfig ?? []) : []) await runSetupStep(bench, step);
      return evaluate(task, ending, getter => runGetter(bench, getter));
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#interrupt(this.#failure(CLOSED));
    const [fresh, used] = [this.#fresh, this.#used];
    this.#fresh = undefined;
    this.#end();
    await Promise.all([fresh?.remove(), used?.container.remove()]);
  }

  /** The place of the last task, made new; undefined where there is none, or where something of that task may be left. */
  async #renewed(): Promise<Place | undefined> {
    const place = this.#used;
    this.#leave();
    try {
      await place?.warden.reset();
      if (this.#used === place) return place;
    } catch {
      this.#end();
    }
    return undefined;
  }

  async #taken(): Promise<Place> {
    const container = this.#fresh ?? (await this.#options.next());
    this.#fresh = undefined;
    try {
      this.#refuseClosed();
      const stream = await container.host.attach(container.id);
      this.#refuseClosed();
      const place = { container, warden: new Warden(stream, { thing: this.id, clock: this.#options.clock }) };
      this.#used = place;
      void container.died.then(why => this.#lost(place, why));
      return place;
    } catch (error) {
      await container.remove();
      throw error;
    }
  }

  async #opened(place: Place): Promise<ContainerSession> {
    const secret = () => randomBytes(16).toString('hex');
    const session = await ContainerSession.open(place.warden, {
      thing: this.id,
      clock: this.#options.clock,
      secret,
    });
    if (this.#used === place) return session;
    // What was waited for came too late.
    session.close();
    throw this.#error(CLOSED);
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw this.#error(CLOSED);
  }

  /** One call, while nothing else is under way; what breaks beside it makes it reject. */
  async #alone<Result>(call: () => Promise<Result>): Promise<Result> {
    this.#refuseClosed();
    if (this.#isBusy) throw this.#error('it is asked for two things at once: wait for the first');
    this.#isBusy = true;
    try {
      const interrupted = new Promise<never>((_, reject) => {
        this.#interrupt = failure => reject(new BoundaryError(failure));
      });
      return await Promise.race([call(), interrupted]);
    } catch (error) {
      const failure = failureOf(error, 'environment', this.id);
      // What broke is not used again: nobody knows what was done.
      if (failure.boundary !== 'task') this.#end();
      throw error instanceof BoundaryError ? error : new BoundaryError(failure, { cause: error });
    } finally {
      this.#isBusy = false;
      this.#interrupt = () => undefined;
    }
  }

  #lost(place: Place, why: string): void {
    if (this.#used !== place) return;
    this.#interrupt(this.#failure(`its container is gone: ${why}`));
    this.#end();
  }

  /** The last task is over. */
  #leave(): void {
    this.#running?.session.close();
    this.#running = undefined;
  }

  /** Gives back what the last task had. */
  #end(): void {
    this.#leave();
    this.#used?.warden.close();
    void this.#used?.container.remove();
    this.#used = undefined;
  }

  #current(): Running {
    if (this.#running === undefined) throw this.#error('no task is under way: call reset first');
    return this.#running;
  }

  #failure(message: string): Failure {
    return { boundary: 'environment', thing: this.id, message };
  }

  #error(message: string): BoundaryError {
    return new BoundaryError(this.#failure(message));
  }
}
