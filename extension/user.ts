// In whose name something is said.

import { userInfo } from 'node:os';

/** As the machine knows them; undefined where it knows nobody, as in some containers. */
export function user(): string | undefined {
  try {
    return userInfo().username || undefined;
  } catch {
    return undefined;
  }
}
