// One page's conversation with its desktop, after it was let in: requests are answered one after another, in their order.
// It knows nothing of sockets: what it says goes to an audience.

import type { Clock } from '../../core/clock.ts';
import { desktopId } from '../../core/ids.ts';
import type { Random } from '../../core/rng.ts';
import type { Screen } from '../../core/screen.ts';
import { PocketDesktop } from '../../environments/pocket/desktop.ts';
import { RENDERER } from '../../environments/pocket/machine.ts';
import { type Solution, solutionOf } from '../../environments/pocket/solution.ts';
import { SCREEN } from '../../environments/pocket/start.ts';
import type { PocketSuite } from '../../environments/pocket/tasks/suite.ts';
import { PLAY_VERSION, type PlayErrorCode, type PlayMessage, type PlayRequest } from '../../protocol/play.ts';
import { described } from './catalogue.ts';
import { chosen, tasksFor } from './choice.ts';
import { Episode, Refusal } from './episode.ts';

export interface Audience {
  say(message: PlayMessage): void;
  show(screen: Screen): void;
}

interface Surroundings {
  readonly name: string;
  readonly suite: PocketSuite;
  readonly audience: Audience;
  readonly clock: Clock;
  readonly random: Random;
}

/** More than a person's hand can have under way; beyond it somebody does not wait for replies. */
const WAITING_LIMIT = 100;

interface Watching {
  readonly stop: AbortController;
  readonly over: Promise<void>;
}

export class Session {
  readonly #suite: PocketSuite;
  readonly #audience: Audience;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #episode: Episode;
  #watching: Watching | undefined;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();
  #shown: Uint8Array | undefined;

  constructor({ name, suite, audience, clock, random }: Surroundings) {
    this.#suite = suite;
    this.#audience = audience;
    this.#clock = clock;
    this.#random = random;
    this.#episode = new Episode(new PocketDesktop(desktopId(name)), suite);
  }

  receive(request: PlayRequest): void {
    if (this.#waiting >= WAITING_LIMIT) {
      this.#complain(request.id, 'busy', `${WAITING_LIMIT} requests wait already: wait for their replies.`);
      return;
    }
    this.#waiting += 1;
    this.#last = this.#last
      .then(() => this.#answer(request))
      .then(message => {
        if (message !== undefined) this.#audience.say(message);
      })
      .catch((error: unknown) => this.#failed(request, error))
      .finally(() => {
        this.#waiting -= 1;
      });
  }

  /** Never rejects. */
  async close(): Promise<void> {
    this.#watching?.stop.abort();
    await this.#last;
    await this.#stopWatching();
    await this.#episode.close();
  }

  /** Undefined where the reply was said already. */
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
        const seed = chosen(this.#suite, request, this.#random);
        await this.#stopWatching();
        const { task, screen } = await this.#episode.start(request.task, seed);
        this.#show(screen);
        return { kind: 'started', id, task: described(task, seed), screen: SCREEN };
      }
      case 'free': {
        await this.#stopWatching();
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
        await this.#stopWatching();
        return { kind: 'stopped', id };
    }
  }

  #mayAct(): void {
    if (this.#watching !== undefined) {
      throw new Refusal('not_now', 'The solution is being shown: stop it, or wait until it is over.');
    }
  }

  /** Whether there was anything new to show. */
  #show(screen: Screen): boolean {
    const { data } = screen.pixels;
    if (this.#shown !== undefined && Buffer.compare(this.#shown, data) === 0) return false;
    this.#shown = Uint8Array.from(data);
    this.#audience.show(screen);
    return true;
  }

  async #watch(id: number, pause: number): Promise<undefined> {
    const { task, seed } = this.#episode.instance;
    await this.#stopWatching();
    const solution = solutionOf(this.#suite, task, seed);
    const { screen } = await this.#episode.start(task.id, seed);
    this.#show(screen);
    const actions = solution.actions.length;
    // The reply goes first: nothing of the show may reach the page before it.
    this.#audience.say({ kind: 'watching', id, task: described(task, seed), screen: SCREEN, actions });
    const stop = new AbortController();
    const over = this.#perform(solution, pause, stop.signal)
      .catch((error: unknown) => {
        if (!stop.signal.aborted) this.#audience.say({ kind: 'broken', message: messageOf(error) });
      })
      .finally(() => {
        if (this.#watching?.stop === stop) this.#watching = undefined;
      });
    this.#watching = { stop, over };
  }

  async #perform({ actions, ending }: Solution, pause: number, signal: AbortSignal): Promise<void> {
    for (const [index, action] of actions.entries()) {
      this.#audience.say({ kind: 'next', action, number: index + 1, steps: this.#episode.steps });
      await this.#clock.sleep(pause, signal);
      this.#show(await this.#episode.act(action));
    }
    await this.#clock.sleep(pause, signal);
    this.#audience.say({ kind: 'watched', judgement: await this.#episode.judge(ending) });
  }

  async #stopWatching(): Promise<void> {
    const watching = this.#watching;
    watching?.stop.abort();
    await watching?.over;
  }

  #failed({ id }: PlayRequest, error: unknown): void {
    if (error instanceof Refusal) this.#complain(id, error.code, error.message, error.field);
    else this.#complain(id, 'desktop', `The desktop broke: ${messageOf(error)}. Start again.`);
  }

  #complain(id: number, code: PlayErrorCode, message: string, field?: string): void {
    this.#audience.say({ kind: 'error', id, code, ...(field !== undefined && { field }), message });
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
