// Checks that a new child has its pipes.

import type { ChildProcess } from 'node:child_process';

/** Throws if there was no free file descriptor for them: then the child has no streams, which Node's types do not show. */
export function requirePipes(child: ChildProcess, program: string): void {
  // Without a listener, the error that follows would end this process.
  child.on('error', () => undefined);
  if (child.stdio === undefined)
    throw new Error(`Cannot open the pipes of ${program}. Check the limit of open files (ulimit -n).`);
}
