// The parts of the ring as models that only take time: desktops, who plays on them, who trains. They sleep on the clock that they are
// given and draw from the chance that they are given, so a run with them is the same run every time.

import type { Desktop, Lender } from '../../runtime/contracts/desktop.ts';
import { BoundaryError, failureOf } from '../../runtime/contracts/failure.ts';
import { desktopId, trajectoryId, version } from '../../runtime/contracts/ids.ts';
import { type Order, pinnedVersion } from '../../runtime/contracts/order.ts';
import type { Step } from '../../runtime/contracts/step.ts';
import type { Trajectory } from '../../runtime/contracts/trajectory.ts';
import { type Outcome, verdict } from '../../runtime/contracts/verdict.ts';
import type { Clock, Random } from '../../runtime/contracts/world.ts';
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

const SCREEN = { pixels: { width: 1, height: 1, layout: 'rgba', data: new Uint8Array(4) } } as const;

export function modelDesktop(index: number, { clock, random }: World, { time, breaks }: Service): Desktop {
  const id = desktopId(`d${index}`);
  const call = async <T>(answer: T): Promise<T> => {
    await clock.sleep(time * (0.5 + random.next()));
    if (random.next() < breaks)
      throw new BoundaryError({ boundary: 'environment', thing: id, message: 'its screen went away' });
    return answer;
  };
  return {
    id,
    renderer: 'model',
    reset: () => call(SCREEN),
    act: () => call(SCREEN),
    query: () => call(undefined),
    setup: () => call(undefined),
    judge: () => call({ score: 0, why: 'a model does not look' }),
    close: async () => {},
  };
}

export interface ModelRunnerOptions extends World {
  readonly fabric: Pick<Fabric, 'orders' | 'trajectories' | 'weights'>;
  readonly lender: Lender;
  /** Milliseconds of a decision. */
  readonly decides: number;
  /** How likely a rollout succeeds. */
  readonly skill: (order: Order) => number;
  /** An order that breaks so often is given up. */
  readonly mostAttempts: number;
}

/** So many runners as there are desktops, each: a desktop, an order, an episode. The real one can take its place. */
export async function modelRunner(options: ModelRunnerOptions, signal: AbortSignal): Promise<void> {
  const { fabric, lender, mostAttempts } = options;
  const taker = fabric.orders.taker();
  try {
    for (;;) {
      const { item: order, attempt, acknowledge, giveBack } = await taker.take(signal);
      const { desktop, release } = await lender.lease(signal);
      const trajectory = await played(order, attempt, desktop, options);
      release();
      if (signal.aborted) return await giveBack();
      if (trajectory.outcome.kind === 'broken' && attempt < mostAttempts) await giveBack();
      else {
        await fabric.trajectories.put(trajectory);
        await acknowledge();
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await taker.close();
  }
}

async function played(
  order: Order,
  attempt: number,
  desktop: Desktop,
  { fabric, clock, random, decides, skill }: ModelRunnerOptions,
): Promise<Trajectory> {
  const startedAt = clock.now();
  const steps: Step[] = [];
  const wanted = 1 + random.int(order.maxSteps);
  let outcome: Outcome;
  try {
    await desktop.setup({ type: 'model' });
    while (steps.length < wanted) {
      await clock.sleep(decides);
      const newest = (await fabric.weights.get())?.version ?? version(0);
      steps.push(stepOf(pinnedVersion(order) ?? newest));
      await desktop.act({ kind: 'wait' });
    }
    await desktop.judge('finished');
    const score = random.next() < skill(order) ? 1 : 0;
    outcome = { kind: 'judged', ending: 'finished', verdict: verdict(score, 'as chance would have it') };
  } catch (error) {
    outcome = { kind: 'broken', failure: failureOf(error, 'environment', desktop.id) };
  }
  const { id, run, group, instance, maxSteps, mode, purpose } = order;
  return {
    ...{ id: trajectoryId(`${id}.${attempt}`), order: id, run, group, instance, maxSteps, mode, purpose },
    instruction: `do ${instance.task}`,
    provenance: { kind: 'rollout' },
    steps,
    frames: { kind: 'redrawn', renderer: 'model' },
    outcome,
    startedAt,
    endedAt: clock.now(),
  };
}

export const stepOf = (by: number): Step => ({
  action: { kind: 'wait' },
  meant: [],
  observation: { encoding: 'model', bytes: new Uint8Array(0) },
  chosen: {
    version: version(by),
    decisions: [
      { head: 'kind', choice: 0, choices: 2, logProbability: -0.7, entropy: 0.7, alternatives: [] },
    ],
  },
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
