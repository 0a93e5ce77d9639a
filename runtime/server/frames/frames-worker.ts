// The entry of the thread that draws screens again: one episode after another, so that the daemon goes on meanwhile.

import { parentPort } from 'node:worker_threads';
import { seed } from '../../core/ids.ts';
import type { Task } from '../../core/task.ts';
import { answer } from '../../environments/pocket/getters.ts';
import { solutionOf } from '../../environments/pocket/solution.ts';
import { startOf } from '../../environments/pocket/start.ts';
import { POCKET, type PocketSuite } from '../../environments/pocket/tasks/suite.ts';
import { openPocketSuite } from '../../run/suite.ts';
import type { DesktopQuery } from '../play/describe-condition.ts';
import { TaskFolders } from '../task-folders.ts';
import type { Drawing, Drawn, Order } from './calls.ts';
import { type Picture, picturesOf } from './redraw.ts';
import { type Judged, reasonsOf } from './verdict-reasons.ts';

const port = parentPort;
if (port === null) throw new RangeError('Screens are drawn in a thread of its own, which the daemon starts.');

const suites = new TaskFolders(openPocketSuite);

const suiteIn = async (folder: string | undefined): Promise<PocketSuite> =>
  folder === undefined ? POCKET : suites.of(folder);

type Shot = (picture: Picture) => void;
type Episode = Pick<Drawing, 'actions' | 'judged'>;

async function draw(task: Task, { actions, judged }: Episode, shot: Shot): Promise<string | undefined> {
  const { machine, start } = startOf(task);
  for (const picture of picturesOf(machine, actions)) shot(picture);
  return judged && (await reasons(task, judged, async getter => answer(getter, machine.world, start)));
}

/** A task whose evaluator cannot be asked any more has pictures all the same. */
const reasons = (task: Task, judged: Judged, query: DesktopQuery) =>
  reasonsOf(task, judged, query).catch(() => undefined);

async function drawn({ task, seed, folder, ...episode }: Drawing): Promise<Drawn> {
  try {
    const suite = await suiteIn(folder);
    const shot = (picture: Picture) => say({ kind: 'picture', picture }, [picture.image.buffer]);
    return { kind: 'end', reasons: await draw(suite.task(task, seed), episode, shot) };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

const say = (answer: Drawn, moved: readonly ArrayBuffer[] = []): void => port.postMessage(answer, [...moved]);

/** What was never done before is slow: the first episode that somebody looks at is not the first. */
async function rehearse(): Promise<void> {
  const [task] = POCKET.tasks('train', 1);
  if (task === undefined) return;
  const about = POCKET.task(task, seed(0));
  const { actions } = solutionOf(POCKET, about, seed(0));
  await draw(about, { actions, judged: { ending: 'finished', score: 1 } }, () => undefined);
}

await rehearse();
let atWork: Promise<void> = Promise.resolve();
port.on('message', (order: Order) => {
  if (order.kind === 'draw') atWork = drawn(order.drawing).then(say);
  else void atWork.then(() => port.close());
});
