// The weights that a server answers with, by the name in requests: one current entry, and older adapters that running requests still use.
// Counts the requests of each.

import type { Version } from '../core/ids.ts';

export interface ServedWeights {
  /** The name in requests. */
  readonly model: string;
  /** Optimiser steps. */
  readonly version: Version;
  /** Only requests with this name get these weights. Otherwise the server answers with its only weights. */
  readonly isAdapter: boolean;
  /** The version as replies report it, if they do. */
  readonly reported?: string;
  /**
   * Resolves with whether the server still has these weights; undefined if it does not answer. For servers whose replies do not report them.
   */
  readonly confirm?: () => Promise<boolean | undefined>;
}

/** Whether an update gave the server these weights, so that another update can bring them back. */
export const isUpdated = ({ isAdapter, reported, confirm }: ServedWeights): boolean =>
  isAdapter || reported !== undefined || confirm !== undefined;

/** An adapter as the rules about unloading see it. */
export interface LoadedAdapter {
  readonly model: string;
  readonly version: Version;
  readonly inFlight: number;
}

interface Entry {
  weights: ServedWeights;
  inFlight: number;
}

export class WeightsOfServer {
  readonly #entries = new Map<string, Entry>();
  #current: ServedWeights | undefined;

  /** Those of new requests; undefined for a server whose weights nobody updates. */
  get current(): ServedWeights | undefined {
    return this.#current;
  }

  /** New requests get these weights. An adapter is added; other weights replace all. */
  serve(weights: ServedWeights): void {
    if (!weights.isAdapter) this.#entries.clear();
    const entry = this.#entries.get(weights.model);
    if (entry === undefined) this.#entries.set(weights.model, { weights, inFlight: 0 });
    else entry.weights = weights;
    this.#current = weights;
  }

  find(model: string): ServedWeights | undefined {
    return this.#entries.get(model)?.weights;
  }

  forget(model: string): void {
    this.#entries.delete(model);
  }

  /** Counts a request; the result ends it, and returns whether it was the last one of its name. */
  begin(model: string): () => boolean {
    const entry = this.#entries.get(model);
    if (entry === undefined) return () => false;
    entry.inFlight += 1;
    return () => {
      entry.inFlight -= 1;
      return entry.inFlight === 0;
    };
  }

  adapters(): readonly LoadedAdapter[] {
    return [...this.#entries.values()]
      .filter(({ weights }) => weights.isAdapter)
      .map(({ weights: { model, version }, inFlight }) => ({ model, version, inFlight }));
  }
}
