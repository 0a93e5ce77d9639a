// The built-in agent: observes a screen, and requests each decision from a pool of policy workers.

import type { Action } from '../../core/action.ts';
import { type Agent, type AgentSession, type AgentTask, COMPACT_AGENT, type Turn } from '../../core/agent.ts';
import { seed } from '../../core/ids.ts';
import type { PolicyPool } from '../../core/policy.ts';
import type { Screen } from '../../core/screen.ts';
import { encode } from './observation.ts';
import { ScreenObserver } from './screen-observer.ts';

export interface CompactAgentOptions {
  readonly pool: PolicyPool;
  /** Wraps the encoding of an observation, to measure it. */
  readonly observing?: <T>(work: () => T) => T;
}

export class CompactAgent implements Agent {
  readonly id = COMPACT_AGENT;
  readonly #options: CompactAgentOptions;

  constructor(options: CompactAgentOptions) {
    this.#options = options;
  }

  begin(task: AgentTask): AgentSession {
    return new CompactSession(task, this.#options);
  }
}

const MAX_SEED = 2 ** 32;

class CompactSession implements AgentSession {
  readonly #task: AgentTask;
  readonly #options: CompactAgentOptions;
  /** Defined after the first screen. */
  #observer: ScreenObserver | undefined;

  constructor(task: AgentTask, options: CompactAgentOptions) {
    this.#task = task;
    this.#options = options;
  }

  async next(screen: Screen): Promise<Turn> {
    const { instruction, mode, random, temperature, exploration, isGuided, version: required } = this.#task;
    const { signal } = this.#task;
    const { pool, observing = work => work() } = this.#options;
    signal.throwIfAborted();
    this.#observer ??= new ScreenObserver(instruction, mode, screen);
    const observer = this.#observer;
    observer.sees(screen);
    const observation = observing(() => encode(observer.observation));
    const { action, meant, version, decisions } = await pool.decide({
      ...{ observation, temperature, exploration, seed: seed(random.int(MAX_SEED)) },
      ...(isGuided !== undefined && { isGuided }),
      ...(required !== undefined && { version: required }),
    });
    return { observation, actions: [{ action, meant }], trace: { kind: 'heads', decisions }, version };
  }

  acted(action: Action, screen: Screen): void {
    this.#observer?.acted(action, screen);
  }

  async witnessed(action: Action, before: Screen, after: Screen): Promise<void> {
    const { instruction, mode } = this.#task;
    this.#observer ??= new ScreenObserver(instruction, mode, before);
    this.#observer.sees(before);
    this.#observer.acted(action, after);
  }

  close(): void {
    this.#observer = undefined;
  }
}
