// What the file says by which clients find a daemon: only its owner may read it.

import * as z from 'zod';
import { presence } from '../presence.ts';

/** Where it is in a workspace. */
export const DAEMON_FILE = '.dartboard/daemon.json';

export const daemonAddress = presence.extend({
  port: z.int().min(1).max(0xffff),
  token: z.string().min(1),
  /** Of the protocol. */
  version: z.int(),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
});

export type DaemonAddress = z.infer<typeof daemonAddress>;
