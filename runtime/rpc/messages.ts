// The messages of a connection. Both sides come from one build, so they are not parsed here.

/** Every call of a server, by name. */
export type CallTable = Readonly<Record<string, { readonly takes: unknown; readonly gives: unknown }>>;

/** An error keeps its name and message on the way; its class is lost. */
export interface ErrorReply {
  readonly name: string;
  readonly message: string;
}

/** A request has an id and gets exactly one reply; a notification has none. */
export type ToServer =
  | { readonly id: number; readonly method: string; readonly params: unknown }
  | { readonly method: string; readonly params: unknown };

export type ToClient =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: ErrorReply }
  | { readonly method: string; readonly params: unknown };

/** From the server: an intermediate value of a request, as `Progress`. */
export const PROGRESS = '$progress';
/** From the server, every HEARTBEAT_INTERVAL_MS while its event loop runs. */
export const HEARTBEAT = '$heartbeat';

export interface Progress {
  readonly id: number;
  readonly value: unknown;
}

export const HEARTBEAT_INTERVAL_MS = 2000;
/** Five heartbeats. It covers the longest blocking call (an update on a machine that is three times slower takes about 4 s). */
export const HEARTBEAT_TIMEOUT_MS = 10_000;
/** While a peer starts it may load a native library from a cold disk, which blocks its event loop. */
export const STARTUP_HEARTBEAT_TIMEOUT_MS = 30_000;
