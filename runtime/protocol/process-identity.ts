// The JSON form of a process identity, as part of the daemon file and of lock files.

import * as z from 'zod';
import type { ProcessIdentity } from '../core/process-identity.ts';

export const processIdentity = z.strictObject({
  pid: z.int().min(1),
  place: z.string(),
  boot: z.string(),
  began: z.string(),
}) satisfies z.ZodType<ProcessIdentity>;
