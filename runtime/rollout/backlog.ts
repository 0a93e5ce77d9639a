// Requests that wait in a pool for somebody to decide them: a line for each version that they insist on, first come first served.
// What is put back stands in front, as it came before all others.

import type { Version } from '../core/ids.ts';
import type { RequestLine } from './batching.ts';

export interface Waiting {
  readonly version: Version | undefined;
  readonly since: number;
}

export class Backlog<W extends Waiting> {
  readonly #lines = new Map<Version | undefined, W[]>();

  lines(): readonly RequestLine[] {
    return [...this.#lines].flatMap(([version, line]) =>
      line[0] === undefined ? [] : { version, length: line.length, since: line[0].since },
    );
  }

  all(): readonly W[] {
    return [...this.#lines.values()].flat();
  }

  add(one: W): void {
    this.#line(one.version).push(one);
  }

  /** In their old order. */
  putBack(some: readonly W[]): void {
    for (const one of some.toReversed()) this.#line(one.version).unshift(one);
  }

  /** The first of a line, at most so many. */
  take(version: Version | undefined, most: number): readonly W[] {
    const line = this.#line(version);
    const taken = line.splice(0, most);
    if (line.length === 0) this.#lines.delete(version);
    return taken;
  }

  #line(version: Version | undefined): W[] {
    let line = this.#lines.get(version);
    if (line === undefined) {
      line = [];
      this.#lines.set(version, line);
    }
    return line;
  }
}
