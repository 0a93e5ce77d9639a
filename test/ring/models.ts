// The parts of the ring as models that only take time: desktops, who decides on them, who trains. They sleep on the clock that they are
// given and draw from the chance that they are given, so a run with them is the same run every time.

import type { Action } from '../../runtime/core/action.ts';
import type { Clock } from '../../runtime/core/clock.ts';
import type { Decision } from '../../runtime/core/decision.ts';
import type { Desktop } from '../../runtime/core/desktop.ts';
import { BoundaryError } from '../../runtime/core/failure.ts';
import { desktopId, version } from '../../runtime/core/ids.ts';
import type { PolicyPool } from '../../runtime/core/policy.ts';
import { type Random, seeded } from '../../runtime/core/rng.ts';
import type { Screen } from '../../runtime/core/screen.ts';
import type { Step } from '../../runtime/core/step.ts';
import type { Instance, Task } from '../../runtime/core/task.ts';
import { verdict } from '../../runtime/core/verdict.ts';
import type { Fabric } from '../../runtime/fabric/fabric.ts';

interface World {
  readonly clock: Clock;
  readonly random: Random;
}

/** Milliseconds, and how often something breaks, from 0 to 1. */
export interface Service {
  readonly time: number;
  readonly breaks: number;
}

const SCREEN: Screen = {
  pixels: { width: 1, height: 1, layout: 'rgba', data: new Uint8Array(4) },
  elements: [],
};

/** How likely an episode succeeds depends on its task. */
export function modelDesktop(index: number, { clock, random }: World, { time, breaks }: Service): Desktop {
  const id = desktopId(`d${index}`);
  let skill = 0;
  const call = async <T>(answer: T): Promise<T> => {
    await clock.sleep(time * (0.5 + random.next()));
    if (random.next() < breaks)
      throw new BoundaryError({ boundary: 'environment', thing: id, message: 'its screen went away' });
    return answer;
  };
  return {
    id,
    renderer: 'model',
    reset: task => {
      skill = 0.3 + 0.4 * seeded(task.id).next();
      return call(SCREEN);
    },
    act: () => call(SCREEN),
    query: () => call(undefined),
    setup: () => call(undefined),
    judge: () => call(verdict(random.next() < skill ? 1 : 0, 'as chance would have it')),
    close: async () => {},
  };
}

/** Whether an episode ends is drawn from the request's own chance. */
export function modelPolicy({
  fabric,
  clock,
  decides,
}: {
  readonly fabric: Pick<Fabric, 'weights'>;
  readonly clock: Clock;
  /** Milliseconds of a decision. */
  readonly decides: number;
}): PolicyPool {
  return {
    decide: async request => {
      await clock.sleep(decides);
      const by = request.version ?? (await fabric.weights.get())?.version ?? version(0);
      const action = seeded(request.seed).next() < ENDS ? FINISHED : WAIT;
      return { action, meant: [], version: by, decisions: DECISIONS };
    },
  };
}

const ENDS = 0.3;
const WAIT: Action = { kind: 'wait' };
const FINISHED: Action = { kind: 'finished', answer: '' };

export const taskOf = ({ task }: Instance): Task => ({
  id: task,
  instruction: `Do ${task}.`,
  evaluator: { func: 'infeasible' },
});

const DECISIONS: readonly Decision[] = [
  { head: 'kind', choice: 0, choices: 2, logProbability: -0.7, entropy: 0.7, alternatives: [] },
];

export const stepOf = (by: number): Step => ({
  action: { kind: 'wait' },
  meant: [],
  observation: { encoding: 'model', bytes: new Uint8Array(0) },
  chosen: { version: version(by), trace: { kind: 'heads', decisions: DECISIONS } },
});

/** Takes batches, takes its time, publishes. A batch is acknowledged only then: a trainer that dies gives it back. */
export async function modelTrainer(
  { fabric, clock, time }: { readonly fabric: Fabric; readonly clock: Clock; readonly time: number },
  signal: AbortSignal,
): Promise<void> {
  const taker = fabric.batches.taker();
  try {
    for (;;) {
      const { acknowledge } = await taker.take(signal);
      await clock.sleep(time, signal);
      const newest = (await fabric.weights.get())?.version ?? version(0);
      await fabric.weights.set({ version: version(newest + 1), blob: new Uint8Array(0) });
      await acknowledge();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await taker.close();
  }
}
