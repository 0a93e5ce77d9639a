// Collects by the scripted solutions of tasks, on desktops in this process. No policy runs.

import { setImmediate as yieldToEvents } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { desktopId, runId, type TaskId } from '../core/ids.ts';
import { ProcessorTime } from '../core/processor-time.ts';
import { seeded } from '../core/rng.ts';
import { untilAborted } from '../core/run-together.ts';
import type { Instance } from '../core/task.ts';
import { poolLimits } from '../environments/pool.ts';
import { watchedPool } from '../environments/watched-pool.ts';
import { embeddedFabric } from '../fabric/embedded-fabric.ts';
import { problemText } from '../protocol/problem-text.ts';
import type { Teacher } from '../run/host/host-kind.ts';
import { openKind } from '../run/host/host-kinds.ts';
import { type Attempted, type CollectSource, reportProblems } from './source.ts';

interface ScriptOptions {
  readonly config: Config;
  readonly tasks: readonly TaskId[];
  readonly clock: Clock;
}

/** The owner of the desktops, as their labels name it. */
const OWNER = runId('collect');

/** Ends with the reason when no desktop starts. */
export function byScript({ config, tasks, clock }: ScriptOptions): CollectSource {
  return {
    times: 1,
    async *play(instances, signal, problem) {
      const health = (thing: string, healthy: boolean, message: string) => {
        if (!healthy) problem(problemText(thing, message));
      };
      const kind = await openKind({ run: OWNER, config, health, clock });
      const fabric = embeddedFabric();
      const reporting = reportProblems(fabric, problem);
      const [time, size] = [new ProcessorTime(), Math.min(config.environments.desktops, instances.length)];
      const { pool: cluster, failed } = watchedPool({
        make: index => kind.make(desktopId(`c${index}`), time),
        ...{ size, ...poolLimits(config.environments), health, clock },
      });
      const random = seeded('collect');
      const around = { lender: cluster, size, tasks, fabric, rateOf: () => 1, time, clock, random };
      try {
        const teacher = kind.teacher({ ...around, config: demonstrationsOnly(config) });
        yield* demonstrations(teacher, instances, AbortSignal.any([signal, failed]));
        failed.throwIfAborted();
      } finally {
        await cluster.close();
        await kind.close();
        await fabric.close();
        await reporting;
      }
    },
  };
}

/** In order, as many at a time as the teacher supports. After an abort, only those that have succeeded by then: it starts none and waits for none. */
export async function* demonstrations(
  { concurrency, demonstrate }: Teacher,
  instances: readonly Instance[],
  signal: AbortSignal,
): AsyncIterable<Attempted> {
  const show = async (instance: Instance): Promise<Attempted> => {
    const trajectory = await demonstrate(instance, signal);
    return { instance, ...(trajectory && { trajectory }) };
  };
  const left = [...instances];
  const playing: Promise<Attempted>[] = [];
  const stopped = untilAborted(signal).then(() => undefined);
  for (;;) {
    if (!signal.aborted) playing.push(...left.splice(0, concurrency - playing.length).map(show));
    const first = playing.shift();
    if (first === undefined) return;
    const next = await Promise.race([first, stopped]);
    // An attempt that was stopped does not count.
    if (next !== undefined && (!signal.aborted || next.trajectory !== undefined)) yield next;
    // Lets signals such as Ctrl-C be handled in between.
    await yieldToEvents();
  }
}

/** Without relabelling, transfer and grounding. */
const demonstrationsOnly = (config: Config): Config => ({
  ...config,
  exploring: { ...config.exploring, hindsight: false, analogy: false },
  trainer: { ...config.trainer, shares: { ...config.trainer.shares, grounding: 0 } },
});
