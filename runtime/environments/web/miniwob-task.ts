// The tasks of MiniWoB++ on a web desktop: where their pages are, and when an episode goes on in the page of the last one.

import { safeParse } from '../../core/safe-parse.ts';
import type { Size } from '../../core/screen.ts';
import type { Task } from '../../core/task.ts';
import { taskError } from '../task-function.ts';
import {
  type MiniwobStart,
  miniwobStart,
  movesByClock,
  pathOf,
  readEpisode,
  startEpisode,
  startsInPlace,
} from './miniwob/episode.ts';
import { STARTED_SCRIPT } from './miniwob/scripts.ts';
import { DEFAULT_START, type StoppedClockOptions } from './page/stopped-clock.ts';
import { openPage, type TaskPage } from './task-page.ts';

/** The name of the host that serves the user's folder. */
export const MINIWOB_HOST = 'miniwob.test';

/** The area of a task; the pages show nothing else that an agent may see. */
const SIZE: Size = { width: 160, height: 210 };

const urlOf = (page: string): string => `http://${MINIWOB_HOST}${pathOf(page)}`;

/** The start of the page, if the task has no other set-up. */
export function miniwobStartOf({ config = [] }: Task): MiniwobStart | undefined {
  const [step, ...others] = config;
  if (step?.type !== 'miniwob' || others.length > 0) return undefined;
  const parsed = safeParse(miniwobStart, step.parameters);
  return parsed.success ? parsed.data : undefined;
}

export const miniwobSize = (task: Task): Size | undefined =>
  miniwobStartOf(task) === undefined ? undefined : SIZE;

/** Whether the context of the last task serves the next one: the pages of MiniWoB++ store nothing in it. A stopped clock cannot go again. */
export const sharesContext = (last: Task, next: Task): boolean => [last, next].every(hasSharedContext);

function hasSharedContext(task: Task): boolean {
  const start = miniwobStartOf(task);
  return start !== undefined && !movesByClock(start.page);
}

/** For a page that moves by the clock. A quick person takes about as long for a click. */
const STOPPED_CLOCK: StoppedClockOptions = { stepMs: 200, startMs: Date.parse(DEFAULT_START) };

/** The set-up step `miniwob`. */
export async function startMiniwob(task: TaskPage, start: MiniwobStart): Promise<void> {
  const { context, page, miniwob, rules } = task;
  if (miniwob === undefined)
    throw taskError(
      'set-up step miniwob',
      "there is no folder with the pages of MiniWoB++. Set environments.web.miniwob, or run 'dartboard web get miniwob'.",
    );
  if (movesByClock(start.page)) task.stopClock(STOPPED_CLOCK);
  const url = urlOf(start.page);
  const [started] = await Promise.all([
    page().evaluate(STARTED_SCRIPT),
    // What was under the pointer is not hovered any more.
    context.front.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: 0, y: 0 }),
  ]);
  if (started !== url || !startsInPlace(start.page)) await openPage(task, url);
  // An agent cannot go back to earlier tasks.
  await context.front.send('Page.resetNavigationHistory');
  const evaluate = (expression: string) => page().evaluate(expression);
  const inTime = (expression: string) => page().evaluateInTime(expression);
  rules.instruction = await startEpisode(inTime, start);
  rules.endsItself = true;
  rules.score = async () => (await readEpisode(evaluate, start.page)).score;
}
