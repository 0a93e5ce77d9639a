// A stored trajectory as a Desktop, for training without an environment (UI-S1). An action that equals the expert's shows the next stored
// screen. For another one, `match` names the expert's action, which is performed instead, until the patches are used up; then the episode
// is over.

import type { Action } from '../../core/action.ts';
import { at } from '../../core/at.ts';
import type { Desktop } from '../../core/desktop.ts';
import type { MatchedAction } from '../../core/expert-match.ts';
import { BoundaryError, failureOf } from '../../core/failure.ts';
import type { DesktopId, Seed, TaskId } from '../../core/ids.ts';
import { decodePng } from '../../core/png-reader.ts';
import type { Pixels, Screen } from '../../core/screen.ts';
import type { Task } from '../../core/task.ts';
import { type Ending, type Verdict, verdict } from '../../core/verdict.ts';
import { DesktopCalls } from '../desktop-calls.ts';
import type { ExpertTrajectory } from './expert-trajectory.ts';
import { type ActionMatch, matchAction } from './match-action.ts';

/** A screen of 4K. */
const MAX_PIXELS = 3840 * 2160;

export interface OfflineDesktopOptions {
  readonly read: (task: TaskId) => Promise<ExpertTrajectory>;
  /** How often the expert's action replaces another one in an episode of training. Evaluations are over at the first difference. */
  readonly patches: number;
}

interface PlayedTrajectory {
  readonly task: Task;
  readonly expert: ExpertTrajectory;
  /** Left for this episode. */
  patches: number;
  /** The number of actions of the expert that were performed, and how many of them in place of the agent's. */
  done: number;
  patched: number;
  /** Of the expert's next text, after the agent typed a part of it. */
  rest: string | undefined;
  pixels: Pixels;
  /** Another action than the expert's was performed. */
  hasLeft: boolean;
}

const SCORES: Readonly<Record<ActionMatch['is'], number>> = {
  equal: 1,
  part: 1,
  kind: 0.5,
  other: 0.1,
  none: 0,
};

export class OfflineDesktop implements Desktop {
  readonly id: DesktopId;
  readonly #options: OfflineDesktopOptions;
  readonly #calls: DesktopCalls;
  #playing: PlayedTrajectory | undefined;

  constructor(id: DesktopId, options: OfflineDesktopOptions) {
    this.id = id;
    this.#options = options;
    this.#calls = new DesktopCalls({ id, discard: () => this.#discard() });
  }

  /** The instances of a task are all equal. */
  reset(task: Task, _seed: Seed): Promise<Screen> {
    return this.#calls.run(async () => {
      const expert = await this.#options.read(task.id);
      const pixels = pixelsAt(expert, 0, task.id);
      const { patches } = this.#options;
      this.#playing = { task, expert, patches, pixels, done: 0, patched: 0, rest: undefined, hasLeft: false };
      return { pixels };
    });
  }

  match(action: Action, isTraining: boolean): MatchedAction {
    const playing = this.#current();
    const { is } = this.#compare(action);
    const matched = { step: playing.done, score: SCORES[is] };
    if (is === 'equal' || is === 'part' || !isTraining || playing.patches === 0) return matched;
    playing.patches -= 1;
    playing.patched += 1;
    // The typed part of a text is replaced together with its rest.
    playing.rest = undefined;
    return { ...matched, instead: at(playing.expert.actions, playing.done) };
  }

  act(action: Action): Promise<Screen> {
    return this.#calls.run(async () => {
      const playing = this.#current();
      const { expert, task } = playing;
      const compared = this.#compare(action);
      if (compared.is === 'part') {
        playing.rest = compared.rest;
        return { pixels: playing.pixels };
      }
      if (compared.is !== 'equal') {
        playing.hasLeft = true;
        return { pixels: playing.pixels, isOver: true };
      }
      playing.done += compared.actions;
      playing.rest = compared.rest;
      const isOver = playing.done === expert.actions.length;
      if (!isOver || (expert.screens[playing.done]?.length ?? 0) > 0)
        playing.pixels = pixelsAt(expert, playing.done, task.id);
      return { pixels: playing.pixels, ...(isOver && { isOver }) };
    });
  }

  query(): Promise<unknown> {
    return this.#refuse('values');
  }

  setup(): Promise<void> {
    return this.#refuse('set-up');
  }

  /** The share of the expert's actions that the agent chose itself. `finished` and `fail` end an episode without `act`. */
  judge(ending: Ending): Promise<Verdict> {
    return this.#calls.run(async () => {
      const { expert, done, patched, hasLeft } = this.#current();
      const all = expert.actions.length;
      const endsAlike = !hasLeft && done < all && at(expert.actions, done).kind === ending;
      const chosen = done - patched + Number(endsAlike);
      const replaced = patched === 0 ? '' : `, ${patched} replaced`;
      return verdict(Math.max(0, chosen) / all, `${chosen} of ${all} actions as the expert's${replaced}`);
    });
  }

  async close(): Promise<void> {
    this.#calls.close();
    this.#discard();
  }

  #compare(action: Action): ActionMatch {
    const { expert, done, pixels, rest } = this.#current();
    return matchAction(action, [at(expert.actions, done), ...expert.actions.slice(done + 1)], pixels, rest);
  }

  #current(): PlayedTrajectory {
    this.#calls.assertOpen();
    if (this.#playing === undefined) throw this.#calls.error('it has no task: reset it first');
    return this.#playing;
  }

  async #refuse(what: string): Promise<never> {
    const thing = this.#playing?.task.id ?? this.id;
    const message = `a stored trajectory has no ${what}. Use desktops of another kind for this task.`;
    throw new BoundaryError({ boundary: 'task', thing, message });
  }

  #discard(): void {
    this.#playing = undefined;
  }
}

function pixelsAt({ screens }: ExpertTrajectory, index: number, task: TaskId): Pixels {
  try {
    return decodePng(at(screens, index), MAX_PIXELS);
  } catch (error) {
    const message = `the picture before step ${index + 1} cannot be read: ${failureOf(error, 'task', task).message}`;
    throw new BoundaryError({ boundary: 'task', thing: task, message }, { cause: error });
  }
}
