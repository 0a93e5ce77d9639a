// How servers of a model spent their time, from samples of their state: the time between two samples counts as the state of the later one.

import type { ServerSnapshot } from '../../endpoints/server-record.ts';
import type { PolicyAccount } from './host-policy.ts';

type SampledServer = Pick<ServerSnapshot, 'name' | 'phase' | 'inFlight'>;

export class ServerTimes {
  readonly #spent = new Map<string, Record<'deciding' | 'loading' | 'idle' | 'down', number>>();
  #sampledAt: number;

  constructor(now: number) {
    this.#sampledAt = now;
  }

  /** Adds the time since the last call. */
  account(servers: readonly SampledServer[], now: number): readonly PolicyAccount[] {
    const passed = Math.max(0, now - this.#sampledAt);
    this.#sampledAt = now;
    return servers.map(server => {
      const spent = this.#spent.get(server.name) ?? { deciding: 0, loading: 0, idle: 0, down: 0 };
      spent[useOf(server)] += passed;
      this.#spent.set(server.name, spent);
      return { ...spent };
    });
  }
}

function useOf({ phase, inFlight }: SampledServer): 'deciding' | 'loading' | 'idle' | 'down' {
  if (phase === 'draining' || phase === 'updating') return 'loading';
  if (phase === 'serving') return inFlight > 0 ? 'deciding' : 'idle';
  return 'down';
}
