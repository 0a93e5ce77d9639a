// One person's desktop: the running task or free play, the actions so far, and the current screen.

import type { Action } from '../../core/action.ts';
import type { Desktop } from '../../core/desktop.ts';
import { type Seed, seed, taskId } from '../../core/ids.ts';
import type { Element, Point, Screen, Size } from '../../core/screen.ts';
import type { Task } from '../../core/task.ts';
import { Draw } from '../../environments/pocket/tasks/draw.ts';
import type { PocketSuite } from '../../environments/pocket/tasks/suite.ts';
import type { Judgement } from '../../protocol/play.ts';
import { RequestError } from '../request-error.ts';
import { judged } from './judgement.ts';
import { stepsOf } from './steps.ts';

/** Open in free play, the last in front. */
const OPEN_APPS = ['calculator', 'mail'];

interface RunningEpisode {
  /** Undefined in free play. */
  readonly task: Task | undefined;
  readonly seed: Seed;
  readonly actions: Action[];
  screen: Screen;
  isOver: boolean;
}

export class PlayEpisode {
  readonly #desktop: Desktop;
  readonly #suite: PocketSuite;
  #running: RunningEpisode | undefined;

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

  /** The running task. Throws in free play. */
  get instance(): { readonly task: Task; readonly seed: Seed } {
    const { task, seed } = this.#current();
    if (task === undefined) throw new RequestError('failed', 'Free play has no task. Start one first.');
    return { task, seed };
  }

  async start(id: string, number: Seed): Promise<{ readonly task: Task; readonly screen: Screen }> {
    const task = this.#suite.task(id, number);
    return { task, screen: await this.#begin(task, number, task) };
  }

  async free(number: number): Promise<Screen> {
    const world = new Draw('free play', number).world();
    const opened = OPEN_APPS.map(app => ({ type: 'pocket_open', parameters: { app } }));
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
    if (running.isOver) throw new RequestError('failed', 'This task was judged already. Start it again.');
    requireOnScreen(action, running.screen.pixels);
    // An action that fails leaves the desktop in an unknown state: a new start is needed.
    this.#running = undefined;
    const screen = await this.#desktop.act(action);
    this.#running = { ...running, actions: [...running.actions, action], screen };
    return screen;
  }

  async judge(ending: 'finished' | 'fail'): Promise<Judgement> {
    const { task } = this.instance;
    const running = this.#current();
    if (running.isOver) throw new RequestError('failed', 'This task was judged already. Start it again.');
    const judgement = await judged(this.#desktop, task, ending, this.steps);
    running.isOver = true;
    return judgement;
  }

  async close(): Promise<void> {
    this.#running = undefined;
    await this.#desktop.close();
  }

  #current(): RunningEpisode {
    if (this.#running === undefined)
      throw new RequestError('failed', 'No desktop is running. Start a task or free play.');
    return this.#running;
  }
}

function requireOnScreen(action: Action, { width, height }: Size): void {
  const points: Readonly<Record<string, Point>> =
    'at' in action ? { at: action.at } : action.kind === 'drag' ? { from: action.from, to: action.to } : {};
  for (const [name, { x, y }] of Object.entries(points)) {
    if (x >= 0 && y >= 0 && x < width && y < height) continue;
    const why = `(${x}, ${y}) is outside the screen of ${width}x${height} pixels`;
    throw new RequestError('bad_request', `params.action.${name}: ${why}.`, `params.action.${name}`);
  }
}
