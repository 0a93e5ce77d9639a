// Gives all inputs of a border to a child process. A child that crashes or hangs is started again, and its inputs are halved until the one
// at fault is found. A batch whose halves pass is at fault itself.

import { DeadlineExceeded } from '../../../core/deadline.ts';
import { isPeerLost } from '../../../rpc/client.ts';
import type { OwnedClient } from '../../../rpc/owned-client.ts';
import type { HostileCalls } from './calls.ts';
import type { InputFault, TrialResult } from './trial.ts';

export type HostileClient = Pick<OwnedClient<HostileCalls>, 'call' | 'close'>;

export interface AttackFault extends Omit<InputFault, 'kind'> {
  readonly kind: InputFault['kind'] | 'crash' | 'hang';
}

export interface AttackOutcome extends Omit<TrialResult, 'faults'> {
  readonly inputs: number;
  readonly faults: readonly AttackFault[];
  /** Megabytes that the child still uses after all inputs, beyond those after the first ones. */
  readonly retainedMb: number;
}

export interface AttackOptions {
  readonly border: string;
  /** The number of the first input. */
  readonly from?: number;
  readonly inputs: number;
  readonly start: () => Promise<HostileClient>;
}

const BATCH = 1000;
/** Of a batch, whose inputs take milliseconds each. */
const BATCH_TIMEOUT_MS = 120_000;
const INPUT_TIMEOUT_MS = 20_000;
const EMPTY: TrialResult = { accepted: 0, rejected: 0, faults: [], blockedMsWorst: 0, growthMbWorst: 0 };

export async function attack(options: AttackOptions): Promise<AttackOutcome> {
  const { from: first = 0, inputs } = options;
  const child = new RestartedChild(options);
  let total: BatchResult = EMPTY;
  let retainedMb = 0;
  try {
    for (let done = 0; done < inputs; done += BATCH) {
      total = both(total, await child.trial(first + done, Math.min(BATCH, inputs - done)));
      retainedMb = Math.max(retainedMb, await child.retainedMb());
    }
  } finally {
    await child.close();
  }
  return { ...total, inputs, retainedMb };
}

type BatchResult = Omit<TrialResult, 'faults'> & { readonly faults: readonly AttackFault[] };

const both = (one: BatchResult, other: BatchResult): BatchResult => ({
  accepted: one.accepted + other.accepted,
  rejected: one.rejected + other.rejected,
  faults: [...one.faults, ...other.faults],
  blockedMsWorst: Math.max(one.blockedMsWorst, other.blockedMsWorst),
  growthMbWorst: Math.max(one.growthMbWorst, other.growthMbWorst),
});

const isEnd = (kind: AttackFault['kind']): boolean => kind === 'crash' || kind === 'hang';

class RestartedChild {
  readonly #options: AttackOptions;
  #client: HostileClient | undefined;
  /** After the first batch of this child. */
  #baseMb: number | undefined;

  constructor(options: AttackOptions) {
    this.#options = options;
  }

  async trial(from: number, count: number): Promise<BatchResult> {
    const { border, start } = this.#options;
    this.#client ??= await start();
    try {
      return await this.#client.call(
        'trial',
        { border, from, count },
        { deadlineMs: count === 1 ? INPUT_TIMEOUT_MS : BATCH_TIMEOUT_MS },
      );
    } catch (error) {
      if (!isPeerLost(error)) throw error;
      await this.close();
      const kind = error instanceof DeadlineExceeded ? 'hang' : 'crash';
      if (count === 1) return { ...EMPTY, faults: [{ number: from, kind, detail: error.message }] };
      const half = Math.ceil(count / 2);
      const halves = both(await this.trial(from, half), await this.trial(from + half, count - half));
      if (halves.faults.some(({ kind }) => isEnd(kind))) return halves;
      // Of no single input: for example a leak, which needs many inputs in one child.
      const detail = `in a batch of ${count}, not repeated`;
      return both({ ...EMPTY, faults: [{ number: from, kind, detail }] }, halves);
    }
  }

  async retainedMb(): Promise<number> {
    if (this.#client === undefined) return 0;
    const usedMb = await this.#client.call('memory', undefined);
    this.#baseMb ??= usedMb;
    return usedMb - this.#baseMb;
  }

  async close(): Promise<void> {
    await this.#client?.close();
    this.#client = undefined;
    this.#baseMb = undefined;
  }
}
