// A real `sh` of this machine as a stream: what a shell does in a container it does here, and needs no engine.

import { type ChildProcess, spawn } from 'node:child_process';
import type { ByteStream } from '../../../runtime/environments/docker/streams.ts';

/** Shells keep what is printed in memory, and look for processes, in Linux's folders. */
export const hasShell = process.platform === 'linux';

export interface LocalShell extends ByteStream {
  readonly process: ChildProcess;
}

export function localShell(): LocalShell {
  // As in a container: at the head of a session of its own.
  const child = spawn('sh', { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
  const early: Uint8Array[] = [];
  let tell = (data: Uint8Array): void => void early.push(data);
  child.stdout.on('data', (data: Buffer) => tell(data));
  child.stdin.on('error', () => {});
  return {
    process: child,
    write: data => void child.stdin.write(data),
    onData: listener => {
      tell = listener;
      for (const data of early.splice(0)) listener(data);
    },
    closed: new Promise(resolve => child.once('close', code => resolve(code ?? undefined))),
    end: () => void child.stdin.end(),
    // As an engine does it: the connection goes, the process may stay.
    close: () => {
      child.stdin.destroy();
      child.stdout.destroy();
    },
  };
}
