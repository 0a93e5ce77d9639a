// Ports over the message channel between a process and its child, for both sides. Several share one channel, each under a name of
// its own; what else is said on the channel is left alone.

import type { Port } from '../fabric/remote/port.ts';

/** A ChildProcess, as its parent has it, or the child's own `process`. */
export interface ChannelEnd {
  readonly connected: boolean;
  send?(message: unknown, told: (error: Error | null) => void): boolean;
  on(event: 'message', handler: (message: unknown) => void): unknown;
  once(event: 'disconnect', handler: () => void): unknown;
}

/** Needs `serialization: 'advanced'`: JSON would not carry typed arrays. */
export function childPort(channel: ChannelEnd, name: string): Port {
  return {
    send: (message, refused) => {
      try {
        // That the channel broke under way is told by `closed`.
        if (channel.connected) channel.send?.({ port: name, message }, () => undefined);
      } catch (error) {
        if (refused === undefined) throw error;
        refused(error);
      }
    },
    receive: handler => {
      channel.on('message', said => {
        if (isFor(name, said)) handler(said.message);
      });
    },
    closed: handler => {
      if (channel.connected) channel.once('disconnect', handler);
      else handler();
    },
  };
}

const isFor = (name: string, said: unknown): said is { readonly message: unknown } =>
  typeof said === 'object' && said !== null && 'port' in said && said.port === name && 'message' in said;
