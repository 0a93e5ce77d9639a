// Kills a child with all processes that it started. The child must lead a group of its own (`detached`).

import type { ChildProcess } from 'node:child_process';

export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    child.kill('SIGKILL');
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // No process of the group is left.
  }
}
