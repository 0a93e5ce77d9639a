// One episode of a session on a leased desktop: its screen, its steps and its end. It keeps no frames: the client has them.

import { type Action, pointerAfter } from '../core/action.ts';
import type { Desktop } from '../core/desktop.ts';
import { BoundaryError } from '../core/failure.ts';
import type { Seed } from '../core/ids.ts';
import type { Point, Screen, Size } from '../core/screen.ts';
import { stepLimit, type Task } from '../core/task.ts';
import type { Ending } from '../core/verdict.ts';
import type { EpisodeEnd } from '../rollout/episode.ts';
import type { RequestedActions } from './action-request.ts';
import { type ObservationMode, ObservationWriter, type ServedObservation } from './observation.ts';

export interface StartedEpisode {
  readonly episode: ServedEpisode;
  readonly observation: ServedObservation;
}

export class ServedEpisode {
  readonly instruction: string;
  readonly maxSteps: number;
  readonly #desktop: Desktop;
  readonly #observer: ObservationWriter;
  #screen: Screen;
  #steps = 0;
  #pointer: Point | undefined;
  #end: EpisodeEnd | undefined;

  private constructor(
    desktop: Desktop,
    screen: Screen,
    {
      instruction,
      maxSteps,
      mode,
    }: Pick<ServedEpisode, 'instruction' | 'maxSteps'> & { mode: ObservationMode },
  ) {
    this.#desktop = desktop;
    this.#screen = screen;
    this.#observer = new ObservationWriter(instruction, mode);
    this.instruction = instruction;
    this.maxSteps = maxSteps;
  }

  /** After a rejection the state of the desktop is unknown. */
  static async start(
    desktop: Desktop,
    task: Task,
    instance: Seed,
    mode: ObservationMode,
  ): Promise<StartedEpisode> {
    const { instruction = task.instruction, ...screen } = await desktop.reset(task, instance);
    const fault = (message: string) => new BoundaryError({ boundary: 'task', thing: task.id, message });
    if (screen.isOver)
      throw fault(
        `seed ${instance} is over before the first action. Choose another seed, or correct the task.`,
      );
    if (mode !== 'screenshot' && screen.elements === undefined)
      throw fault(
        "this desktop reads no elements. Reset with the observation 'screenshot'. For guests, start the server with --observation both.",
      );
    const episode = new ServedEpisode(desktop, screen, { instruction, maxSteps: stepLimit(task), mode });
    return { episode, observation: await episode.#observer.observe(screen) };
  }

  get screenSize(): Size {
    return this.#screen.pixels;
  }

  /** The performed actions, and the replies that contained none. */
  get steps(): number {
    return this.#steps;
  }

  get pointer(): Point | undefined {
    return this.#pointer;
  }

  /** Undefined while the episode runs. */
  get end(): EpisodeEnd | undefined {
    return this.#end;
  }

  /** Performs the actions until the episode ends. After a rejection the state of the desktop is unknown. */
  async perform({ actions, error }: RequestedActions): Promise<ServedObservation> {
    let ending: Ending | undefined;
    for (const action of actions) {
      ending = await this.#perform(action);
      if (ending !== undefined) break;
    }
    // Before the judgement, which may overwrite the pixels.
    const observation = await this.#observer.observe(this.#screen, error);
    if (ending !== undefined) this.#end = { ending, verdict: await this.#desktop.judge(ending) };
    return observation;
  }

  /** The end of the episode, if the action is its last. */
  async #perform(action: Action): Promise<Ending | undefined> {
    this.#steps += 1;
    if (action.kind === 'finished' || action.kind === 'fail') return action.kind;
    // A reply without an action changes nothing, but it is a difference from a stored trajectory.
    if (action.kind !== 'none' || this.#desktop.match !== undefined)
      this.#screen = await this.#desktop.act(action);
    this.#pointer = pointerAfter(action) ?? this.#pointer;
    if (this.#screen.isOver) return 'finished';
    return this.#steps >= this.maxSteps ? 'capped' : undefined;
  }
}
