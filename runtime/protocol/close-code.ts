// The codes with which a server closes a socket.

/** It rejected the hello. The client must not reconnect. */
export const CLOSE_CODE_REJECTED = 4401;

/** The server stops. The next one may have another port and token. */
export const CLOSE_CODE_STOPPED = 1001;

/** A message exceeded the limit of the server. The library for WebSockets sends it. */
export const CLOSE_CODE_TOO_LARGE = 1009;
