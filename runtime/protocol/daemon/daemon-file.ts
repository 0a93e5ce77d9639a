// The file by which clients find the daemon of a workspace. Only its owner may read it.

import * as z from 'zod';
import { processIdentity } from '../process-identity.ts';

export const DAEMON_FILE = '.dartboard/daemon.json';

/** Ignores unknown fields: a client must also find a daemon of a later version. */
export const daemonAddress = z.object({
  ...processIdentity.shape,
  port: z.int().min(1).max(0xffff),
  token: z.string().min(1),
  /** For a browser, with the token. Absent in files of earlier versions. */
  url: z.string().exactOptional(),
  /** The version of the protocol. */
  version: z.int(),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
});

export type DaemonAddress = z.infer<typeof daemonAddress>;
