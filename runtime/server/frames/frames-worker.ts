// The entry of the frame renderer's thread: draws the screens of one episode after another while the daemon continues.

import { seed } from '../../core/ids.ts';
import type { Task } from '../../core/task.ts';
import { answer, startOf } from '../../environments/pocket/getters.ts';
import { POCKET, type PocketSuite, solutionOf } from '../../environments/pocket/tasks/suite.ts';
import type { DesktopQuery } from '../../person/describe-condition.ts';
import { serveThread } from '../../rpc/thread.ts';
import { openPocketSuite } from '../../run/suite.ts';
import { TaskFolders } from '../task-folders.ts';
import { type Drawing, type FrameCalls, picturesOf, type RedrawnPicture } from './redraw.ts';
import { type JudgedEpisode, reasonsOf } from './verdict-reasons.ts';

const suites = new TaskFolders(openPocketSuite);

const suiteIn = async (folder: string | undefined): Promise<PocketSuite> =>
  folder === undefined ? POCKET : suites.of(folder);

type Episode = Pick<Drawing, 'actions' | 'judged'>;

async function draw(
  task: Task,
  { actions, judged }: Episode,
  drawn: (picture: RedrawnPicture) => void,
): Promise<string | undefined> {
  const { machine, start } = startOf(task);
  for (const picture of picturesOf(machine, actions)) drawn(picture);
  return judged && (await reasons(task, judged, async getter => answer(getter, machine.world, start)));
}

/** A task whose evaluator fails still has pictures. */
const reasons = (task: Task, judged: JudgedEpisode, query: DesktopQuery) =>
  reasonsOf(task, judged, query).catch(() => undefined);

/** Code runs slowly the first time, so that no user sees the first episode. */
async function warmUp(): Promise<void> {
  const [task] = POCKET.tasks('train', 1);
  if (task === undefined) return;
  const about = POCKET.task(task, seed(0));
  const { actions } = solutionOf(POCKET, about, seed(0));
  await draw(about, { actions, judged: { ending: 'finished', score: 1 } }, () => undefined);
}

await warmUp();
serveThread<FrameCalls, undefined>(undefined, {
  draw: async ({ task, seed, folder, ...episode }, { progress }) => {
    const suite = await suiteIn(folder);
    return await draw(suite.task(task, seed), episode, progress);
  },
});
