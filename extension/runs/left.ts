// What a window knows of its runs when it goes, for the time when it comes back. A reload may take longer than a daemon waits for its last
// window, on a machine that is busy: what trained has then stopped with a checkpoint, and goes on. Pure.

export interface Left {
  /** Those that trained. */
  readonly runs: readonly string[];
  /** When their daemon was started, which tells daemons apart. */
  readonly daemon: number;
  /** Milliseconds since 1970, and by so much true. */
  readonly at: number;
}

/** Who comes back later has left on purpose. */
const SOON = 120_000;
/** So that not every state is written down. */
const NOTED_EVERY = 5000;

/** Those that stopped because this window was away for a moment: as long as their daemon is there, whoever stopped them meant it. */
export const leftOff = (left: Left | undefined, daemon: number, now: number): readonly string[] =>
  isFresh(left, now) && left.daemon !== daemon ? left.runs : [];

/** Those of them that their own daemon ends now, which it had begun when this window came back: it goes, and another has to go on with them. */
export const takenLeaveOf = (
  left: Left | undefined,
  daemon: number,
  stopping: readonly string[],
  now: number,
): readonly string[] =>
  isFresh(left, now) && left.daemon === daemon ? left.runs.filter(run => stopping.includes(run)) : [];

const isFresh = (left: Left | undefined, now: number): left is Left =>
  left !== undefined && now - left.at <= SOON;

export function isNews(left: Left, before: Left | undefined): boolean {
  if (before === undefined || before.daemon !== left.daemon) return true;
  if (before.runs.join() !== left.runs.join()) return true;
  return left.runs.length > 0 && left.at - before.at >= NOTED_EVERY;
}
