// Ports over the message channel between a process and its child, for both sides. Several named ports share one channel; other messages
// on the channel are left alone.

import type { Port } from './port.ts';

/** A ChildProcess in the parent, or `process` in the child. */
export interface ChannelEnd {
  readonly connected: boolean;
  send?(message: unknown, sent: (error: Error | null) => void): boolean;
  on(event: 'message', handler: (message: unknown) => void): unknown;
  once(event: 'disconnect', handler: () => void): unknown;
}

/** Needs `serialization: 'advanced'`: JSON does not carry typed arrays. */
export function childPort(channel: ChannelEnd, name: string): Port {
  return {
    send: (message, refused) => {
      try {
        // `closed` reports a channel that breaks meanwhile.
        if (channel.connected) channel.send?.({ port: name, message }, () => undefined);
      } catch (error) {
        if (refused === undefined) throw error;
        refused(error);
      }
    },
    receive: handler => {
      channel.on('message', message => {
        if (isFor(name, message)) handler(message.message);
      });
    },
    closed: handler => {
      if (channel.connected) channel.once('disconnect', () => handler());
      else handler();
    },
  };
}

const isFor = (name: string, value: unknown): value is { readonly message: unknown } =>
  typeof value === 'object' && value !== null && 'port' in value && value.port === name && 'message' in value;
