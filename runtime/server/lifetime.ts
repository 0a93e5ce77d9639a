// How long the daemon lives: as long as somebody is connected; without anybody, as long as it trains where that was asked for; then
// half a minute more. It says which of these it does. It ends nothing itself.

import type { Clock } from '../core/clock.ts';
import type { DaemonLife } from '../protocol/daemon/messages.ts';

/** Time enough to reload a page, or to restart an editor. */
const PATIENCE = 30_000;

interface Situation {
  readonly clients: number;
  /** Runs that train just now. */
  readonly trainings: readonly string[];
  /** Whether training goes on without anybody connected. */
  readonly keepTraining: boolean;
  /** Since when there is no reason to stay; only looked at where there is none. */
  readonly quietSince: number;
}

/** What is to be done in a situation, with the reason in words. */
export function decide(situation: Situation): DaemonLife {
  const { clients, trainings, keepTraining, quietSince } = situation;
  const known = { clients, trainings: [...trainings], keepTraining };
  if (clients > 0) return { ...known, doing: 'serving', says: serving(situation) };
  if (keepTraining && trainings.length > 0) {
    const says = `Nobody is connected. It goes on training ${listed(trainings)}, and goes ${AFTER} after that has ended.`;
    return { ...known, doing: 'training', says };
  }
  const ended = trainings.length === 0 ? '' : `, and ends ${listed(trainings)} with a checkpoint`;
  const says = `Nobody is connected and nothing keeps it: it goes ${AFTER} after its last client has left${ended}, unless somebody connects.`;
  return { ...known, doing: 'leaving', leavesAt: quietSince + PATIENCE, says };
}

const AFTER = `${PATIENCE / 1000} s`;

function serving({ clients, trainings, keepTraining }: Situation): string {
  const who = clients === 1 ? 'One client is connected' : `${clients} clients are connected`;
  const then =
    keepTraining && trainings.length > 0
      ? `goes on training ${listed(trainings)} when nobody is`
      : `goes ${AFTER} after the last has left`;
  return `${who}; it ${then}.`;
}

const listed = (names: readonly string[]): string => names.map(name => `'${name}'`).join(', ');

export class Lifetime {
  /** Resolves when nobody needs the daemon any more; never after `close`. */
  readonly over: Promise<void>;
  readonly #clock: Clock;
  readonly #trainings = new Set<string>();
  #leave: () => void = () => undefined;
  #clients = 0;
  #keepTraining: boolean;
  #quietSince: number;
  #leaving: AbortController | undefined;
  #isClosed = false;

  constructor({ clock, keepTraining }: { readonly clock: Clock; readonly keepTraining: boolean }) {
    this.#clock = clock;
    this.#keepTraining = keepTraining;
    this.#quietSince = clock.now();
    this.over = new Promise(resolve => {
      this.#leave = resolve;
    });
    this.#changed();
  }

  get now(): DaemonLife {
    return decide({
      clients: this.#clients,
      trainings: [...this.#trainings],
      keepTraining: this.#keepTraining,
      quietSince: this.#quietSince,
    });
  }

  entered(): void {
    this.#clients += 1;
    this.#changed();
  }

  left(): void {
    this.#clients -= 1;
    this.#changed();
  }

  training(run: string, isTraining: boolean): void {
    if (isTraining === this.#trainings.has(run)) return;
    if (isTraining) this.#trainings.add(run);
    else this.#trainings.delete(run);
    this.#changed();
  }

  keepTraining(keep: boolean): void {
    this.#keepTraining = keep;
    this.#changed();
  }

  close(): void {
    this.#isClosed = true;
    this.#stay();
  }

  #changed(): void {
    if (this.#isClosed) return;
    if (this.now.doing !== 'leaving') this.#stay();
    else if (this.#leaving === undefined) this.#wait();
  }

  #stay(): void {
    this.#leaving?.abort();
    this.#leaving = undefined;
  }

  #wait(): void {
    const leaving = new AbortController();
    this.#leaving = leaving;
    this.#quietSince = this.#clock.now();
    this.#clock.sleep(PATIENCE, leaving.signal).then(
      // Who came at the very moment keeps it.
      () => !leaving.signal.aborted && this.#leave(),
      () => undefined,
    );
  }
}
