// Opens one desktop for a recording, of any kind, with the scripted solutions of its tasks.

import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { desktopId, runId, type TaskId } from '../core/ids.ts';
import { ProcessorTime } from '../core/processor-time.ts';
import type { Random } from '../core/rng.ts';
import type { Instance } from '../core/task.ts';
import { embeddedFabric } from '../fabric/embedded-fabric.ts';
import { openKind } from '../run/host/host-kinds.ts';
import type { RecordingDesktop } from './recording-options.ts';

interface OpenDesktopOptions {
  readonly config: Config;
  /** Of the recording: without a script for it, there is no solution. */
  readonly task?: TaskId;
  readonly clock: Clock;
  readonly random: Random;
}

/** The owner of the desktop, as the labels of a container name it. */
const OWNER = runId('record');

/** Rejects with the reason when the desktop does not start. */
export async function openRecordingDesktop(
  { config, task, clock, random }: OpenDesktopOptions,
  signal: AbortSignal,
): Promise<RecordingDesktop> {
  // A desktop that breaks rejects its call, which the person sees.
  const kind = await openKind({
    ...{ run: OWNER, config: withoutSpares(config), health: () => undefined, clock },
  });
  const time = new ProcessorTime();
  try {
    signal.throwIfAborted();
    const desktop = await kind.make(desktopId('r0'), time);
    const lender = { lease: async () => ({ desktop, release: () => undefined }) };
    const solution = async (instance: Instance, stop: AbortSignal) => {
      const fabric = embeddedFabric();
      try {
        const around = {
          lender,
          size: 1,
          tasks: [instance.task],
          fabric,
          rateOf: () => 1,
          time,
          clock,
          random,
        };
        const teacher = kind.teacher({ ...around, config: withoutLessons(config) });
        return (await teacher.demonstrate(instance, stop))?.steps.map(({ action }) => action);
      } finally {
        await fabric.close();
      }
    };
    const close = async () => {
      await desktop.close();
      await kind.close();
    };
    const hasScript = task === undefined || kind.isScripted(task);
    return { desktop, ...(hasScript && { solution }), close };
  } catch (error) {
    await kind.close();
    throw error;
  }
}

/** A spare container would start beside the one that the person waits for. */
const withoutSpares = ({ environments, ...config }: Config): Config => ({
  ...config,
  environments: { ...environments, docker: { ...environments.docker, spares: 0 } },
});

/** The solution alone: no relabelling, transfer and grounding, whose lessons nobody takes. */
const withoutLessons = (config: Config): Config => ({
  ...config,
  exploring: { ...config.exploring, hindsight: false, analogy: false },
  trainer: { ...config.trainer, shares: { ...config.trainer.shares, grounding: 0 } },
});
