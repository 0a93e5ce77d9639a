// One episode on one desktop: what is seen now, what was done, how it ended and, where it cannot be drawn again, how it looked. Who
// decides is not told here.

import { EMPTY_MEMORY, type EpisodeMemory, updateMemory } from '../agent/episode-memory.ts';
import type { Observation } from '../agent/observation.ts';
import { observeScreen } from '../agent/observe-screen.ts';
import { type Tokens, tokensOf } from '../agent/tokens.ts';
import type { Action } from '../core/action.ts';
import type { Desktop } from '../core/desktop.ts';
import type { Seed } from '../core/ids.ts';
import type { Mode } from '../core/policy.ts';
import type { Element, Screen } from '../core/screen.ts';
import type { Task } from '../core/task.ts';
import type { Frames } from '../core/trajectory.ts';
import type { Ending, Verdict } from '../core/verdict.ts';
import { Film } from './film.ts';

export interface EpisodeOptions {
  readonly task: Task;
  readonly seed: Seed;
  readonly mode: Mode;
  readonly maxSteps: number;
  /** In place of the task's own, for one that was relabelled. */
  readonly instruction?: string;
}

export interface EpisodeEnd {
  readonly ending: Ending;
  readonly verdict: Verdict;
}

export class Episode {
  readonly instruction: string;
  readonly actions: Action[] = [];
  readonly #desktop: Desktop;
  readonly #options: EpisodeOptions;
  /** Of a desktop that cannot be drawn again. */
  readonly #film: Film | undefined;
  #screen: Screen;
  #recollection: EpisodeMemory = EMPTY_MEMORY;
  #seen: Observation | undefined;
  #tokens: Tokens | undefined;
  #ended: EpisodeEnd | undefined;

  private constructor(desktop: Desktop, options: EpisodeOptions, screen: Screen) {
    this.#desktop = desktop;
    this.#options = options;
    this.#screen = screen;
    this.#film = desktop.renderer === undefined ? new Film() : undefined;
    this.instruction = options.instruction ?? options.task.instruction;
  }

  static async start(desktop: Desktop, options: EpisodeOptions): Promise<Episode> {
    const episode = new Episode(desktop, options, await desktop.reset(options.task, options.seed));
    if (episode.#film !== undefined) await episode.#film.take(episode.#screen.pixels);
    return episode;
  }

  /** As it is now. */
  get screen(): Screen {
    return this.#screen;
  }

  get observation(): Observation {
    this.#seen ??= observeScreen(this.#screen, this.instruction, this.#options.mode, this.#recollection);
    return this.#seen;
  }

  /** All elements of the screen, whatever of them is shown. */
  get elements(): readonly Element[] {
    return this.#screen.elements ?? [];
  }

  get tokens(): Tokens {
    this.#tokens ??= tokensOf(this.observation);
    return this.#tokens;
  }

  /** How it ended; undefined while it goes on. */
  get end(): EpisodeEnd | undefined {
    return this.#ended;
  }

  async act(action: Action): Promise<void> {
    const { observation } = this;
    this.actions.push(action);
    if (action.kind === 'finished' || action.kind === 'fail') {
      this.#film?.repeat();
      return this.#end(action.kind);
    }
    this.#screen = await this.#desktop.act(action);
    if (this.#film !== undefined) await this.#film.take(this.#screen.pixels);
    this.#recollection = updateMemory(this.#recollection, observation, action, this.#screen);
    this.#seen = undefined;
    this.#tokens = undefined;
    if (this.actions.length >= this.#options.maxSteps) await this.#end('capped');
  }

  /** How it looked so far: one picture more than it has steps, unless the last step broke. */
  async frames(): Promise<Frames> {
    const { renderer } = this.#desktop;
    if (renderer !== undefined) return { kind: 'redrawn', renderer };
    return { kind: 'png', images: (await this.#film?.images()) ?? [] };
  }

  async #end(ending: Ending): Promise<void> {
    this.#ended = { ending, verdict: await this.#desktop.judge(ending) };
  }
}
