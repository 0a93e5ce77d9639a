// The entry of an engine's process: loads ONNX Runtime and has the sessions.

import { loadRuntime, type RuntimeKind } from '../graph/runtime.ts';
import { openSession, type Session } from '../graph/session.ts';
import { serveChild } from '../rpc/child-server.ts';
import type { AboutEngine, EngineCalls } from './engine.ts';

await serveChild<EngineCalls, AboutEngine>(async () => {
  const runtime = await loadRuntime(wanted(process.argv[2]));
  const sessions = new Map<number, Session>();
  let opened = 0;
  const found = (id: number): Session => {
    const session = sessions.get(id);
    if (session === undefined) throw new RangeError(`The session ${id} is closed.`);
    return session;
  };
  return {
    about: {
      runtime: runtime.kind,
      version: runtime.version,
      ...(runtime.insteadOfNative !== undefined && { insteadOfNative: runtime.insteadOfNative }),
    },
    handlers: {
      open: async program => {
        opened += 1;
        sessions.set(opened, await openSession(runtime, program));
        return opened;
      },
      run: ({ session, feeds }) => found(session).run(feeds),
      read: ({ session, names }) => found(session).read(names),
      write: async ({ session, state }) => {
        await found(session).write(state);
      },
      close: async ({ session }) => {
        await found(session).close();
        sessions.delete(session);
      },
    },
  };
});

function wanted(name: string | undefined): RuntimeKind | 'any' {
  if (name === 'native' || name === 'wasm' || name === 'any') return name;
  throw new RangeError(`An engine process is started with native, wasm or any, not with '${name}'.`);
}
