/**
 * One end of a connection between two processes, threads, or parts of a test. Laws:
 * - Messages are plain data, typed arrays included. They arrive as copies, whole and in order. The sender no longer changes a message.
 * - No message arrives while `send` is still running. Messages sent after the end are dropped.
 * - Every message that arrives does so before `closed` reports the end.
 * - The receiver registers its handler before the other side has a reason to send.
 */
export interface Port {
  /** Calls `refused`, now or later, when the message is not plain data. Without `refused`, that error is thrown. */
  send(message: unknown, refused?: (error: unknown) => void): void;
  /** Called once. */
  receive(handler: (message: unknown) => void): void;
  /** Reports the end of the connection, also when it ended earlier. `reason` explains it where the port knows. */
  closed(handler: (reason?: string) => void): void;
}
