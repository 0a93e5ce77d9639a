// A real `sh` of this machine as a stream, so that tests of shells need no engine.

import { type ChildProcess, spawn } from 'node:child_process';
import type { ByteStream } from '../../../runtime/environments/docker/streams.ts';

/** The scripts use /dev/shm and /proc, which only Linux has. */
export const hasShell = process.platform === 'linux';

export interface LocalShell extends ByteStream {
  readonly process: ChildProcess;
}

export function localShell(): LocalShell {
  // As in a container: the leader of a session.
  const child = spawn('sh', { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
  const early: Uint8Array[] = [];
  let listen = (data: Uint8Array): void => void early.push(data);
  child.stdout.on('data', (data: Buffer) => listen(data));
  child.stdin.on('error', () => {});
  return {
    process: child,
    write: data => void child.stdin.write(data),
    onData: listener => {
      listen = listener;
      for (const data of early.splice(0)) listener(data);
    },
    closed: new Promise(resolve => child.once('close', code => resolve(code ?? undefined))),
    end: () => void child.stdin.end(),
    // Like an engine: the connection ends, the process can continue.
    close: () => {
      child.stdin.destroy();
      child.stdout.destroy();
    },
  };
}
