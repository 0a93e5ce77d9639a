// The hosts of a run over several machines: what each one does, and the requests to let machines join and leave.
//
//   host.drain        a joined host takes no new order, finishes its episodes, and leaves
//   host.address      the address with which a machine joins: `dartboard join ADDRESS`. It contains a secret.
//   host.newAddress   replaces that secret; hosts that have joined stay

// Imported as a namespace so that a page's bundle omits the parts of zod that it does not use.
import * as z from 'zod';
import { count, empty, name, requestSchema, run, timestamp } from './schemas.ts';

const ofRun = z.strictObject({ run });

export const HOST_REQUESTS = [
  requestSchema('host.drain', ofRun.extend({ host: name })),
  requestSchema('host.address', ofRun),
  requestSchema('host.newAddress', ofRun),
] as const;

const address = z.strictObject({
  address: z.string(),
  /** Only the daemon's machine reaches it. */
  isLocalOnly: z.boolean(),
});

export type HostAddress = z.infer<typeof address>;

export const HOST_RESULTS = {
  'host.drain': empty,
  'host.address': address,
  'host.newAddress': address,
} as const;

/** lost: it has sent nothing for some time, and its leases end. */
const HOST_STATUS = ['playing', 'draining', 'lost'] as const;

/** A machine that plays episodes for the run. */
export const hostState = z.strictObject({
  name: z.string(),
  status: z.enum(HOST_STATUS),
  /** The machine of the daemon, which cannot be drained. */
  isLocal: z.boolean(),
  desktops: count,
  /** Desktops with a live episode. */
  playing: count,
  /** Policy workers. */
  workers: count,
  /** Training steps since it joined. */
  steps: count,
  stepsPerS: z.number().min(0),
  /** Its clock minus the daemon's, and the time of a round trip to the broker; absent for the local one. */
  clockOffsetMs: z.number().optional(),
  latencyMs: z.number().min(0).optional(),
  /** Of Dartboard. */
  version: z.string(),
  /** When it joined, and when it was last heard. */
  sinceMs: timestamp,
  seenMs: timestamp,
});

export type HostState = z.infer<typeof hostState>;
