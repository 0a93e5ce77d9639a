// How a socket is closed when its hello is not accepted: there is no point in trying again.

export const CLOSE_CODE_REJECTED = 4401;
