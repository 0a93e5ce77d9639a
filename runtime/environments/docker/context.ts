// Docker's contexts: engines that its programs know by name, one of which is in use. They are files beside its configuration. Only
// read here.

import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import * as z from 'zod';
import type { HostSettings } from './host-settings.ts';

export interface Context {
  /** As DOCKER_HOST has it. */
  readonly host: string;
  /** Where its certificates are, if it has any. */
  readonly certificates: string;
}

/** What Docker calls the engine of this machine. */
const DEFAULT = 'default';

const configuration = z.object({ currentContext: z.string().default('') });
const meta = z.object({ Endpoints: z.object({ docker: z.object({ Host: z.string().default('') }) }) });

/** The one in use, unless that is the engine of this machine. Throws a RangeError where there is none of that name. */
export function contextIn({ environment, home, read }: HostSettings): Context | undefined {
  const folder = environment['DOCKER_CONFIG'] || posix.join(home, '.docker');
  const parsed = <T>(path: string, schema: z.ZodType<T>): T | undefined => {
    try {
      return schema.safeParse(JSON.parse(read(path) ?? '')).data;
    } catch {
      return undefined;
    }
  };
  const name =
    environment['DOCKER_CONTEXT'] ||
    parsed(posix.join(folder, 'config.json'), configuration)?.currentContext ||
    DEFAULT;
  if (name === DEFAULT) return undefined;
  const id = createHash('sha256').update(name).digest('hex');
  const path = posix.join(folder, 'contexts/meta', id, 'meta.json');
  const host = parsed(path, meta)?.Endpoints.docker.Host;
  if (!host)
    throw new RangeError(
      `Docker's context '${name}' is in use, and names no engine (${path}): choose another with 'docker context use', or set DOCKER_HOST.`,
    );
  return { host, certificates: posix.join(folder, 'contexts/tls', id, 'docker') };
}
