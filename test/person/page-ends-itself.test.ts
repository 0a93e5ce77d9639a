// Pages that end their task by themselves, as those of MiniWoB++ do, while a person's own instruction is carried out on them.

import { expect, test } from 'vitest';
import type { Action } from '../../runtime/core/action.ts';
import { CountedDesktop } from './counted-desktop.ts';
import { live } from './live.ts';

const CLICK: Action = { kind: 'click', at: { x: 1, y: 1 } };
const instruction = 'Do it my way.';

/** Each action ends the task. */
const open = async () => {
  const desktop = new CountedDesktop();
  const { act } = desktop;
  desktop.act = async action => ({ ...(await act(action)), isOver: true });
  return { desktop, close: async () => undefined };
};

test('a person judges what they did by hand', async () => {
  const { recording, until, act } = live([], { isAlone: true, instruction, open });
  await until(({ phase }) => phase === 'acting');
  await act(CLICK);
  expect(recording.state).toMatchObject({ phase: 'acting', steps: [{ action: CLICK }] });
  await recording.finish('finished', true);
  expect(recording.state).toMatchObject({
    ...{ phase: 'judged', judgement: { ending: 'finished', success: true } },
    steps: [{ action: CLICK }],
  });
});

test('a person judges what an agent did, and the steps stay those of the agent', async () => {
  const { recording, until } = live([CLICK], { fly: 'run', instruction, open });
  const state = await until(({ pilot, phase }) => pilot?.report !== undefined || phase === 'judged');
  expect(state).toMatchObject({
    ...{ phase: 'acting', steps: [{ by: 'agent' }] },
    pilot: { mode: 'pause', report: 'The page has ended the task.' },
  });
  await recording.finish('finished', true);
  expect(recording.state).toMatchObject({
    ...{ phase: 'judged', judgement: { ending: 'finished', success: true } },
    steps: [{ by: 'agent' }],
  });
});

test('the evaluator judges the instruction of a task at once', async () => {
  const { recording, until, act } = live([], { isAlone: true, open });
  await until(({ phase }) => phase === 'acting');
  await act(CLICK);
  expect(recording.state).toMatchObject({ phase: 'judged', judgement: { ending: 'finished' } });
});
