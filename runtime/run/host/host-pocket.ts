// The pocket desktop for a host. Its calls are synchronous inside and an instance restarts at no cost, so discovery can try many actions.

import type { Desktop } from '../../core/desktop.ts';
import { messageOf } from '../../core/errors.ts';
import { desktopId } from '../../core/ids.ts';
import type { ProcessorTime } from '../../core/processor-time.ts';
import { Discovery } from '../../discovery/discovery.ts';
import { PocketDesktop } from '../../environments/pocket/desktop.ts';
import type { PocketSuite } from '../../environments/pocket/tasks/suite.ts';
import { type HostKind, reportDemonstration } from './host-kind.ts';

export const pocketKind = (suite: PocketSuite): HostKind => ({
  suite,
  make: async (id, time) => timedDesktop(new PocketDesktop(id), time),
  isScripted: () => true,
  replayDesktop: () => new PocketDesktop(desktopId('recalling')),
  teacher: ({ config, tasks, fabric, rateOf, time, clock, random }) => {
    const discovery = new Discovery({
      ...{ suite, tasks, rateOf, clock, random, mode: config.mode },
      grounding: config.trainer.shares.grounding > 0,
      hindsight: config.exploring.hindsight,
      analogy: config.exploring.analogy,
      // Rejects only when the run ends; then no trainer needs the lesson.
      found: lesson => void fabric.lessons.put(lesson).catch(() => undefined),
    });
    return {
      concurrency: 1,
      demonstrate: ({ task, seed }) =>
        time
          .during(() => discovery.demonstrate(task, seed))
          .catch(error => {
            const message = `The solution of ${task} (seed ${seed}) failed: ${messageOf(error)}`;
            reportDemonstration({ fabric, clock }, message);
            return undefined;
          }),
      relabel: trajectory => discovery.relabel(trajectory),
      discovery,
    };
  },
  close: async () => undefined,
});

/** Measures the processor time of a pocket desktop's calls. All but a judgement are synchronous inside. */
export const timedDesktop = (desktop: Desktop, time: ProcessorTime): Desktop => ({
  id: desktop.id,
  ...(desktop.renderer !== undefined && { renderer: desktop.renderer }),
  reset: (task, seed) => time.within(() => desktop.reset(task, seed)),
  act: action => time.within(() => desktop.act(action)),
  query: getter => time.within(() => desktop.query(getter)),
  setup: step => time.within(() => desktop.setup(step)),
  judge: ending => time.during(() => desktop.judge(ending)),
  close: () => desktop.close(),
});
