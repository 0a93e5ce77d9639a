import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resume } from '../../runtime/cli/resume.ts';
import type { RunId } from '../../runtime/core/ids.ts';
import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import { OwnedRuns } from '../server/owned-runs.ts';
import { playedState, STARTED } from '../server/played-state.ts';
import { commandsWith } from './command-context.ts';

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
  const { context, folder, output } = commandsWith(runs);
  mkdirSync(join(folder, 'runs/older/checkpoints'), { recursive: true });
  const failure = await resume(context, name, { port: 0, ...(minutes !== undefined && { minutes }) }).then(
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

test('the default is the latest run that can be resumed and is not complete', async () => {
  expect(await resumed(LIST)).toMatchObject({ asked: 'resume newer', failure: undefined });
});

test('a run that was killed at the end of its time can be resumed', async () => {
  const killed = stopped('killed', 6, { seconds: 1200, status: 'failed' });
  expect((await resumed([...LIST, killed])).asked).toBe('resume killed');
  expect((await resumed([...LIST, killed], 'killed', 20)).asked).toBe('resume killed 1200');
  expect((await resumed([...LIST, killed], 'killed', 19)).failure).toMatch(/20\.0 minutes.*--minutes 19/);
});

test('with a longer time the default is the latest run that can be resumed', async () => {
  expect((await resumed(LIST, undefined, 60)).asked).toBe('resume complete 3600');
});

test('a name chooses the run', async () => {
  expect((await resumed(LIST, 'older')).asked).toBe('resume older');
  expect((await resumed(LIST, 'complete', 21)).asked).toBe('resume complete 1260');
});

test('the run is shown until it ends', async () => {
  const { text } = await resumed(LIST, 'older');
  expect(text).toContain('Trained for 20:00.');
  expect(text).toMatch(/dartboard resume older --minutes 40 +train on/);
});

test.each([
  ['oldr', undefined, /'oldr'.*'older'/],
  ['nothing-like-it', undefined, /dartboard runs/],
  ['training', undefined, /'training'.*running/],
  ['complete', undefined, /'complete'.*20.0 minutes/],
  ['older', 5, /'older'.*5.0 minutes.*--minutes 5/],
])('resuming %s for %s minutes is an error before anything is shown', async (name, minutes, why) => {
  const { asked, failure, text } = await resumed(LIST, name, minutes);
  expect(failure).toMatch(why);
  expect(asked).toBe('close');
  expect(text).toBe('');
});

test('notices about damaged runs are printed before the error', async () => {
  const notice = "'runs/broken/run.json' cannot be read";
  const { context, folder, errors } = commandsWith(new Resumed(...LIST), notice);
  const root = join(folder, 'runs');
  mkdirSync(join(root, 'broken'), { recursive: true });
  writeFileSync(join(root, 'broken/run.json'), '{');
  const resuming = resume({ ...context, root }, 'broken', { port: 0 });
  await expect(resuming).rejects.toThrow("'broken' cannot be resumed: its run.json cannot be read. Restore");
  expect(errors).toEqual([notice]);
});

test('no run to resume is an error', async () => {
  expect((await resumed([])).failure).toContain('No run in this folder can be resumed');
  expect((await resumed(LIST.slice(3))).failure).toContain('has used its training time');
});
