// The engine's process: loads ONNX Runtime, holds sessions, answers calls one after another. Ends with its parent.

import { loadRuntime, type Runtime, type RuntimeKind } from '../runtime.ts';
import { openSession, type Session } from '../session.ts';
import type { Calls, Reply, Request } from './messages.ts';

const say = (reply: Reply): void => {
  process.send?.(reply);
};

process.on('disconnect', () => process.exit());

try {
  const runtime = await loadRuntime(wantedRuntime(process.argv[2]));
  serve(runtime);
  say({ kind: 'ready', runtime: runtime.kind, version: runtime.version });
} catch (error) {
  say({ kind: 'unfit', message: error instanceof Error ? error.message : String(error) });
  process.disconnect();
}

function wantedRuntime(name: string | undefined): RuntimeKind | 'any' {
  if (name === 'native' || name === 'wasm' || name === 'any') return name;
  throw new RangeError(`An engine process is started with native, wasm or any, not with '${name}'.`);
}

function serve(runtime: Runtime): void {
  const sessions = new Map<number, Session>();
  let opened = 0;
  let before: Promise<void> = Promise.resolve();
  process.on('message', (request: Request) => {
    // One after another: runs of one session must not overlap, and they share one core anyway.
    before = before.then(() => answer(request));
  });

  async function answer(request: Request): Promise<void> {
    const { id } = request;
    try {
      say({ kind: 'result', id, gives: await perform(request) });
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      say({ kind: 'error', id, name, message });
    }
  }

  async function perform(request: Request): Promise<Calls[keyof Calls]['gives']> {
    switch (request.call) {
      case 'open': {
        opened += 1;
        sessions.set(opened, await openSession(runtime, request.takes.program));
        return opened;
      }
      case 'run':
        return session(request.takes.session).run(request.takes.feeds);
      case 'read':
        return session(request.takes.session).read();
      case 'write':
        await session(request.takes.session).write(request.takes.state);
        return undefined;
      case 'close':
        await session(request.takes.session).close();
        sessions.delete(request.takes.session);
        return undefined;
    }
  }

  function session(id: number): Session {
    const found = sessions.get(id);
    if (found === undefined) throw new RangeError(`The session ${id} is closed.`);
    return found;
  }
}
