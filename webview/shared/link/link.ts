// How a panel reaches the daemon: through a socket in a browser, through the host's messages in an editor.

import type { DaemonMethod, DaemonParams, DaemonResults } from '../../../runtime/protocol/daemon/messages.ts';
import type { RunState } from '../../../runtime/protocol/daemon/state.ts';
import type { ConnectionLoss } from '../../../runtime/protocol/panels.ts';

export const NO_CONNECTION = 'There is no connection to the daemon. Wait until the page has reconnected.';

export interface LinkListener {
  /** The daemon answers requests from now on. Earlier subscriptions are gone. */
  connected(): void;
  lost(loss: ConnectionLoss): void;
  state(state: RunState): void;
}

export interface ReplyWithBytes<M extends DaemonMethod> {
  readonly result: DaemonResults[M];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface DaemonLink {
  /** Whether the daemon answers this method: a read-only daemon offers no method that changes anything. False until connected. */
  supports(method: DaemonMethod): boolean;
  /** Rejects with a `PageRequestError` if the daemon rejects the request or does not answer before its deadline. */
  request<M extends DaemonMethod>(method: M, params: DaemonParams<M>): Promise<DaemonResults[M]>;
  /** For methods whose reply has bytes beside its result. */
  requestBytes<M extends DaemonMethod>(method: M, params: DaemonParams<M>): Promise<ReplyWithBytes<M>>;
  /** Connects at once instead of waiting for the next attempt. */
  retry(): void;
}
