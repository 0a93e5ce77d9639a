// The entry of the frame renderer's thread: draws the screens of one episode after another while the daemon continues.

import { seed } from '../../core/ids.ts';
import type { Task } from '../../core/task.ts';
import { answer, startOf } from '../../environments/pocket/getters.ts';
import { POCKET, solutionOf, taskFrom } from '../../environments/pocket/tasks/suite.ts';
import type { DesktopQuery } from '../../person/describe-condition.ts';
import { serveThread } from '../../rpc/thread.ts';
import { ownTemplatesIn } from '../own-templates.ts';
import { TaskFolders } from '../task-folders.ts';
import { type Drawing, type FrameCalls, picturesOf, type RedrawnPicture } from './redraw.ts';
import { type JudgedEpisode, reasonsOf } from './verdict-reasons.ts';

const folders = new TaskFolders(ownTemplatesIn);

/** An instance of a built-in task, or of a task of the folder. */
async function taskOf({ task, seed, folder }: Omit<Drawing, keyof Episode>): Promise<Task> {
  if (folder === undefined) return POCKET.task(task, seed);
  const { templates, faults } = await folders.of(folder);
  const template = templates.find(({ id }) => id === task);
  if (template !== undefined) return taskFrom(template, seed);
  throw new RangeError(faults[0] ?? `The folder '${folder}' has no task '${task}'.`);
}

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
  draw: async ({ actions, judged, ...instance }, { progress }) =>
    await draw(await taskOf(instance), { actions, judged }, progress),
});
