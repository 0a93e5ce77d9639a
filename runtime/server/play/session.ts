// The session of one play page with its desktop. Requests are executed one at a time, in order.

import type { Clock } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';
import { desktopId } from '../../core/ids.ts';
import type { Random } from '../../core/rng.ts';
import type { Screen } from '../../core/screen.ts';
import { PocketDesktop } from '../../environments/pocket/desktop.ts';
import { SCREEN } from '../../environments/pocket/getters.ts';
import { RENDERER } from '../../environments/pocket/machine.ts';
import type { PocketSuite } from '../../environments/pocket/tasks/suite.ts';
import { type Solution, solutionOf } from '../../environments/pocket/tasks/suite.ts';
import { encodeScreen } from '../../protocol/frame.ts';
import {
  PLAY_VERSION,
  type PlayEvent,
  type PlayMethod,
  type PlayRequest,
  type PlayResults,
} from '../../protocol/play.ts';
import { RequestError } from '../request-error.ts';
import type { SocketClient, SocketReply, SocketSession } from '../socket-client.ts';
import { chooseSeed, startedTask, tasksFor } from './catalogue.ts';
import { PlayEpisode } from './episode.ts';

interface PlaySessionOptions {
  readonly name: string;
  readonly suite: PocketSuite;
  readonly page: Pick<SocketClient<PlayRequest>, 'send' | 'sendData'>;
  readonly clock: Clock;
  readonly random: Random;
}

/** A scripted solution that is being shown. */
interface Playback {
  readonly stop: AbortController;
  readonly over: Promise<void>;
}

export class PlaySession implements SocketSession<PlayRequest> {
  readonly welcome: PlayResults['hello'] = { version: PLAY_VERSION, renderer: RENDERER };
  readonly #suite: PocketSuite;
  readonly #page: PlaySessionOptions['page'];
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #episode: PlayEpisode;
  #playback: Playback | undefined;
  /** Never rejects. */
  #previous: Promise<unknown> = Promise.resolve();
  #lastPixels: Uint8Array | undefined;

  constructor({ name, suite, page, clock, random }: PlaySessionOptions) {
    this.#suite = suite;
    this.#page = page;
    this.#clock = clock;
    this.#random = random;
    this.#episode = new PlayEpisode(new PocketDesktop(desktopId(name)), suite);
  }

  answer(request: PlayRequest): Promise<SocketReply> {
    const reply = this.#previous
      .then(() => this.#execute(request))
      .catch((error: unknown) => {
        if (error instanceof RequestError) throw error;
        throw new RequestError('failed', `The desktop failed: ${messageOf(error)}. Start a task again.`);
      });
    // Its client receives the error.
    this.#previous = reply.catch(() => undefined);
    return reply;
  }

  async left(): Promise<void> {
    this.#playback?.stop.abort();
    await this.#previous;
    await this.#stopPlayback();
    await this.#episode.close();
  }

  async #execute(request: PlayRequest): Promise<SocketReply> {
    if (request.method === 'watch') return this.#watch(request.params.pause);
    return { result: await this.#resultOf(request) };
  }

  async #resultOf(request: Exclude<PlayRequest, { method: 'watch' }>): Promise<PlayResults[PlayMethod]> {
    const [suite, episode, screen] = [this.#suite, this.#episode, SCREEN];
    switch (request.method) {
      case 'hello':
        return this.welcome;
      case 'tasks':
        return { tasks: tasksFor(suite, request.params) };
      case 'elements':
        return { elements: [...episode.elements] };
      case 'start': {
        const seed = chooseSeed(suite, request.params, this.#random);
        await this.#stopPlayback();
        const started = await episode.start(request.params.task, seed);
        this.#show(started.screen);
        return { task: startedTask(started.task, seed), screen };
      }
      case 'free': {
        await this.#stopPlayback();
        this.#show(await episode.free(request.params.seed ?? this.#random.int(0x1_0000_0000)));
        return { screen };
      }
      case 'act': {
        this.#mayAct();
        const changed = this.#show(await episode.act(request.params.action));
        return { steps: episode.steps, changed };
      }
      case 'judge':
        this.#mayAct();
        return await episode.judge(request.params.ending);
      case 'stop':
        await this.#stopPlayback();
        return {};
    }
  }

  #mayAct(): void {
    if (this.#playback !== undefined)
      throw new RequestError('failed', 'The solution is being shown. Stop it, or wait for its end.');
  }

  #send(event: PlayEvent): void {
    this.#page.send(event);
  }

  /** Returns whether the screen changed. */
  #show(screen: Screen): boolean {
    const { data } = screen.pixels;
    if (this.#lastPixels !== undefined && Buffer.compare(this.#lastPixels, data) === 0) return false;
    this.#lastPixels = Uint8Array.from(data);
    this.#page.sendData(encodeScreen(screen.pixels));
    return true;
  }

  async #watch(pause: number): Promise<SocketReply> {
    const { task, seed } = this.#episode.instance;
    await this.#stopPlayback();
    const solution = solutionOf(this.#suite, task, seed);
    this.#show((await this.#episode.start(task.id, seed)).screen);
    const stop = new AbortController();
    let begin = (): void => undefined;
    const over = new Promise<void>(resolve => {
      begin = resolve;
    })
      .then(() => this.#perform(solution, pause, stop.signal))
      .catch((error: unknown) => {
        if (!stop.signal.aborted) this.#send({ method: 'broken', params: { message: messageOf(error) } });
      })
      .finally(() => {
        if (this.#playback?.stop === stop) this.#playback = undefined;
      });
    this.#playback = { stop, over };
    const actions = solution.actions.length;
    const result: PlayResults['watch'] = { task: startedTask(task, seed), screen: SCREEN, actions };
    return { result, next: begin };
  }

  async #perform({ actions, ending }: Solution, pause: number, signal: AbortSignal): Promise<void> {
    for (const [index, action] of actions.entries()) {
      signal.throwIfAborted();
      this.#send({ method: 'next', params: { action, number: index + 1, steps: this.#episode.steps } });
      await this.#clock.sleep(pause, signal);
      this.#show(await this.#episode.act(action));
    }
    await this.#clock.sleep(pause, signal);
    this.#send({ method: 'watched', params: await this.#episode.judge(ending) });
  }

  async #stopPlayback(): Promise<void> {
    const playback = this.#playback;
    playback?.stop.abort();
    await playback?.over;
  }
}
