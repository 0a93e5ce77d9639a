// The queue of decision requests: one first-in-first-out line per required version. Requests that are put back go to the front.

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

  add(request: W): void {
    this.#line(request.version).push(request);
  }

  /** Keeps their order. */
  putBack(requests: readonly W[]): void {
    for (const request of requests.toReversed()) this.#line(request.version).unshift(request);
  }

  /** Removes up to `max` requests from the front of a line. A request that goes alone is removed by itself. */
  take(
    version: Version | undefined,
    max: number,
    goesAlone: (request: W) => boolean = () => false,
  ): readonly W[] {
    const line = this.#line(version);
    const before = line.slice(0, max).findIndex(goesAlone);
    const taken = line.splice(0, before < 0 ? max : Math.max(1, before));
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
