// Bounds the posts of a joined host that the daemon's server handles at the same time.

import { Refusal } from './refusal.ts';

/** A host asks for one thing per desktop at a time. After a broken connection it asks again, while the old post still waits. */
const POSTS_PER_DESKTOP = 2;
/** For sessions that end. */
const MORE_POSTS = 8;

export interface PostingHost {
  readonly host: string;
  /** That it offered. */
  readonly desktops: number;
}

/** Throws a Refusal if the host has too many open things. Hosts repeat a post with the status 429. */
export function requireFewOpen(things: string, open: number, { host, desktops }: PostingHost): void {
  if (open >= POSTS_PER_DESKTOP * desktops + MORE_POSTS)
    throw new Refusal(
      429,
      `The host '${host}' has ${open} open ${things}, which is too many for its ${desktops} desktops. Wait for an answer, and send it again.`,
    );
}

export class OpenPosts {
  /** By host and path: many questions do not keep out the replies to a person. */
  readonly #open = new Map<string, number>();

  /** Rejects with a Refusal, and does not begin the work, if the host has too many open posts to the path. */
  async during(path: string, from: PostingHost, work: () => Promise<void>): Promise<void> {
    const key = `${from.host} ${path}`;
    const before = this.#open.get(key) ?? 0;
    requireFewOpen(`posts to ${path}`, before, from);
    this.#open.set(key, before + 1);
    try {
      await work();
    } finally {
      const left = (this.#open.get(key) ?? 0) - 1;
      if (left > 0) this.#open.set(key, left);
      else this.#open.delete(key);
    }
  }
}
