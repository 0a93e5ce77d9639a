// A desktop of the run that trains, in the hands of a person until it is given back.

import type { Desktop, FirstScreen } from '../core/desktop.ts';
import type { InterruptedEpisode, LentScreen, LoanCall } from '../core/loan.ts';
import type { Pixels, Screen } from '../core/screen.ts';
import { LoanCalls, type LoanOptions } from './loan-calls.ts';

export interface BorrowedDesktop {
  readonly desktop: Desktop;
  /** The episode that was played on it. */
  readonly episode: InterruptedEpisode;
  /** Tells the host that somebody still uses the desktop, at most twice a minute. */
  keep(): void;
  /** Resolves with the reason once the desktop has returned by itself, or its run has ended. */
  readonly lost: Promise<Error>;
  /** Returns it to the training. Never rejects. */
  close(): Promise<void>;
}

/** A page waits for half a minute. */
const BORROW_TIMEOUT_MS = 25_000;
/** The set-up of an application and the evaluation of its files may take minutes. */
const CALL_TIMEOUT_MS = 300_000;
/** A host that does not answer returns the desktop later. */
const RETURN_TIMEOUT_MS = 5000;
const KEEP_INTERVAL_MS = 30_000;

/** Rejects if the desktop cannot be taken over now, with the reason. */
export async function borrowDesktop(options: LoanOptions): Promise<BorrowedDesktop> {
  const { desktop: id, who, clock } = options;
  const calls = new LoanCalls(options);
  let isReturned = false;
  const close = async () => {
    isReturned = true;
    // The desktop returns by itself when nobody asks for it any more.
    await calls.call({ kind: 'return' }, RETURN_TIMEOUT_MS).catch(() => undefined);
    calls.close();
  };
  const ask = <C extends LoanCall>(call: C) => calls.call(call, CALL_TIMEOUT_MS);
  try {
    const lent = await calls.call({ kind: 'borrow', desktop: id, who }, BORROW_TIMEOUT_MS);
    const { renderer, canLook, canClickAgain, episode } = lent;
    let shown: Pixels = episode.screen.pixels;
    const screen = <S extends LentScreen>(sent: S): S & Screen => {
      shown = sent.pixels ?? shown;
      return { ...sent, pixels: shown };
    };
    const desktop: Desktop = {
      id,
      ...(renderer !== undefined && { renderer }),
      reset: async ({ id: task }, seed): Promise<FirstScreen> =>
        screen(await ask({ kind: 'reset', instance: { task, seed } })),
      act: async action => screen(await ask({ kind: 'act', action })),
      ...(canLook && { look: async () => screen(await ask({ kind: 'look' })) }),
      ...(canClickAgain && {
        clickAgain: async (at, press) => screen(await ask({ kind: 'clickAgain', at, press })),
      }),
      query: getter => ask({ kind: 'query', getter }),
      setup: step => ask({ kind: 'setup', step }),
      judge: ending => ask({ kind: 'judge', ending }),
      close,
    };
    let keptAt = clock.now();
    const keep = () => {
      if (clock.now() - keptAt < KEEP_INTERVAL_MS) return;
      keptAt = clock.now();
      // The next call of the desktop reports a failure.
      calls.call({ kind: 'keep' }, KEEP_INTERVAL_MS).catch(() => undefined);
    };
    const lost = new Promise<Error>(resolve => {
      calls.call({ kind: 'hold' }).catch((error: Error) => isReturned || resolve(error));
    });
    return { desktop, episode, keep, lost, close };
  } catch (error) {
    await close();
    throw error;
  }
}
