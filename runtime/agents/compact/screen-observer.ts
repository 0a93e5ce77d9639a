// The view of one episode that the built-in policy has: the observation of the current screen, with the memory of the steps before.

import type { Action } from '../../core/action.ts';
import type { Mode } from '../../core/policy.ts';
import type { Screen } from '../../core/screen.ts';
import { EMPTY_MEMORY, type EpisodeMemory, updateMemory } from './episode-memory.ts';
import type { Observation } from './observation.ts';
import { observeScreen } from './observe-screen.ts';
import type { Tokens } from './token-features.ts';
import { tokensOf } from './tokens.ts';

export class ScreenObserver {
  readonly #instruction: string;
  readonly #mode: Mode;
  #memory: EpisodeMemory = EMPTY_MEMORY;
  #screen: Screen;
  #observation: Observation | undefined;
  #tokens: Tokens | undefined;

  constructor(instruction: string, mode: Mode, screen: Screen) {
    this.#instruction = instruction;
    this.#mode = mode;
    this.#screen = screen;
  }

  get observation(): Observation {
    this.#observation ??= observeScreen(this.#screen, this.#instruction, this.#mode, this.#memory);
    return this.#observation;
  }

  get tokens(): Tokens {
    this.#tokens ??= tokensOf(this.observation);
    return this.#tokens;
  }

  /** The present screen, which may have changed without an action. */
  sees(screen: Screen): void {
    if (screen !== this.#screen) this.#observe(screen);
  }

  /** The action led to this screen. A desktop may draw it over the pixels of the last one, which was observed before. */
  acted(action: Action, screen: Screen): void {
    this.#memory = updateMemory(this.#memory, this.observation, action, screen);
    this.#observe(screen);
  }

  #observe(screen: Screen): void {
    this.#screen = screen;
    this.#observation = undefined;
    this.#tokens = undefined;
  }
}
