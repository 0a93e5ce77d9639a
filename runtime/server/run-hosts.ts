// The requests of clients about the hosts of a run: let machines join, and let a host leave.

import type { RunId } from '../core/ids.ts';
import { isLoopback } from '../core/loopback.ts';
import { withoutBrackets } from '../hosts/join-address.ts';
import type { HostAddress } from '../protocol/daemon/hosts.ts';
import type { RunLifecycle } from '../run/run-lifecycle.ts';

export interface RunHosts {
  /** The host takes no new order, finishes its episodes, and leaves. */
  drain(run: RunId, host: string): Promise<void>;
  /** The address with which a machine joins. It contains a secret. */
  address(run: RunId): HostAddress;
  /** Replaces the secret of the address. Hosts that have joined stay. */
  renewAddress(run: RunId): Promise<HostAddress>;
}

/** `training` throws for a run that does not train. */
export function hostsOf(training: (run: RunId) => Pick<RunLifecycle, 'drain' | 'hosts'>): RunHosts {
  const pointOf = (run: RunId) => {
    const { hosts } = training(run);
    if (hosts !== undefined) return hosts;
    throw new RangeError(
      `No machine can join the run '${run}': it trains on this machine alone. Set 'fabric' in dartboard.json, and start a new run.`,
    );
  };
  return {
    drain: (run, host) => training(run).drain(host),
    address: run => joinAddress(pointOf(run).address),
    renewAddress: async run => joinAddress(await pointOf(run).renew()),
  };
}

const joinAddress = (address: string): HostAddress => ({
  address,
  isLocalOnly: isLoopback(withoutBrackets(new URL(address).hostname)),
});
