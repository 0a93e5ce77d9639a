// The rules of a rolling update. Pure.
//
// One server at a time loads weights, always the newest published version: a version that arrives meanwhile replaces the one that waits. The
// server whose last attempt is the oldest comes first, so each gets its turn however fast versions arrive, and one that always fails delays
// the others by its turn only. A version that failed on a server is not tried there again, unless every server is out; the next version is.

import type { LoadedAdapter } from '../served-weights.ts';
import type { ServerIdentity } from '../server-identity.ts';

/** How a server gets weights. */
export type WayKind = 'adapter' | 'pause' | 'restart';

/** The best way: without a drain, without a restart, or at all. Undefined if the server cannot load weights. */
export function wayOf(
  { kind, lora, pause }: Pick<ServerIdentity, 'kind' | 'lora' | 'pause'>,
  hasRestart: boolean,
): WayKind | undefined {
  if (lora === 'present') return 'adapter';
  if (pause === 'present' && (kind === 'vllm' || kind === 'sglang')) return 'pause';
  return hasRestart ? 'restart' : undefined;
}

export interface UpdateState {
  /** The version that it has; undefined if nobody knows it. */
  readonly version: number | undefined;
  /** The version that it loaded or failed to load last; undefined if it must be tried at once. */
  readonly tried: number | undefined;
  /** Its last update failed, or it lost weights since. */
  readonly hasProblem: boolean;
}

/** The server that loads the target next, of equal ones one without a problem; undefined if all of them have it or were tried with it. */
export function nextUpdate<S extends UpdateState>(
  servers: readonly S[],
  target: number | undefined,
): S | undefined {
  if (target === undefined) return undefined;
  const behind = servers.filter(({ version, tried }) => version !== target && tried !== target);
  return [...behind].sort(
    (a, b) => (a.tried ?? -1) - (b.tried ?? -1) || Number(a.hasProblem) - Number(b.hasProblem),
  )[0];
}

/** The newest adapters of a server stay loaded: a request that was just routed needs its own. */
export const KEPT_ADAPTERS = 2;

/** Adapters that the server may unload: old ones that no request uses. */
export function unloadable(adapters: readonly LoadedAdapter[]): readonly string[] {
  const newestFirst = [...adapters].sort((a, b) => b.version - a.version);
  return newestFirst
    .slice(KEPT_ADAPTERS)
    .filter(({ inFlight }) => inFlight === 0)
    .map(({ model }) => model);
}
