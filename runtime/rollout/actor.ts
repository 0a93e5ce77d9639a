// Plays episodes on several desktops at once, and asks the policy for all of them in one go. It takes what is to be played next
// from whoever drives it, and hands back what was played; it keeps nothing else.

import type { Desktop } from '../contracts/desktop.ts';
import type { Random } from '../contracts/world.ts';
import type { Session } from '../graph/session.ts';
import { actionOf } from '../policy/act.ts';
import { drawingFeedsOf, drawnRows } from '../policy/decide.ts';
import { feedsOf } from '../policy/feeds.ts';
import { type Sample, sampleOf } from '../policy/sample.ts';
import { type Ended, Episode, type EpisodeOptions } from './episode.ts';

export interface Played<Order> {
  readonly order: Order;
  readonly episode: Episode;
  readonly ended: Ended;
  /** One for each step. */
  readonly samples: readonly Sample[];
}

export interface ActorOptions {
  /** 1 draws from the policy as it is; 0 takes the likeliest. */
  readonly temperature: number;
  /** The share of decisions that are made at random. */
  readonly exploration: number;
  readonly pixels: boolean;
}

interface Running<Order> {
  readonly desktop: Desktop;
  readonly order: Order;
  readonly episode: Episode;
  readonly samples: Sample[];
}

export class Actor<Order extends EpisodeOptions> {
  readonly #session: Session;
  readonly #options: ActorOptions;
  readonly #random: Random;
  readonly #free: Desktop[];
  #running: readonly Running<Order>[] = [];

  constructor(desktops: readonly Desktop[], session: Session, options: ActorOptions, random: Random) {
    this.#session = session;
    this.#options = options;
    this.#random = random;
    this.#free = [...desktops];
  }

  get busy(): number {
    return this.#running.length;
  }

  /** Starts what `next` gives while desktops are free, takes one step in every episode, and gives back those that ended. */
  async tick(next: () => Order | undefined): Promise<readonly Played<Order>[]> {
    await this.#fill(next);
    const running = this.#running;
    if (running.length === 0) return [];
    const rows = running.map(({ episode }) => episode.tokens);
    const chance = () => this.#random.next();
    const outputs = await this.#session.run({
      ...feedsOf(rows, this.#options.pixels),
      ...drawingFeedsOf(running.map(() => ({ ...this.#options, chance }))),
    });
    const played: Played<Order>[] = [];
    const left: Running<Order>[] = [];
    for (const [index, { choices, logProbabilities }] of drawnRows(outputs, rows.length).entries()) {
      const each = running[index];
      if (each === undefined) continue;
      const { episode, samples, order, desktop } = each;
      samples.push(sampleOf(episode.tokens, choices, logProbabilities));
      await episode.act(actionOf(episode.tokens, episode.instruction, choices));
      if (episode.ended === undefined) left.push(each);
      else {
        played.push({ order, episode, ended: episode.ended, samples });
        this.#free.push(desktop);
      }
    }
    this.#running = left;
    return played;
  }

  async #fill(next: () => Order | undefined): Promise<void> {
    const started: Running<Order>[] = [];
    while (this.#free.length > 0) {
      const order = next();
      const desktop = order && this.#free.pop();
      if (order === undefined || desktop === undefined) break;
      started.push({ desktop, order, episode: await Episode.start(desktop, order), samples: [] });
    }
    this.#running = [...this.#running, ...started];
  }
}
