// The state of a recording for its client, and the clients that wait for a change of it.

import { type Clock, sleepUnlessAborted } from '../core/clock.ts';
import { type PilotState, type RecordingState, recordingState } from '../protocol/daemon/record.ts';
import { RecordError } from './record-error.ts';
import type { RecordingAgent, RecordingOptions } from './recording-options.ts';
import type { PersonStep } from './steps.ts';

/** Undefined removes a field. */
type StateChange = { readonly [F in keyof RecordingState]?: RecordingState[F] | undefined };

/** Before the desktop has started. */
export function firstState(options: RecordingOptions): RecordingState {
  const { name, kind, task, instance, split, tier, maxSteps, instruction, desktop, pilot } = options;
  return {
    ...{ recording: name, change: 1, phase: 'opening', kind, task: task.id, seed: instance.seed, split },
    ...{ tier, maxSteps, instruction: instruction ?? task.instruction, isOwn: instruction !== undefined },
    ...{ isDeterministic: false, hasSolution: false, steps: [] },
    ...(desktop !== undefined && { desktop }),
    ...(pilot !== undefined && {
      pilot: { agent: pilot.agent, ...fromOf(pilot), mode: pilot.mode, isDeciding: false },
    }),
  };
}

/** The weights that the request named. */
export const fromOf = ({ from }: RecordingAgent): Pick<PilotState, 'from'> =>
  from === undefined ? {} : { from };

export class RecordingBoard {
  readonly #waiting = new Set<() => void>();
  #state: RecordingState;

  constructor(first: RecordingState) {
    this.#state = first;
  }

  get state(): RecordingState {
    return this.#state;
  }

  update(change: StateChange): void {
    const given = Object.entries({ ...this.#state, ...change }).filter(([, value]) => value !== undefined);
    this.#state = recordingState.parse({ ...Object.fromEntries(given), change: this.#state.change + 1 });
    for (const wake of this.#waiting) wake();
  }

  showSteps(steps: readonly PersonStep[], change: StateChange = {}): void {
    this.update({
      ...change,
      steps: steps.map(({ action, says, by }) => ({ action, says, ...(by !== undefined && { by }) })),
    });
  }

  /** Resolves at the next change, or after so many milliseconds. */
  async changeWithin(milliseconds: number, clock: Clock): Promise<void> {
    const over = new AbortController();
    const wake = () => over.abort();
    this.#waiting.add(wake);
    await sleepUnlessAborted(clock, milliseconds, over.signal);
    this.#waiting.delete(wake);
  }

  /** Throws in another phase. */
  require(phases: readonly RecordingState['phase'][], what: string): void {
    const { phase } = this.#state;
    if (!phases.includes(phase))
      throw new RecordError(`A recording that is '${phase}' cannot ${what}. ${NEXT[phase]}`);
  }
}

/** The remedy in each phase. */
const NEXT: Readonly<Record<RecordingState['phase'], string>> = {
  opening: 'Wait until its desktop has started.',
  acting: 'Finish the task first.',
  showing: 'Start over to do the task yourself.',
  judged: 'Save it, start over, or discard it.',
  checking: 'Wait until its steps have been replayed.',
  saved: 'Start another recording.',
  discarded: 'Start another recording.',
  failed: 'Start over, or discard it.',
};
