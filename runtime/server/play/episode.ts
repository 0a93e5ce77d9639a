// One person's desktop and what is going on there: a task or free play, what was done so far, and what the screen shows.

import type { Action } from '../../core/action.ts';
import type { Desktop } from '../../core/desktop.ts';
import { type Seed, seed, taskId } from '../../core/ids.ts';
import type { Element, Point, Screen, Size } from '../../core/screen.ts';
import type { Task } from '../../core/task.ts';
import { Draw } from '../../environments/pocket/tasks/draw.ts';
import type { PocketSuite } from '../../environments/pocket/tasks/suite.ts';
import type { Judgement } from '../../protocol/play.ts';
import { judged } from './judgement.ts';
import { stepsOf } from './steps.ts';

/** A request that cannot be carried out as things stand; `field` names what is wrong with it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly code: 'bad_request' | 'not_now',
    message: string,
    readonly field?: string,
  ) {
    super(message);
  }
}

/** What is open in free play, the last in front, so that there is something to see. */
const OPENED = ['calculator', 'mail'];

interface Running {
  /** Undefined in free play. */
  readonly task: Task | undefined;
  readonly seed: Seed;
  readonly actions: Action[];
  screen: Screen;
  isOver: boolean;
}

export class Episode {
  readonly #desktop: Desktop;
  readonly #suite: PocketSuite;
  #running: Running | undefined;

  constructor(desktop: Desktop, suite: PocketSuite) {
    this.#desktop = desktop;
    this.#suite = suite;
  }

  get steps(): number {
    return stepsOf(this.#current().actions);
  }

  get elements(): readonly Element[] {
    return this.#current().screen.elements ?? [];
  }

  /** The instance that was started last, which must have a task. */
  get instance(): { readonly task: Task; readonly seed: Seed } {
    const { task, seed } = this.#current();
    if (task === undefined) throw new Refusal('not_now', 'In free play there is no task: start one first.');
    return { task, seed };
  }

  async start(id: string, number: Seed): Promise<{ readonly task: Task; readonly screen: Screen }> {
    const task = this.#suite.task(id, number);
    return { task, screen: await this.#begin(task, number, task) };
  }

  async free(number: number): Promise<Screen> {
    const world = new Draw('free play', number).world();
    const opened = OPENED.map(app => ({ type: 'pocket_open', parameters: { app } }));
    const config = [{ type: 'pocket_world', parameters: world }, ...opened];
    const nothing: Task = {
      id: taskId('free-play'),
      instruction: '',
      config,
      evaluator: { func: 'infeasible' },
    };
    return this.#begin(nothing, seed(number), undefined);
  }

  async #begin(reset: Task, seed: Seed, task: Task | undefined): Promise<Screen> {
    this.#running = undefined;
    const screen = await this.#desktop.reset(reset, seed);
    this.#running = { task, seed, actions: [], screen, isOver: false };
    return screen;
  }

  async act(action: Action): Promise<Screen> {
    const running = this.#current();
    if (running.isOver) throw new Refusal('not_now', 'This task was judged already: start it again.');
    onScreen(action, running.screen.pixels);
    // What the desktop does not take leaves it in an unknown state, so it must be started again.
    this.#running = undefined;
    const screen = await this.#desktop.act(action);
    this.#running = { ...running, actions: [...running.actions, action], screen };
    return screen;
  }

  async judge(ending: 'finished' | 'fail'): Promise<Judgement> {
    const { task } = this.instance;
    const running = this.#current();
    if (running.isOver) throw new Refusal('not_now', 'This task was judged already: start it again.');
    const judgement = await judged(this.#desktop, task, ending, this.steps);
    running.isOver = true;
    return judgement;
  }

  async close(): Promise<void> {
    this.#running = undefined;
    await this.#desktop.close();
  }

  #current(): Running {
    if (this.#running === undefined) throw new Refusal('not_now', 'No desktop is started.');
    return this.#running;
  }
}

function onScreen(action: Action, { width, height }: Size): void {
  const points: Readonly<Record<string, Point>> =
    'at' in action ? { at: action.at } : action.kind === 'drag' ? { from: action.from, to: action.to } : {};
  for (const [name, { x, y }] of Object.entries(points)) {
    if (x >= 0 && y >= 0 && x < width && y < height) continue;
    const why = `(${x}, ${y}) is off the screen of ${width}x${height}`;
    throw new Refusal('bad_request', `action.${name}: ${why}.`, `action.${name}`);
  }
}
