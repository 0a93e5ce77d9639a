// Which run `resume` goes on with, and what it refuses before it shows anything.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resume } from '../../runtime/cli/resume.ts';
import type { RunId } from '../../runtime/core/ids.ts';
import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import { commandsWith } from '../ring-commands.ts';
import { OwnedRuns } from '../server/owned-runs.ts';
import { playedState, STARTED } from '../server/played-state.ts';

class Resumed extends OwnedRuns {
  override async resume(run: RunId, seconds?: number): Promise<void> {
    await super.resume(run, seconds);
    this.show(playedState(1200, { run, status: 'ended' }));
  }
}

const stopped = (run: string, startedAt: number, changes: Partial<RunState> = {}): RunState =>
  playedState(300, { run, startedAt: STARTED + startedAt, status: 'ended', ...changes });

async function resumed(states: readonly RunState[], name?: string, minutes?: number) {
  const runs = new Resumed(...states);
  const { around, folder, output } = commandsWith(runs);
  mkdirSync(join(folder, 'runs/older/checkpoints'), { recursive: true });
  const failure = await resume({ name, minutes, around }).then(
    () => undefined,
    error => error.message,
  );
  return { asked: runs.asked[0], failure, text: output.text };
}

const LIST = [
  stopped('older', 1),
  stopped('newer', 3),
  stopped('oldest', 0),
  stopped('complete', 4, { seconds: 1200 }),
  stopped('training', 5, { status: 'running' }),
];

test('without a name it is the latest that can be resumed and has time left', async () => {
  expect(await resumed(LIST)).toMatchObject({ asked: 'resume newer', failure: undefined });
});

test('with more time it is the latest that can be resumed', async () => {
  expect((await resumed(LIST, undefined, 60)).asked).toBe('resume complete 3600');
});

test('with a name it is that one', async () => {
  expect((await resumed(LIST, 'older')).asked).toBe('resume older');
  expect((await resumed(LIST, 'complete', 21)).asked).toBe('resume complete 1260');
});

test('it is shown until it is over', async () => {
  const { text } = await resumed(LIST, 'older');
  expect(text).toContain('Trained for 20:00.');
  expect(text).toMatch(/dartboard resume older --minutes 40 +learn on/);
});

test.each([
  ['oldr', undefined, "There is no run 'oldr': 'older' is likely meant."],
  ['nothing-like-it', undefined, "'dartboard runs' lists those that there are."],
  ['training', undefined, "The run 'training' cannot be resumed: it is running already."],
  [
    'complete',
    undefined,
    "The run 'complete' has trained for 20 minutes, which is all of its time: say with",
  ],
  [
    'older',
    5,
    "The run 'older' has trained for 5 minutes, and --minutes says how many in all: '5' is not more.",
  ],
])('%s for %s minutes is refused, with what to do', async (name, minutes, why) => {
  const { asked, failure, text } = await resumed(LIST, name, minutes);
  expect(failure).toContain(why);
  expect(asked).toBe('close');
  expect(text).toBe('');
});

test('where there is nothing to resume that is said', async () => {
  expect((await resumed([])).failure).toContain('There is no run here that can be resumed');
  expect((await resumed(LIST.slice(3))).failure).toContain('have trained for their time: say with --minutes');
});
