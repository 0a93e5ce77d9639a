// The code with which a server closes a socket after it rejects the hello. The client must not reconnect.

export const CLOSE_CODE_REJECTED = 4401;
