// The owner's side of an engine: a child process with ONNX Runtime. Its sessions have the interface of local sessions.

import type { Program } from '../graph/program.ts';
import type { RuntimeKind } from '../graph/runtime.ts';
import type { Session } from '../graph/session.ts';
import type { Tensors } from '../graph/tensor.ts';
import { type ChildEnd, openChild } from '../rpc/child.ts';

export type EngineCalls = {
  readonly open: { readonly takes: Program; readonly gives: number };
  readonly run: {
    readonly takes: { readonly session: number; readonly feeds: Tensors };
    readonly gives: Tensors;
  };
  readonly read: {
    readonly takes: { readonly session: number; readonly names: readonly string[] | undefined };
    readonly gives: Tensors;
  };
  readonly write: {
    readonly takes: { readonly session: number; readonly state: Tensors };
    readonly gives: undefined;
  };
  readonly close: { readonly takes: { readonly session: number }; readonly gives: undefined };
};

export interface AboutEngine {
  readonly runtime: RuntimeKind;
  readonly version: string;
  /** Why the native runtime did not load and WebAssembly replaces it. */
  readonly insteadOfNative?: string;
}

export interface Engine extends AboutEngine {
  /** The process id. */
  readonly pid: number;
  /** Resolves when the process has ended, for whatever reason. Never rejects. */
  readonly ended: Promise<ChildEnd>;
  open(program: Program): Promise<Session>;
  /** Ends the process at once; it has nothing to save. */
  close(): Promise<void>;
}

export interface EngineOptions {
  /** The bundled engine-child.ts. */
  readonly entry: URL;
  /** 'any': the native runtime if it loads, otherwise WebAssembly. */
  readonly runtime?: RuntimeKind | 'any';
}

/**
 * An engine sends no heartbeat while it opens or runs a program. On a busy machine, opening the training program of the micro model takes
 * more than the ten seconds of other children.
 */
const ENGINE_HEARTBEAT_TIMEOUT_MS = 60_000;

export async function startEngine({ entry, runtime = 'any' }: EngineOptions): Promise<Engine> {
  const { client, about, pid, ended } = await openChild<EngineCalls, AboutEngine>({
    name: 'engine process',
    entry,
    args: [runtime],
    heartbeatTimeoutMs: ENGINE_HEARTBEAT_TIMEOUT_MS,
  });
  return {
    ...about,
    ...{ pid, ended },
    open: async program => {
      const session = await client.call('open', program);
      return {
        run: feeds => client.call('run', { session, feeds }),
        read: names => client.call('read', { session, names }),
        write: state => client.call('write', { session, state }),
        close: () => client.call('close', { session }),
      };
    },
    close: () => client.close(),
  };
}
