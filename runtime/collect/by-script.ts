// Collects by the scripted solutions of tasks, on desktops that are opened in this process: nothing has to be decided.

import { setImmediate as others } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { desktopId, runId, type TaskId } from '../core/ids.ts';
import { ProcessorTime } from '../core/processor-time.ts';
import { seeded } from '../core/rng.ts';
import type { Instance } from '../core/task.ts';
import { DesktopPool } from '../environments/pool.ts';
import { embeddedFabric } from '../fabric/embedded.ts';
import type { Teacher } from '../run/host-kind.ts';
import { openKind } from '../run/host-kinds.ts';
import { type CollectSource, hearTroubles, type Tried } from './source.ts';

interface ScriptOptions {
  readonly config: Config;
  readonly tasks: readonly TaskId[];
  readonly clock: Clock;
}

/** Whose the desktops are, for people who look at where they run. */
const OWNER = runId('collect');
/** Milliseconds without any desktop after which it is given up: an engine that was started anew is there again long before. */
const PATIENCE = 180_000;

/** Where no desktop starts it ends, and says why. */
export function byScript({ config, tasks, clock }: ScriptOptions): CollectSource {
  return {
    times: 1,
    async *play(instances, signal, trouble) {
      const fabric = embeddedFabric();
      const hearing = hearTroubles(fabric, trouble);
      const end = async () => {
        await fabric.close();
        await hearing;
      };
      const kind = await openKind({ run: OWNER, config, fabric, clock }).catch(async (error: unknown) => {
        await end();
        throw error;
      });
      const { desktops, mostEpisodes, mostAgeMinutes } = config.environments;
      const [time, size] = [new ProcessorTime(), Math.min(desktops, instances.length)];
      const without = new AbortController();
      let since: number | undefined;
      const cluster: DesktopPool = new DesktopPool({
        make: index => kind.make(desktopId(`c${index}`), time),
        ...{ size, maxEpisodes: mostEpisodes, maxAgeMs: 60_000 * mostAgeMinutes, clock },
        health: (thing, healthy, message) => {
          if (!healthy) trouble(`${thing}: ${message}`);
          const isWithout = !healthy && cluster.currentUses().every(use => use === 'broken');
          since = isWithout ? (since ?? clock.now()) : undefined;
          if (since !== undefined && clock.now() - since >= PATIENCE)
            without.abort(new Error(`No desktop starts: ${message}`));
        },
      });
      const random = seeded('collect');
      const around = { lender: cluster, size, tasks, fabric, rateOf: () => 1, time, clock, random };
      try {
        const teacher = kind.teacher({ ...around, config: nothingBeside(config) });
        yield* shown(teacher, instances, AbortSignal.any([signal, without.signal]));
        without.signal.throwIfAborted();
      } finally {
        await cluster.close();
        await kind.close();
        await end();
      }
    },
  };
}

/** In their order, as many at once as the teacher can show. */
async function* shown(
  { atOnce, demonstrate }: Teacher,
  instances: readonly Instance[],
  signal: AbortSignal,
): AsyncIterable<Tried> {
  const show = async (instance: Instance): Promise<Tried> => {
    const trajectory = await demonstrate(instance, signal);
    return { instance, ...(trajectory && { trajectory }) };
  };
  const left = [...instances];
  const playing: Promise<Tried>[] = [];
  while (!signal.aborted) {
    playing.push(...left.splice(0, atOnce - playing.length).map(show));
    const next = await playing.shift();
    // What was stopped was not tried.
    if (next === undefined || (signal.aborted && next.trajectory === undefined)) return;
    yield next;
    // Ctrl-C is heard in between.
    await others();
  }
}

/** Solutions are shown, and nothing else is made of them. */
const nothingBeside = (config: Config): Config => ({
  ...config,
  exploring: { ...config.exploring, hindsight: false, analogy: false },
  trainer: { ...config.trainer, shares: { ...config.trainer.shares, grounding: 0 } },
});
