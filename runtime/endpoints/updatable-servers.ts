// The interface between the router and whoever updates the weights of its servers (rolling/rolling-update.ts).

import type { LoadedAdapter, ServedWeights } from './served-weights.ts';

/** The servers of a router, by name. Methods throw a RangeError for an unknown name. */
export interface UpdatableServers {
  /** Reports to this keeper from now on. */
  follow(keeper: WeightKeeper): void;
  /** New requests of the server get these weights. A server that was draining, updating or out serves again. */
  serve(server: string, weights: ServedWeights): void;
  /** Sends no new requests. Resolves when none is in flight, and rejects with the reason of the signal. */
  drain(server: string, signal: AbortSignal): Promise<void>;
  /** A drained server loads weights. */
  beginUpdate(server: string): void;
  /** A draining server serves again, with the weights that it has. */
  putBack(server: string): void;
  /** The weights of the server are unknown: it gets no requests until it serves again. */
  takeOut(server: string, why: string): void;
  adapters(server: string): readonly LoadedAdapter[];
  /** No request gets this adapter any more. False, without effect, if requests use it. */
  forget(server: string, model: string): boolean;
  isOut(server: string): boolean;
}

/** Receives the router's reports about weights. */
export interface WeightKeeper {
  /**
   * The server does not have an adapter that it had. Resolves once it has it again, or is out. `sentAt` is the time of the request that found
   * it out.
   */
  restore(server: string, model: string, sentAt: number): Promise<void>;
  /** The server answered with other weights than it should have. */
  strayed(server: string, why: string): void;
  /** An old adapter of the server may have no users any more. */
  released(server: string): void;
}
