// When a screen has settled, as a pure decision over moments. It knows no clock and no screen. It is for windows without a tree of
// elements; where there is one, an application that has emptied its queue is the better sign.

export interface SettleLimits {
  /** How long to wait for the first change. Too short returns a screen on which nothing has happened yet. */
  readonly first: number;
  /** How long nothing may have changed. An application draws at most every 17 ms, so a shorter wait may end between two of its frames. */
  readonly quiet: number;
  /** How long in all, however much goes on changing. */
  readonly most: number;
}

/** Milliseconds. Enough for the calculator, the editor and menus while their machine keeps up. */
export const DEFAULT_SETTLE: SettleLimits = { first: 60, quiet: 20, most: 600 };

export interface SettleTimes {
  /** When the desktop had taken the input. */
  readonly acted: number;
  /** When the screen changed last since then. */
  readonly changed: number | undefined;
  /** How long the desktop took to answer at all. Who is slow to answer is slow to draw. */
  readonly lag: number;
}

/** An answer within this says nothing about the machine: sixteen busy desktops on two cores take as long. */
const USUAL_LAG = 10;
/** An application has more to do than to answer. With four times the lag, every tenth frame of a choked machine was still stale. */
const LAGS = 8;
const LONGEST = 3000;

/** The moment at which the screen is settled unless it changes before. On a machine with too much to do everything takes longer. */
export const settledAt = (
  { acted, changed, lag }: SettleTimes,
  { first, quiet, most }: SettleLimits,
): number => {
  const longer = Math.min(LONGEST, LAGS * Math.max(0, lag - USUAL_LAG));
  return longer + Math.min(acted + most, changed === undefined ? acted + first : changed + quiet);
};
