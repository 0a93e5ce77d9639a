// One episode of a model agent: screens become messages, replies become actions. Holds the turns and images within the window of the
// profile, so that neither cost nor memory grows with the length of the episode.

import { type Action, pointerAfter } from '../../core/action.ts';
import { actionError } from '../../core/action-error.ts';
import type { AgentSession, AgentTask, SentImage, Turn, TurnAction } from '../../core/agent.ts';
import { type ChatReply, type Sampling, UNVERSIONED } from '../../core/chat.ts';
import { messageOf } from '../../core/errors.ts';
import { BoundaryError } from '../../core/failure.ts';
import type { Point, Screen } from '../../core/screen.ts';
import type { ChatModel } from '../../endpoints/chat.ts';
import { isCutThinking } from '../codecs/thinking.ts';
import { encodeChat } from './chat-observation.ts';
import { listElements } from './elements.ts';
import { sentSize } from './frame.ts';
import type { Frame, ObservedScreen, PastTurn, Profile, Reading } from './profile.ts';
import { ScreenImages } from './screen-images.ts';

export interface SessionOptions {
  /** The name of the agent, for failures. */
  readonly agent: string;
  readonly profile: Profile;
  readonly chat: ChatModel;
  /** At the temperature of an agent that samples. */
  readonly sampling: Omit<Sampling, 'seed'>;
}

export class ModelSession implements AgentSession {
  readonly #task: AgentTask;
  readonly #options: SessionOptions;
  readonly #images: ScreenImages | undefined;
  /** Oldest first, within the window. */
  #turns: readonly PastTurn[] = [];
  #turnCount = 0;
  /** The latest turn, until the next one begins: its actions may still be performed. */
  #latest: LatestTurn | undefined;
  #performed: readonly Action[] = [];
  #pointer: Point | undefined;
  /** New images of screens on which somebody else acted. The next turn has them. */
  #added: readonly SentImage[] = [];
  #isClosed = false;

