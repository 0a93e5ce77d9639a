// What a panel asks the daemon through, whatever carries it: a socket in a browser, the editor's messages within an editor.

import type { Method, Params, Results } from '../../../runtime/protocol/daemon/messages.ts';
import type { RunState } from '../../../runtime/protocol/daemon/state.ts';

/** A request that was refused, or could not be asked, in words. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** Of the protocol's failures; absent where the request never arrived. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/** Of a connection that was lost: that is told across the page as long as it is true. */
export const isOfLoss = (error: unknown): boolean => error instanceof Refusal && error.code === undefined;

/** What is the matter while there is no connection. */
export type Loss =
  /** It would be refused again. */
  | { readonly kind: 'refused'; readonly why: string }
  /** There is no daemon, until somebody asks for one. */
  | { readonly kind: 'gone'; readonly why: string }
  /** It is tried again at that moment. */
  | { readonly kind: 'lost'; readonly again: number };

export interface Listener {
  /** Requests are answered from now on. What was subscribed to before is gone. */
  connected(): void;
  lost(loss: Loss): void;
  state(state: RunState): void;
}

export interface Answer<M extends Method> {
  readonly result: Results[M];
  /** Of those requests that are answered with bytes beside their result. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface Link {
  /** Whether the daemon can be asked for that: one that is only looked at does nothing that changes anything. Known once connected. */
  does(method: Method): boolean;
  ask<M extends Method>(method: M, params: Params<M>): Promise<Results[M]>;
  askBytes<M extends Method>(method: M, params: Params<M>): Promise<Answer<M>>;
  /** Tries to connect at once, whatever it waits for. */
  retry(): void;
}
