// The events between the two scripts of a page. They run in different worlds, which share no objects but see the same events. An answer is
// one bit: the listener cancels the event or not.

/** Cancelled while work that an input caused is unfinished. */
export const ASK_BUSY = 'dartboard-busy';
/** The work that is unfinished now is no longer waited for. */
export const FORGET_WORK = 'dartboard-forget';
