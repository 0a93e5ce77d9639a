// The pocket desktop for a host. Its calls are synchronous inside and an instance restarts at no cost, so discovery can try many actions.

import type { Desktop } from '../../core/desktop.ts';
import { messageOf } from '../../core/errors.ts';
import { desktopId } from '../../core/ids.ts';
import type { Lesson } from '../../core/lesson.ts';
import type { ProcessorTime } from '../../core/processor-time.ts';
import { Discovery } from '../../discovery/discovery.ts';
import { PocketDesktop } from '../../environments/pocket/desktop.ts';
import type { PocketSuite } from '../../environments/pocket/tasks/suite.ts';
import { type HostKind, reportDemonstration, reportTeaching } from './host-kind.ts';

/** Different failures of discovery that are reported. */
const MAX_REPORTED = 20;
/** Exploring pauses while more lessons wait to be sent, so that a long absence of the broker does not fill the memory. */
const MAX_UNSENT = 256;
const PAUSE_MS = 50;

export const pocketKind = (suite: PocketSuite): HostKind => ({
  suite,
  make: async (id, time) => timedDesktop(new PocketDesktop(id), time),
  isScripted: () => true,
  replayDesktop: () => new PocketDesktop(desktopId('recalling')),
  teacher: ({ config, tasks, fabric, rateOf, time, clock, random }) => {
    let unsent = 0;
    const send = async (lesson: Lesson): Promise<void> => {
      unsent += 1;
      // Rejects only when the run ends; then no trainer needs the lesson.
      await fabric.lessons.put(lesson).catch(() => undefined);
      unsent -= 1;
    };
    const discovery = new Discovery({
      ...{ suite, tasks, rateOf, clock, random, mode: config.mode },
      grounding: config.trainer.shares.grounding > 0,
      hindsight: config.exploring.hindsight,
      analogy: config.exploring.analogy,
      novelty: config.exploring.novelty,
      found: lesson => void send(lesson),
    });
    const reported = new Set<string>();
    /** One instance of a task of the user may fail where others do not. The others are learned. */
    const despiteFailures = async (work: Promise<void>): Promise<void> => {
      try {
        await work;
      } catch (error) {
        const message = `One instance cannot be played: ${messageOf(error)} The others are played.`;
        if (!reported.has(message) && reported.size < MAX_REPORTED)
          reportTeaching({ fabric, clock }, 'discovery', message);
        reported.add(message);
      }
    };
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
      relabel: trajectory => despiteFailures(discovery.relabel(trajectory)),
      repeat: async () => discovery.repeatTransfers(),
      discovery: {
        get isSearching() {
          return discovery.isSearching;
        },
        get steps() {
          return discovery.steps;
        },
        exploreOnce: () =>
          unsent > MAX_UNSENT ? clock.sleep(PAUSE_MS) : despiteFailures(discovery.exploreOnce()),
        observe: demonstration => discovery.observe(demonstration),
      },
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
