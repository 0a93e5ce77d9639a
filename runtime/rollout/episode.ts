// One episode on one desktop: the current screen, the actions so far, the end and the frames. The caller decides the actions.

import type { Action } from '../core/action.ts';
import type { Desktop, FirstScreen } from '../core/desktop.ts';
import type { MatchedAction } from '../core/expert-match.ts';
import { BoundaryError } from '../core/failure.ts';
import type { Seed } from '../core/ids.ts';
import type { Element, Screen } from '../core/screen.ts';
import type { Task } from '../core/task.ts';
import type { Frames } from '../core/trajectory.ts';
import { type Ending, type Verdict, verdict } from '../core/verdict.ts';
import { Film } from './film.ts';

export interface EpisodeOptions {
  readonly task: Task;
  readonly seed: Seed;
  readonly maxSteps: number;
  /** Replaces the instruction of the instance, for relabelled episodes. */
  readonly instruction?: string;
}

export interface EpisodeEnd {
  readonly ending: Ending;
  readonly verdict: Verdict;
}

export class Episode {
  readonly instruction: string;
  /** Whether the evaluator judges this instruction: it is the one of the instance. */
  readonly isJudged: boolean;
  readonly actions: Action[] = [];
  readonly #desktop: Desktop;
  readonly #maxSteps: number;
  /** Defined for a desktop whose frames cannot be redrawn. */
  readonly #film: Film | undefined;
  #screen: Screen;
  #end: EpisodeEnd | undefined;

  private constructor(desktop: Desktop, { task, instruction, maxSteps }: EpisodeOptions, first: FirstScreen) {
    const { instruction: ofInstance = task.instruction, ...screen } = first;
    this.#desktop = desktop;
    this.#maxSteps = maxSteps;
    this.#screen = screen;
    this.#film = desktop.renderer === undefined ? new Film() : undefined;
    this.instruction = instruction ?? ofInstance;
    this.isJudged = this.instruction === ofInstance;
  }

  static async start(desktop: Desktop, options: EpisodeOptions): Promise<Episode> {
    const { task, seed } = options;
    const first = await desktop.reset(task, seed);
    if (first.isOver) {
      const message = `seed ${seed} is over before the first action. Correct the task, or remove it from the suite.`;
      throw new BoundaryError({ boundary: 'task', thing: task.id, message });
    }
    const episode = new Episode(desktop, options, first);
    if (episode.#film !== undefined) await episode.#film.take(episode.#screen.pixels);
    return episode;
  }

  get screen(): Screen {
    return this.#screen;
  }

  /** All elements of the screen; an observation may omit some. */
  get elements(): readonly Element[] {
    return this.#screen.elements ?? [];
  }

  /** Undefined while the episode runs. */
  get end(): EpisodeEnd | undefined {
    return this.#end;
  }

  /** Before `act`, for an action of an agent; undefined unless the desktop plays a stored trajectory. */
  match(action: Action, isTraining: boolean): MatchedAction | undefined {
    return this.#desktop.match?.(action, isTraining);
  }

  async act(action: Action): Promise<void> {
    this.actions.push(action);
    if (action.kind === 'finished' || action.kind === 'fail') {
      this.#film?.repeat();
      return this.#judge(action.kind);
    }
    // A reply without an action changes nothing, and counts as a step.
    if (action.kind === 'none' && this.#desktop.match === undefined) this.#film?.repeat();
    else {
      this.#screen = await this.#desktop.act(action);
      if (this.#film !== undefined) await this.#film.take(this.#screen.pixels);
    }
    if (this.#screen.isOver) await this.#judge('finished');
    else if (this.actions.length >= this.#maxSteps) await this.#judge('capped');
  }

  /** The frames so far: one more than steps, unless the last step broke. */
  async frames(): Promise<Frames> {
    const { renderer } = this.#desktop;
    if (renderer !== undefined) return { kind: 'redrawn', renderer };
    return { kind: 'png', images: (await this.#film?.images()) ?? [] };
  }

  async #judge(ending: Ending): Promise<void> {
    const { score, why } = await this.#desktop.judge(ending);
    // An impossible score breaks the episode.
    this.#end = { ending, verdict: verdict(score, why) };
  }
}
