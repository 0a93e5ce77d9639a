// One end of a connection between two processes, threads, or parts of a test. What stands behind it is told by who opens it.

/**
 * Laws:
 * - Messages are plain data, typed arrays included, and arrive as copies, whole and in the order in which they were sent. Who has sent
 *   one does not change it any more: it may leave a little later.
 * - None arrives while `send` is still under way. What is sent after the end is dropped.
 * - Everything that arrives has arrived before `closed` tells of the end; nothing arrives after it.
 * - Who receives says so before the other side has a reason to send.
 */
export interface Port {
  /** `refused` is told, now or a little later, when the message is no plain data; where there is none, that is thrown. */
  send(message: unknown, refused?: (error: unknown) => void): void;
  /** Called once. */
  receive(handler: (message: unknown) => void): void;
  /** The end of the connection, whoever ended it and however; told even when it is over already. */
  closed(handler: () => void): void;
}
