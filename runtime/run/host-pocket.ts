// The pocket desktop as a host works with it: its work is done in this process before a call returns, and an instance can be played
// again at no cost, so that much can be found out by trying.

import { desktopId } from '../core/ids.ts';
import { Discovery } from '../discovery/discovery.ts';
import { PocketDesktop } from '../environments/pocket/desktop.ts';
import type { PocketSuite } from '../environments/pocket/tasks/suite.ts';
import type { HostKind, Teacher, TeacherContext } from './host-kind.ts';
import { timedDesktop } from './timed-desktop.ts';

/** Below this success rate somebody should find out how a task is done. */
const SOLVED = 0.3;

export const pocketKind = (suite: PocketSuite): HostKind => ({
  suite,
  make: async (id, time) => timedDesktop(new PocketDesktop(id), time),
  replayDesktop: () => new PocketDesktop(desktopId('recalling')),
  teacher: around => pocketTeacher(suite, around),
  close: async () => undefined,
});

function pocketTeacher(suite: PocketSuite, around: TeacherContext): Teacher {
  const { config, tasks, fabric, rateOf, time, clock, random } = around;
  const discovery = new Discovery({
    suite,
    tasks,
    mode: config.mode,
    grounding: config.trainer.shares.grounding > 0,
    hindsight: config.exploring.hindsight,
    analogy: config.exploring.analogy,
    found: lesson => void fabric.lessons.put(lesson).catch(() => undefined),
    isSolved: task => (rateOf(task) ?? 0) > SOLVED,
    clock,
    random,
  });
  // What was shown is carried over first: nothing else that is found is as sure to be what tasks ask for.
  const find = async () => {
    if (!(await discovery.transfer(rateOf))) await discovery.explore();
  };
  return {
    concurrency: 1,
    demonstrate: ({ task, seed }) => time.during(() => discovery.demonstrate(task, seed)),
    discovery: {
      get isSearching() {
        return discovery.isSearching;
      },
      get steps() {
        return discovery.steps;
      },
      exploreOnce: () => time.during(find),
      relabel: trajectory => time.during(() => discovery.relabel(trajectory)),
    },
  };
}
