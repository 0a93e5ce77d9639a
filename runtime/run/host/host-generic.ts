// Any kind of desktops but the pocket desktop, for a host: a solver demonstrates on the training desktops, and failures are relabelled by what
// an agent sees. Nothing is explored.

import type { Action } from '../../core/action.ts';
import { failureOf, isWorthRetrying } from '../../core/failure.ts';
import type { TaskId } from '../../core/ids.ts';
import type { Lesson } from '../../core/lesson.ts';
import { type Instance, stepLimit } from '../../core/task.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { demonstrationOf } from '../../discovery/demonstration.ts';
import { groundingLessons } from '../../discovery/lesson-steps.ts';
import { PhraseRelabelling } from '../../discovery/relabel/phrase-relabelling.ts';
import { replayBy } from '../../discovery/replay/replay-as-samples.ts';
import type { DesktopProvider, Solver } from '../../environments/provider.ts';
import { type HostKind, reportDemonstration, type Teacher, type TeacherContext } from './host-kind.ts';

/** A desktop may break. A solution that breaks three of them is at fault itself. */
const MAX_ATTEMPTS = 3;

export const genericKind = (desktops: DesktopProvider): HostKind => ({
  suite: desktops.suite,
  make: id => desktops.make(id),
  ...(desktops.inARow !== undefined && { inARow: desktops.inARow }),
  isScripted: task => desktops.isScripted(task),
  teacher: context => genericTeacher(desktops, context),
  close: () => desktops.close(),
});

function genericTeacher({ suite, isScripted, solver }: DesktopProvider, context: TeacherContext): Teacher {
  const { config, lender, size, fabric, clock, random } = context;
  const { mode } = config;
  const report = (message: string) => reportDemonstration(context, message);
  /** Of all demonstrations. */
  const grounding: Lesson[] = [];
  const putAll = async (lessons: readonly Lesson[]): Promise<void> => {
    for (const lesson of lessons) await fabric.lessons.put(lesson);
  };
  /** Returns a text if there is no demonstration: the reason. */
  const demonstrateOnce = async (instance: Instance, stop: AbortSignal): Promise<Trajectory | string> => {
    const lease = await lender.lease(stop);
    try {
      const task = suite.task(instance.task, instance.seed);
      let next: Solver | undefined;
      let last: Action | undefined;
      const startedAt = clock.now();
      const options = { task, seed: instance.seed, mode, maxSteps: stepLimit(task) };
      const replayed = await replayBy(lease.desktop, options, ({ screen, instruction }) => {
        stop.throwIfAborted();
        next ??= solver(instance, instruction);
        last = next(screen);
        return last;
      });
      if (replayed === undefined)
        return `has the action ${JSON.stringify(last)}, which the built-in policy cannot express`;
      const endedAt = clock.now();
      const demonstration = await demonstrationOf(replayed, { instance, mode, startedAt, endedAt });
      if (demonstration !== undefined && config.trainer.shares.grounding > 0) {
        const lessons = groundingLessons(replayed.steps, random);
        grounding.push(...lessons);
        await putAll(lessons);
      }
      return demonstration ?? 'does not solve the task when it is played as steps of the built-in policy';
    } finally {
      lease.release();
    }
  };
  const withoutScript = new Set<TaskId>();
  const relabelling = new PhraseRelabelling();
  return {
    ...(config.exploring.hindsight && {
      relabel: async trajectory => {
        const lesson = relabelling.relabel(trajectory);
        if (lesson !== undefined) await fabric.lessons.put(lesson);
      },
    }),
    concurrency: size,
    repeat: () => putAll([...grounding]),
    demonstrate: async (instance, stop) => {
      if (!isScripted(instance.task)) {
        if (!withoutScript.has(instance.task))
          report(`${instance.task} has no scripted solution. It is trained without demonstrations.`);
        withoutScript.add(instance.task);
        return undefined;
      }
      const name = `The solution of ${instance.task} (seed ${instance.seed})`;
      for (let attempt = 1; !stop.aborted; attempt++) {
        try {
          const demonstration = await demonstrateOnce(instance, stop);
          if (typeof demonstration !== 'string') return demonstration;
          report(`${name} ${demonstration}. This instance is trained without a demonstration.`);
          return undefined;
        } catch (error) {
          if (stop.aborted) break;
          const failure = failureOf(error, 'environment', instance.task);
          if (attempt < MAX_ATTEMPTS && isWorthRetrying(failure)) continue;
          report(`${name} failed: ${failure.message}`);
          return undefined;
        }
      }
      return undefined;
    },
  };
}
