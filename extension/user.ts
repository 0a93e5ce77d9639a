// The name under which this window annotates trajectories.

import { userInfo } from 'node:os';

export function userName(): string | undefined {
  try {
    return userInfo().username || undefined;
  } catch {
    // The user id has no entry on this machine, as in some containers.
    return undefined;
  }
}
