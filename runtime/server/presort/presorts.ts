// Pre-sorts the review queue with a model agent: asks it about episodes of the queue, and stores its answers as suggestions. One pre-sort at
// a time. A suggestion orders the queue; it never decides.

import { listElements } from '../../agents/model/elements.ts';
import { PROFILES } from '../../agents/model/profiles/index.ts';
import type { Config } from '../../config/config.ts';
import type { AgentSettings } from '../../config/sections/agents.ts';
import { COMPACT_AGENT } from '../../core/agent.ts';
import type { Clock } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';
import { runId, type TrajectoryId } from '../../core/ids.ts';
import { pngSize } from '../../core/png.ts';
import type { TrajectoryStore } from '../../data/store.ts';
import type { HttpTransport } from '../../endpoints/http-transport.ts';
import { inWords } from '../../person/steps.ts';
import type { PresortState } from '../../protocol/daemon/annotation.ts';
import type { DaemonParams, DaemonResults } from '../../protocol/daemon/messages.ts';
import { type OpenModelAgent, openModelAgent, requireUse } from '../../run/model-agent.ts';
import { settingsOfAgent } from '../../run/named-agent.ts';
import type { StoredTrajectories } from '../trajectories/trajectories.ts';
import { readAnswer } from './answer.ts';
import { NotAsked, Presort, type Presorted, type PresortWork } from './presort.ts';
import { type AskedEpisode, questionAbout } from './question.ts';

/** The requests of clients. */
export type Presorting = Pick<Presorts, 'now' | 'start' | 'follow' | 'cancel'>;

export class NoSuchPresort extends Error {
  override readonly name = 'NoSuchPresort';
}

export class PresortError extends Error {
  override readonly name = 'PresortError';
}

interface PresortsOptions {
  readonly store: Pick<TrajectoryStore, 'index' | 'suggest'>;
  readonly trajectories: Pick<StoredTrajectories, 'whole' | 'pictures'>;
  /** The agents of the workspace. */
  readonly agents: () => Promise<Config['agents']>;
  /** The variables with their keys. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Default: HTTP. */
  readonly transport?: HttpTransport;
}

/** As many as a person would look at. */
const MAX_SCREENS = 3;
/** More requests at a time would delay the pictures of the panels. */
const MAX_PARALLEL = 4;
/** Somebody waits for it. */
const REPLY_TIMEOUT_MS = 60_000;
/** A model that thinks needs them. */
const MAX_TOKENS = 2048;

export class Presorts {
  readonly #options: PresortsOptions;
  /** The latest one, also after its end, so that clients learn how it ended. */
  #last: Presort | undefined;
  #isClosed = false;

  constructor(options: PresortsOptions) {
    this.#options = options;
  }