  constructor(task: AgentTask, options: SessionOptions) {
    const { resize, history } = options.profile;
    this.#task = task;
    this.#options = options;
    if (task.mode !== 'a11y_tree')
      this.#images = new ScreenImages({
        sizeOf: screen => sentSize(resize, screen),
        window: Math.max(1, history.images),
      });
  }

  /** Failures of an endpoint pass unchanged, as does the reason of the signal. */
  async next(screen: Screen): Promise<Turn> {
    try {
      this.#task.signal.throwIfAborted();
      if (this.#isClosed) throw new RangeError('The episode is closed. Begin another one.');
      return await this.#turn(screen);
    } catch (error) {
      this.#task.signal.throwIfAborted();
      if (error instanceof BoundaryError) throw error;
      const failure = { boundary: 'policy', thing: this.#options.agent, message: messageOf(error) } as const;
      throw new BoundaryError(failure, { cause: error });
    }
  }

  async #turn(screen: Screen): Promise<Turn> {
    const { signal, episode, instruction, mode } = this.#task;
    const { profile, chat } = this.#options;
    this.#rememberLatest();
    const current = await this.#observe(screen);
    const messages = profile.messages({
      ...{ instruction, mode, current },
      turns: this.#turns,
      turnCount: this.#turnCount,
    });
    const { version: decided, ...reply } = await chat.complete({
      messages,
      images: this.#images?.source ?? noImages,
      ...(this.#images !== undefined && { dataUrls: this.#images.dataUrls }),
      sampling: { ...this.#options.sampling, seed: this.#task.random.int(MAX_SEED) },
      session: episode,
      signal,
    });
    const reading = performable(uncut(profile.read(reply.raw, current.frame), reply), current.frame);
    const malformed = reading.kind === 'malformed' ? { malformed: reading.why } : {};
    const actions = actionsOf(reading, current.frame);
    this.#latest = { turn: { ...current, raw: reply.raw, ...malformed }, count: actions.length };
    const images = this.#added;
    this.#added = [];
    return {
      observation: encodeChat(messages),
      actions,
      trace: {
        kind: 'tokens',
        ...reply,
        ...(reading.thought !== undefined && { thought: reading.thought }),
        ...malformed,
      },
      version: decided ?? UNVERSIONED,
      ...(images.length > 0 && { images }),
    };
  }

  async witnessed(action: Action, before: Screen): Promise<void> {
    this.#rememberLatest();
    const current = await this.#observe(before);
    this.#remember([this.#written(current, action)]);
    this.#pointer = pointerAfter(action) ?? this.#pointer;
  }

  acted(action: Action, _screen: Screen): void {
    this.#performed = [...this.#performed, action];
    this.#pointer = pointerAfter(action) ?? this.#pointer;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#turns = [];
    this.#latest = undefined;
    this.#images?.clear();
    this.#options.chat.end(this.#task.episode);
  }

  async #observe(screen: Screen): Promise<ObservedScreen> {
    const { width, height } = screen.pixels;
    const elements = this.#task.mode === 'screenshot' ? [] : listElements(screen);
    const pointer = this.#pointer === undefined ? {} : { pointer: this.#pointer };
    const frame = { screen: { width, height }, sent: { width, height }, ...pointer, elements };
    if (this.#images === undefined) return { frame };
    // A screen on which nothing was performed has no turn, and must not displace the image of one.
    const needed = new Set(this.#turns.flatMap(({ image }) => image?.sha256 ?? []));
    const { part, added } = await this.#images.add(screen.pixels, needed);
    if (added !== undefined) this.#added = [...this.#added, added];
    return { image: part, frame: { ...frame, sent: { width: part.width, height: part.height } } };
  }

  /** A turn whose later actions were not performed counts as one turn for each action that was. */
  #rememberLatest(): void {
    const [latest, performed] = [this.#latest, this.#performed];
    this.#latest = undefined;
    this.#performed = [];
    if (latest === undefined) return;
    const { turn, count } = latest;
    this.#remember(
      performed.length === count
        ? [{ ...turn, actions: performed }]
        : performed.map(action => this.#written(turn, action)),
    );
  }

  #written({ image, frame }: ObservedScreen, action: Action): PastTurn {
    const raw = this.#options.profile.write(action, frame);
    return { ...(image !== undefined && { image }), frame, raw, actions: [action] };
  }

  /** Adds turns to the window, and removes what lies outside it. */
  #remember(added: readonly PastTurn[]): void {
    const { images, turns } = this.#options.profile.history;
    const all = [...this.#turns, ...added];
    this.#turnCount += added.length;
    // The current screen is one of the images.
    const withImage = Math.max(0, images - 1);
    const kept = all.slice(-Math.max(withImage, turns) || all.length);
    this.#turns = kept.map((turn, index) => (index >= kept.length - withImage ? turn : withoutImage(turn)));
  }
}

interface LatestTurn {
  readonly turn: Omit<PastTurn, 'actions'>;
  /** The number of its actions. */
  readonly count: number;
}

/** Servers store seeds as signed numbers of 32 bits. */
const MAX_SEED = 2 ** 31;

function noImages(sha256: string): Uint8Array {
  throw new RangeError(`Image ${sha256} does not exist: in the mode 'a11y_tree' messages have no images.`);
}

/** The elements stay: profiles name them in the history. */
const withoutImage = ({ image: _, ...rest }: PastTurn): PastTurn => rest;

/** An action within a thought that was cut is considered, not chosen. */
function uncut(reading: Reading, { finish, raw }: Pick<ChatReply, 'finish' | 'raw'>): Reading {
  if (reading.kind === 'malformed' || finish !== 'length' || !isCutThinking(raw)) return reading;
  const { actions: _, ...rest } = reading;
  const why = "the reply was cut at the limit of tokens: raise 'sampling.maxTokens'";
  return { ...rest, kind: 'malformed', why };
}

/** An action that no desktop can perform is a mistake of the model. A desktop that refused it would count as broken. */
function performable(reading: Reading, { screen }: Frame): Reading {
  if (reading.kind === 'malformed') return reading;
  const { actions, ...rest } = reading;
  const why = actions.map(({ action }) => actionError(action, screen)).find(found => found !== undefined);
  return why === undefined ? reading : { ...rest, kind: 'malformed', why };
}

function actionsOf(reading: Reading, { elements }: Frame): readonly [TurnAction, ...TurnAction[]] {
  if (reading.kind === 'malformed') return [{ action: { kind: 'none', why: reading.why }, meant: [] }];
  const [first, ...rest] = reading.actions;
  const turnAction = ({ action, elements: numbers }: typeof first): TurnAction => ({
    action,
    meant: numbers.flatMap(number => {
      const element = elements[number - 1];
      return element === undefined ? [] : [{ kind: 'element', index: number - 1, box: element.box } as const];
    }),
  });
  return [turnAction(first), ...rest.map(turnAction)];
}
