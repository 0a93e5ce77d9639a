// The session of one authenticated page with its desktop. Requests are answered one at a time, in order. Does not know about sockets:
// messages and screens go to a PlayPage.

import type { Clock } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';
import { desktopId } from '../../core/ids.ts';
import type { Random } from '../../core/rng.ts';
import type { Screen } from '../../core/screen.ts';
import { PocketDesktop } from '../../environments/pocket/desktop.ts';
import { RENDERER } from '../../environments/pocket/machine.ts';
import { SCREEN } from '../../environments/pocket/start.ts';
import type { PocketSuite } from '../../environments/pocket/tasks/suite.ts';
import { type Solution, solutionOf } from '../../environments/pocket/tasks/suite.ts';
import { PLAY_VERSION, type PlayErrorCode, type PlayMessage, type PlayRequest } from '../../protocol/play.ts';
import { chooseSeed, startedTask, tasksFor } from './catalogue.ts';
import { PlayEpisode, PlayRequestError } from './episode.ts';

export interface PlayPage {
  say(message: PlayMessage): void;
  show(screen: Screen): void;
}

interface PlaySessionOptions {
  readonly name: string;
  readonly suite: PocketSuite;
  readonly page: PlayPage;
  readonly clock: Clock;
  readonly random: Random;
}

/** More than a person produces; a client that exceeds it does not wait for replies. */
const MAX_WAITING_REQUESTS = 100;

/** A scripted solution that is being shown. */
interface Playback {
  readonly stop: AbortController;
  readonly over: Promise<void>;
}

export class PlaySession {
  readonly #suite: PocketSuite;
  readonly #page: PlayPage;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #episode: PlayEpisode;
  #playback: Playback | undefined;
  #waiting = 0;
  #queue: Promise<void> = Promise.resolve();
  #lastPixels: Uint8Array | undefined;

  constructor({ name, suite, page, clock, random }: PlaySessionOptions) {
    this.#suite = suite;
    this.#page = page;
    this.#clock = clock;
    this.#random = random;
    this.#episode = new PlayEpisode(new PocketDesktop(desktopId(name)), suite);
  }

  receive(request: PlayRequest): void {
    if (this.#waiting >= MAX_WAITING_REQUESTS) {
      this.#sendError(
        request.id,
        'busy',
        `${MAX_WAITING_REQUESTS} requests are waiting, which is the limit. Wait for a reply.`,
      );
      return;
    }
    this.#waiting += 1;
    this.#queue = this.#queue
      .then(() => this.#answer(request))
      .then(message => {
        if (message !== undefined) this.#page.say(message);
      })
      .catch((error: unknown) => this.#failed(request, error))
      .finally(() => {
        this.#waiting -= 1;
      });
  }

  /** Never rejects. */
  async close(): Promise<void> {
    this.#playback?.stop.abort();
    await this.#queue;
    await this.#stopPlayback();
    await this.#episode.close();
  }

  /** Undefined when the reply was sent already. */
  async #answer(request: PlayRequest): Promise<PlayMessage | undefined> {
    const { id } = request;
    switch (request.call) {
      case 'hello':
        return { kind: 'welcome', id, version: PLAY_VERSION, renderer: RENDERER };
      case 'tasks':
        return { kind: 'tasks', id, tasks: tasksFor(this.#suite, request) };
      case 'elements':
        return { kind: 'elements', id, elements: [...this.#episode.elements] };
      case 'start': {
        const seed = chooseSeed(this.#suite, request, this.#random);
        await this.#stopPlayback();
        const { task, screen } = await this.#episode.start(request.task, seed);
        this.#show(screen);
        return { kind: 'started', id, task: startedTask(task, seed), screen: SCREEN };
      }
      case 'free': {
        await this.#stopPlayback();
        this.#show(await this.#episode.free(request.seed ?? this.#random.int(0x1_0000_0000)));
        return { kind: 'started', id, task: null, screen: SCREEN };
      }
      case 'act': {
        this.#mayAct();
        const changed = this.#show(await this.#episode.act(request.action));
        return { kind: 'acted', id, steps: this.#episode.steps, changed };
      }
      case 'judge':
        this.#mayAct();
        return { kind: 'judged', id, judgement: await this.#episode.judge(request.ending) };
      case 'watch':
        return this.#watch(id, request.pause);
      case 'stop':
        await this.#stopPlayback();
        return { kind: 'stopped', id };
    }
  }

  #mayAct(): void {
    if (this.#playback !== undefined) {
      throw new PlayRequestError('not_now', 'The solution is being shown. Stop it, or wait for its end.');
    }
  }

  /** Returns whether the screen changed. */
  #show(screen: Screen): boolean {
    const { data } = screen.pixels;
    if (this.#lastPixels !== undefined && Buffer.compare(this.#lastPixels, data) === 0) return false;
    this.#lastPixels = Uint8Array.from(data);
    this.#page.show(screen);
    return true;
  }

  async #watch(id: number, pause: number): Promise<undefined> {
    const { task, seed } = this.#episode.instance;
    await this.#stopPlayback();
    const solution = solutionOf(this.#suite, task, seed);
    const { screen } = await this.#episode.start(task.id, seed);
    this.#show(screen);
    const actions = solution.actions.length;
    // The reply goes first: the page must not receive a step of the playback before it.
    this.#page.say({ kind: 'watching', id, task: startedTask(task, seed), screen: SCREEN, actions });
    const stop = new AbortController();
    const over = this.#perform(solution, pause, stop.signal)
      .catch((error: unknown) => {
        if (!stop.signal.aborted) this.#page.say({ kind: 'broken', message: messageOf(error) });
      })
      .finally(() => {
        if (this.#playback?.stop === stop) this.#playback = undefined;
      });
    this.#playback = { stop, over };
  }

  async #perform({ actions, ending }: Solution, pause: number, signal: AbortSignal): Promise<void> {
    for (const [index, action] of actions.entries()) {
      this.#page.say({ kind: 'next', action, number: index + 1, steps: this.#episode.steps });
      await this.#clock.sleep(pause, signal);
      this.#show(await this.#episode.act(action));
    }
    await this.#clock.sleep(pause, signal);
    this.#page.say({ kind: 'watched', judgement: await this.#episode.judge(ending) });
  }

  async #stopPlayback(): Promise<void> {
    const playback = this.#playback;
    playback?.stop.abort();
    await playback?.over;
  }

  #failed({ id }: PlayRequest, error: unknown): void {
    if (error instanceof PlayRequestError) this.#sendError(id, error.code, error.message, error.field);
    else this.#sendError(id, 'desktop', `The desktop failed: ${messageOf(error)}. Start a task again.`);
  }

  #sendError(id: number, code: PlayErrorCode, message: string, field?: string): void {
    this.#page.say({ kind: 'error', id, code, ...(field !== undefined && { field }), message });
  }
}