  async now(): Promise<DaemonResults['presort.now']> {
    // Without them if dartboard.json cannot be read: other requests name its error.
    const agents = await this.#options.agents().catch(() => ({}));
    return { agents: Object.keys(agents), ...(this.#last !== undefined && { presort: this.#last.state }) };
  }

  /** Resolves at once; the state reports when the agent is open. Rejects an agent that does not exist. */
  async start({ agent, count, run }: DaemonParams<'presort.start'>): Promise<PresortState> {
    const { clock, agents } = this.#options;
    const settings = settingsOf(agent, await agents());
    if (this.#isClosed) throw new PresortError('The pre-sort cannot start: the program is ending.');
    if (this.#last?.isOver === false)
      throw new PresortError(
        `A pre-sort with '${this.#last.state.agent}' is under way. Cancel it, or wait for its end.`,
      );
    this.#last = new Presort({
      ...{ name: `presort-${Math.trunc(clock.now()).toString(36)}`, agent, clock },
      open: signal => this.#open(agent, settings, { count, run }, signal),
    });
    return this.#last.state;
  }

  follow(presort: string, after: number): Promise<PresortState> {
    return this.#named(presort).after(after);
  }

  /** Resolves when nothing is asked any more. */
  async cancel(presort: string): Promise<PresortState> {
    const named = this.#named(presort);
    await named.cancel();
    return named.state;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last?.cancel();
  }

  async #open(
    agent: string,
    settings: AgentSettings,
    { count, run }: Pick<DaemonParams<'presort.start'>, 'count' | 'run'>,
    signal: AbortSignal,
  ): Promise<PresortWork> {
    const { store, environment, clock, transport } = this.#options;
    const opened = await openModelAgent(agent, settings, {
      ...{ environment, clock, signal, outageTimeoutMs: REPLY_TIMEOUT_MS },
      ...(transport !== undefined && { transport }),
    });
    try {
      requireUse(opened, 'evaluation');
      const { waiting } = await store.index.waiting({
        ...{ order: 'teaching', unsuggestedBy: agent, offset: 0, limit: count },
        ...(run !== undefined && { run: runId(run) }),
      });
      const { concurrency = MAX_PARALLEL } = settings.limits ?? {};
      const outcomes = new Map(waiting.map(({ row }) => [row.id, row.outcome]));
      return {
        wanted: waiting.map(({ row }) => row.id),
        parallel: Math.min(MAX_PARALLEL, concurrency),
        ask: (id, over) => this.#ask(opened, settings, id, outcomes.get(id) === 'success', over),
        spentTokens: () => {
          const { promptTokens, completionTokens } = opened.snapshot().spent;
          return promptTokens + completionTokens;
        },
        close: () => opened.close(),
      };
    } catch (error) {
      opened.close();
      throw error;
    }
  }

  async #ask(
    { agent, chat, mode, capabilities }: OpenModelAgent,
    settings: AgentSettings,
    id: TrajectoryId,
    isSuccess: boolean,
    signal: AbortSignal,
  ): Promise<Presorted> {
    const profile = PROFILES[settings.profile];
    const episode = await this.#episode(id, {
      screens: mode === 'a11y_tree' ? 0 : Math.min(MAX_SCREENS, profile.history.images),
      hasElements: mode !== 'screenshot',
    }).catch((error: unknown) => {
      throw new NotAsked(messageOf(error), { cause: error });
    });
    const { topP, topK, maxTokens } = { ...profile.sampling, maxTokens: MAX_TOKENS, ...settings.sampling };
    try {
      const { raw } = await chat.complete({
        ...questionAbout(episode),
        sampling: { temperature: 0, topP, topK, maxTokens, seed: 0 },
        ...{ session: id, signal },
      });
      const answer = readAnswer(raw);
      if (answer === undefined) return 'unreadable';
      const { model } = capabilities;
      await this.#options.store.suggest({ trajectory: id, agent: agent.id, model, ...answer });
      return { isDoubted: answer.isSuccess !== isSuccess };
    } finally {
      chat.end(id);
    }
  }

  /** Rejects if the model would see neither a screen nor elements. */
  async #episode(
    id: TrajectoryId,
    { screens: count, hasElements }: { readonly screens: number; readonly hasElements: boolean },
  ): Promise<AskedEpisode> {
    const { trajectories } = this.#options;
    const { instruction, marked, each } = await trajectories.whole(id);
    const pictures = await trajectories.pictures(id);
    // An imported trajectory may have gaps, and no picture after its last action.
    const stored = pictures.flatMap(({ image: png }, step) =>
      png.length === 0 ? [] : [{ ...{ png, ...pngSize(png) }, actionsAfter: each.length - step }],
    );
    const screens = stored.slice(Math.max(0, stored.length - count));
    const actions = each.map(({ action }, step) => inWords(action, pictures[step]?.elements ?? []));
    const elements = hasElements ? pictures[each.length]?.elements : undefined;
    if (screens.length === 0 && elements === undefined)
      throw new RangeError(
        `The screens and elements of the trajectory ${id} that the agent would be shown are not stored. Choose an agent that sees screenshots, or review it yourself.`,
      );
    return {
      ...{ instruction: marked.instruction ?? instruction, actions, screens },
      ...(elements !== undefined && {
        elements: listElements({ elements, pixels: screens[0] ?? EVERYTHING }),
      }),
    };
  }

  #named(presort: string): Presort {
    if (this.#last?.state.presort === presort) return this.#last;
    throw new NoSuchPresort(
      `The pre-sort '${presort}' does not exist. 'presort.now' returns the latest one.`,
    );
  }
}

/** The size of the screen is unknown where no picture is sent: no element lies outside. */
const EVERYTHING = { width: 1e6, height: 1e6 };

function settingsOf(agent: string, agents: Config['agents']): AgentSettings {
  if (agent !== COMPACT_AGENT) return settingsOfAgent(agent, { agents });
  throw new RangeError(
    `The agent '${COMPACT_AGENT}' cannot pre-sort: it decides actions and answers no questions. Choose a language model of dartboard.json.`,
  );
}
