// Getters on a page that does not answer. desktop.test.ts has those that read real pages.

import { expect, test } from 'vitest';
import { browserError } from '../../../runtime/environments/web/browser/connection.ts';
import { runGetter } from '../../../runtime/environments/web/getters.ts';
import type { TaskPage } from '../../../runtime/environments/web/task-page.ts';
import { Unreadable } from '../../../runtime/tasks/evaluate.ts';

const ORIGIN = 'http://notes.test';
const ELSEWHERE = 'http://elsewhere.test';
const ENDLESS = 'for (;;) {}';
const NO_REPLY = browserError('Runtime.evaluate has no result: the browser did not reply in time.');

/** From the script on, the page does not answer, and perhaps the browser does not either. */
function taskPage(doesBrowserReply: boolean, origin = ORIGIN): TaskPage {
  let isHung = false;
  const evaluate = async (expression: string) => {
    isHung ||= expression.includes(ENDLESS);
    if (isHung) throw NO_REPLY;
    return origin;
  };
  const send = async () => {
    if (!doesBrowserReply) throw NO_REPLY;
    return { currentIndex: 0, entries: [] };
  };
  const unlessInterrupted = <Result>(work: Promise<Result>) => work;
  const context = { front: { send }, unlessInterrupted };
  return { context, page: () => ({ evaluate }), origins: new Set([ORIGIN]) } as unknown as TaskPage;
}

const getter = { type: 'script', script: ENDLESS };

test('a script that never ends is an error of the task', async () => {
  await expect(runGetter(taskPage(true), getter)).rejects.toMatchObject({
    failure: {
      boundary: 'task',
      thing: 'getter script',
      message: expect.stringContaining(`Correct "(${ENDLESS})"`),
    },
  });
});

test('if the browser does not answer either, the error is one of the environment', async () => {
  await expect(runGetter(taskPage(false), getter)).rejects.toBe(NO_REPLY);
  await expect(runGetter(taskPage(false, ELSEWHERE), getter)).rejects.toBe(NO_REPLY);
});

test('on a page that the task did not open, a script that fails is unreadable', async () => {
  await expect(runGetter(taskPage(true, ELSEWHERE), getter)).rejects.toBeInstanceOf(Unreadable);
});
