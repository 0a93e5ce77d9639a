// The faults of the benchmark's server: which request gets one, and what a client must report about it. Pure.

import type { EndpointCause } from '../../endpoints/failure.ts';

export const FAULTS = [
  'server-error',
  'timeout',
  'truncated-json',
  'wrong-lengths',
  'reset',
  'cut-off',
  'rate-limited',
] as const;
export type Fault = (typeof FAULTS)[number];

/** Shares of requests, from 0 to 1. */
export type FaultShares = Partial<Readonly<Record<Fault, number>>>;

/** The cause that the client must record before it sends a request again; undefined for a complete reply. */
export const CAUSE_OF: Readonly<Record<Fault, EndpointCause | undefined>> = {
  'server-error': 'server-error',
  timeout: 'timeout',
  'truncated-json': 'bad-reply',
  'wrong-lengths': undefined,
  reset: 'unreachable',
  'cut-off': 'unreachable',
  'rate-limited': 'rate-limited',
};

/** `chance` is uniform in [0, 1). */
export function drawFault(shares: FaultShares, chance: number): Fault | undefined {
  let before = 0;
  return FAULTS.find(fault => {
    before += shares[fault] ?? 0;
    return chance < before;
  });
}
