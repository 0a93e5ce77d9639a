// The port to one target of a browser (a tab, or the browser itself): commands and events of the Chrome DevTools Protocol (CDP).

import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.d.ts';

export type CdpCommands = ProtocolMapping.Commands;
export type CdpEvents = ProtocolMapping.Events;

export interface CdpSession {
  /** False after its tab closed or crashed, or after the end of the browser. Every command is then rejected at once. */
  readonly isOpen: boolean;

  /**
   * Commands of a session take effect in the order in which they are sent, so that several can be in flight. Rejects with a
   * BoundaryError (`environment`) if the browser returns an error, has not replied after 10 s, or if the session ends first.
   */
  send<Method extends keyof CdpCommands>(
    method: Method,
    ...params: CdpCommands[Method]['paramsType']
  ): Promise<CdpCommands[Method]['returnType']>;

  /** Calls the listener for each event, in order of arrival. Returns a function that removes it. */
  on<Event extends keyof CdpEvents>(
    event: Event,
    listener: (...params: CdpEvents[Event]) => void,
  ): () => void;
}
