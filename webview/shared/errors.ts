// The errors of requests to the daemon.

/** Why a request failed. `code` is the daemon's error code; it is absent if the daemon did not reply. */
export class PageRequestError extends Error {
  override readonly name = 'RequestError';
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/** The daemon did not reply before the deadline. */
export class RequestTimeoutError extends PageRequestError {}

/** There was no connection, or it was lost before the reply. The banner of the page shows that, so panels need not. */
export class ConnectionLostError extends PageRequestError {}

/** The daemon was out of reach, or did not answer. */
export const isNoReply = (error: unknown): boolean =>
  error instanceof ConnectionLostError || error instanceof RequestTimeoutError;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
