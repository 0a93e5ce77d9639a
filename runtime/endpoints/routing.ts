// The rules of the router: which server gets the next request. Pure.
//
// A session stays with its server, which has its prefix in the cache. It moves only when that server does not serve, or is full while another
// one is less than half full: a server that was just updated has no sessions. A new session goes to the server with the fewest requests in
// flight. A server that fails several times in a row gets one request at a time, each after a longer pause, until one succeeds: the next one
// of a session that has no server.

/**
 * serving: takes requests. draining: finishes its requests. updating: loads weights. failed: failed several times in a row, or asked for a
 * long pause; it gets single requests. out: it refuses every request, or its weights are unknown, because it failed to load new ones or lost
 * those that it had; it gets no requests.
 */
export type ServerPhase = 'serving' | 'draining' | 'updating' | 'failed' | 'out';

export interface ServerState {
  readonly phase: ServerPhase;
  /** Since when it does not work: it was failed or out then, and has not served since. Undefined if it works. */
  readonly downSince: number | undefined;
  readonly inFlight: number;
  readonly concurrency: number;
  /** Gets no request before this time. */
  readonly blockedUntil: number;
  /** The number of its last request. Requests are numbered over all servers. */
  readonly turn: number;
}

const isServing = ({ phase }: ServerState): boolean => phase === 'serving';
const mayServe = ({ phase }: ServerState): boolean => phase === 'serving' || phase === 'failed';

const hasRoom = ({ phase, inFlight, concurrency }: ServerState): boolean =>
  inFlight < (phase === 'failed' ? 1 : concurrency);

/** The server of the next request of a session; undefined if it must wait. `own` is the server of its last request. */
export function nextServer<S extends ServerState>(
  servers: readonly S[],
  own: S | undefined,
  now: number,
): S | undefined {
  const isReady = (server: S): boolean => mayServe(server) && server.blockedUntil <= now;
  const ready = servers.filter(server => isReady(server) && hasRoom(server));
  const [serving, failed] = [ready.filter(isServing), ready.filter(server => !isServing(server))];
  if (own !== undefined && isServing(own) && isReady(own))
    // A full server soon has room again; a move would lose the prefix.
    return hasRoom(own) ? own : leastBusy(serving.filter(isHalfEmpty));
  // Without a request now and then, nobody would notice that a failed server works again.
  const isTest = own === undefined && failed.length > 0;
  return leastBusy(isTest || serving.length === 0 ? failed : serving);
}

const isHalfEmpty = ({ inFlight, concurrency }: ServerState): boolean => 2 * inFlight < concurrency;

const leastBusy = <S extends ServerState>(servers: readonly S[]): S | undefined =>
  [...servers].sort((a, b) => a.inFlight - b.inFlight || a.turn - b.turn)[0];

/** When requests stop to wait, because no server works; undefined while one works, or worked before the update that it is in. */
export function givesUpAt(
  servers: readonly Pick<ServerState, 'downSince'>[],
  outageTimeoutMs: number,
): number | undefined {
  const since = servers.flatMap(({ downSince }) => downSince ?? []);
  return since.length === servers.length ? Math.max(...since) + outageTimeoutMs : undefined;
}

/** When a blocked server may get a request again; undefined if none is blocked. */
export function nextUnblocked(servers: readonly ServerState[], now: number): number | undefined {
  const times = servers
    .filter(mayServe)
    .flatMap(({ blockedUntil }) => (blockedUntil > now ? [blockedUntil] : []));
  return times.length === 0 ? undefined : Math.min(...times);
}
