// Decides how long the daemon lives: while a client is connected; with keep-training also while a run trains; then 30 s more. Ends nothing
// itself.

import type { Clock } from '../core/clock.ts';
import type { DaemonLife } from '../protocol/daemon/messages.ts';

/** Enough to reload a page or to restart an editor. */
const IDLE_TIMEOUT_MS = 30_000;

type LifetimeInputs = Pick<DaemonLife, 'clients' | 'trainings' | 'keepTraining'>;

/** The activity of the daemon, with a description. */
export function decide(inputs: LifetimeInputs): DaemonLife {
  const { clients, trainings, keepTraining } = inputs;
  if (clients > 0) return { ...inputs, doing: 'serving', says: serving(inputs) };
  if (keepTraining && trainings.length > 0) {
    const says = `No client is connected. The daemon trains ${listed(trainings)} and exits ${AFTER} after the end.`;
    return { ...inputs, doing: 'training', says };
  }
  const stopped = trainings.length === 0 ? '' : ` It stops ${listed(trainings)} with a checkpoint.`;
  const says = `No client is connected. The daemon exits when none has been for ${AFTER}.${stopped}`;
  return { ...inputs, doing: 'leaving', says };
}

const AFTER = `${IDLE_TIMEOUT_MS / 1000} s`;

function serving({ clients, trainings, keepTraining }: LifetimeInputs): string {
  const who = clients === 1 ? 'One client is connected.' : `${clients} clients are connected.`;
  const then =
    keepTraining && trainings.length > 0
      ? `continues to train ${listed(trainings)} without clients`
      : `exits ${AFTER} after the last one leaves`;
  return `${who} The daemon ${then}.`;
}

const listed = (names: readonly string[]): string => names.map(name => `'${name}'`).join(', ');

/** 'always': a program in a terminal trains, and the daemon ends with it. */
export type KeepTraining = boolean | 'always';

export class Lifetime {
  /** Resolves when the daemon is no longer needed; never after `close`. */
  readonly over: Promise<void>;
  readonly #clock: Clock;
  readonly #trainings = new Set<string>();
  #leave: () => void = () => undefined;
  #clients = 0;
  /** Whether clients cannot change it. */
  readonly isFixed: boolean;
  #keepTraining: boolean;
  #leaving: AbortController | undefined;
  #isClosed = false;

  constructor({ clock, keepTraining }: { readonly clock: Clock; readonly keepTraining: KeepTraining }) {
    this.#clock = clock;
    this.isFixed = keepTraining === 'always';
    this.#keepTraining = keepTraining !== false;
    this.over = new Promise(resolve => {
      this.#leave = resolve;
    });
    this.#changed();
  }

  get now(): DaemonLife {
    const inputs = {
      clients: this.#clients,
      trainings: [...this.#trainings],
      keepTraining: this.#keepTraining,
    };
    if (!this.isFixed) return decide(inputs);
    const says = 'A program in a terminal trains. The daemon ends with it.';
    return { ...inputs, doing: this.#clients > 0 ? 'serving' : 'training', says };
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
    if (this.#isClosed || this.isFixed) return;
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
    this.#clock.sleep(IDLE_TIMEOUT_MS, leaving.signal).then(
      // A client that connects at this moment keeps the daemon.
      () => !leaving.signal.aborted && this.#leave(),
      // Aborted: there is a reason to stay.
      () => undefined,
    );
  }
}
