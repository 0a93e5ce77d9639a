// Any other kind of desktops as a host works with it: solutions are shown on the desktops that train, by somebody who looks at the screen,
// and nothing is found out but by playing.

import { ground } from '../agent/grounding.ts';
import { failureOf, isWorthRetrying } from '../core/failure.ts';
import type { Lesson } from '../core/lesson.ts';
import { type Instance, stepLimit } from '../core/task.ts';
import type { Trajectory } from '../core/trajectory.ts';
import { demonstrationOf } from '../discovery/demonstration.ts';
import { lessonStepOf } from '../discovery/lesson-steps.ts';
import { type ReplayedEpisode, replayBy } from '../discovery/replay/replay-as-samples.ts';
import type { DesktopProvider } from '../environments/provider.ts';
import type { HostKind, Teacher, TeacherContext } from './host-kind.ts';

/** A desktop may break; a solution that breaks three of them is at fault itself. */
const MOST_ATTEMPTS = 3;
/** What health events call it. */
const THING = 'demonstrations';

export const genericKind = (desktops: DesktopProvider): HostKind => ({
  suite: desktops.suite,
  make: id => desktops.make(id),
  teacher: around => playedTeacher(desktops, around),
  close: () => desktops.close(),
});

function playedTeacher(desktops: DesktopProvider, around: TeacherContext): Teacher {
  const { lender, size, fabric, clock } = around;
  const tell = (message: string) =>
    fabric.events.publish({
      ...{ module: 'rollout', at: clock.now(), kind: 'health' },
      ...{ thing: THING, healthy: false, message },
    });
  const once = async (instance: Instance, stop: AbortSignal): Promise<Trajectory | undefined> => {
    const lease = await lender.lease(stop);
    try {
      return await shownOn(lease.desktop, instance, desktops, around, stop);
    } finally {
      lease.release();
    }
  };
  return {
    concurrency: size,
    demonstrate: async (instance, stop) => {
      const name = `${instance.task} with the seed ${instance.seed}`;
      for (let attempt = 1; !stop.aborted; attempt++) {
        try {
          const shown = await once(instance, stop);
          if (shown === undefined) tell(`The solution of ${name} does not succeed as a policy would do it.`);
          return shown;
        } catch (error) {
          if (stop.aborted) break;
          const failure = failureOf(error, 'environment', instance.task);
          if (attempt < MOST_ATTEMPTS && isWorthRetrying(failure)) continue;
          tell(`The solution of ${name} cannot be shown: ${failure.message}`);
          return undefined;
        }
      }
      return undefined;
    },
  };
}

async function shownOn(
  desktop: Parameters<typeof replayBy>[0],
  instance: Instance,
  { suite, solver }: DesktopProvider,
  around: TeacherContext,
  stop: AbortSignal,
): Promise<Trajectory | undefined> {
  const { config, clock } = around;
  const { mode } = config;
  const task = suite.task(instance.task, instance.seed);
  const next = solver(instance);
  const startedAt = clock.now();
  const options = { task, seed: instance.seed, mode, maxSteps: stepLimit(task) };
  const retold = await replayBy(desktop, options, screen => {
    stop.throwIfAborted();
    return next(screen);
  });
  const shown =
    retold && (await demonstrationOf(retold, { instance, mode, startedAt, endedAt: clock.now() }));
  if (retold !== undefined && shown !== undefined)
    for (const lesson of groundings(retold, around)) await around.fabric.lessons.put(lesson);
  return shown;
}

/** Single steps that name what they act on: of each screen that was shown, one. */
function groundings({ views }: ReplayedEpisode, { config, random }: TeacherContext): readonly Lesson[] {
  if (config.trainer.shares.grounding === 0) return [];
  return views.flatMap(({ seen, elements }) => {
    const grounded = ground(seen, elements, random);
    if (grounded === undefined) return [];
    return [
      {
        sort: 'grounding',
        kind: grounded.kind,
        steps: [lessonStepOf(grounded.observation, grounded.sample)],
      } as const,
    ];
  });
}
