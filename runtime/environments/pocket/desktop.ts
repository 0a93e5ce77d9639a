// Implements Desktop over a pocket machine: one task at a time, judged by its world.

import type { Action } from '../../core/action.ts';
import { actionError } from '../../core/action-error.ts';
import type { Desktop } from '../../core/desktop.ts';
import { BoundaryError } from '../../core/failure.ts';
import type { DesktopId, Seed } from '../../core/ids.ts';
import type { Screen, Size } from '../../core/screen.ts';
import type { Getter, SetupStep, Task } from '../../core/task.ts';
import type { Ending, Verdict } from '../../core/verdict.ts';
import { evaluate } from '../../tasks/evaluate.ts';
import { answer, SCREEN, startOf } from './getters.ts';
import { type PocketMachine, RENDERER } from './machine.ts';
import type { PocketWorld } from './world.ts';

interface Running {
  readonly task: Task;
  readonly machine: PocketMachine;
  readonly start: PocketWorld;
}

export class PocketDesktop implements Desktop {
  readonly id: DesktopId;
  readonly renderer = RENDERER;
  readonly #size: Size;
  #running: Running | undefined;

  constructor(id: DesktopId, size: Size = SCREEN) {
    this.id = id;
    this.#size = size;
  }

  /** The seed is not used: the suite has put everything that varies into the task. */
  async reset(task: Task, _seed: Seed): Promise<Screen> {
    // Reuses the surface: a new one per episode would allocate 300 KB dozens of times per second.
    const { machine, start } = startOf(task, this.#size, this.#running?.machine.reusableSurface);
    this.#running = { task, machine, start };
    return this.#screen(machine);
  }

  async act(action: Action): Promise<Screen> {
    const { machine } = this.#current();
    this.#check(action);
    machine.perform(action);
    return this.#screen(machine);
  }

  async query(getter: Getter): Promise<unknown> {
    const { machine, start } = this.#current();
    return answer(getter, machine.world, start);
  }

  async setup(step: SetupStep): Promise<void> {
    throw this.#failure(`set-up step '${step.type}' came after the start. Put it into the task's config.`);
  }

  async judge(ending: Ending): Promise<Verdict> {
    return evaluate(this.#current().task, ending, getter => this.query(getter));
  }

  async close(): Promise<void> {
    this.#running = undefined;
  }

  #current(): Running {
    if (this.#running === undefined) throw this.#failure('no task is running. Call reset first.');
    return this.#running;
  }

  /** Rejects impossible actions before they change anything. */
  #check(action: Action): void {
    const why = actionError(action, this.#size);
    if (why !== undefined) throw this.#failure(`${why}.`);
  }

  #screen(machine: PocketMachine): Screen {
    return {
      pixels: { layout: 'rgba', ...machine.size, data: machine.pixels() },
      elements: machine.elements(),
    };
  }

  #failure(message: string): BoundaryError {
    return new BoundaryError({ boundary: 'environment', thing: this.id, message });
  }
}
