// Runs are listed for persons and for programs, and deleted by name.

import { expect, test } from 'vitest';
import { listRuns } from '../runtime/runs.ts';
import { OwnedRuns } from './daemon/owned-runs.ts';
import { playedState, STARTED } from './daemon/server/played-state.ts';
import { commandsWith } from './ring-commands.ts';

async function asked(deleted?: string, json = false) {
  const runs = new OwnedRuns(
    playedState(300, { run: 'older', status: 'ended' }),
    playedState(300, { run: 'newer', startedAt: STARTED + 1 }),
  );
  const { around, output, remark, remarks } = commandsWith(runs, "'run.json' cannot be read.");
  const { open, environment } = around;
  const failure = await listRuns({ open, deleted, json, output, environment, remark }).then(
    () => undefined,
    error => error.message,
  );
  return { asked: runs.asked, text: output.text, remarks, failure };
}

test('the newest comes first', async () => {
  const { text, remarks } = await asked();
  expect(text).toMatch(/\n {2}newer +running .*\n {2}older +ended /);
  expect(remarks).toEqual(["'run.json' cannot be read."]);
});

test('for programs there is one line, and nothing else', async () => {
  const { text } = await asked(undefined, true);
  expect(text.trim().split('\n')).toHaveLength(1);
  expect(JSON.parse(text)).toMatchObject([{ run: 'newer' }, { run: 'older', canResume: true }]);
});

test('a run is deleted by its name', async () => {
  const { asked: what, text } = await asked('older');
  expect(what).toEqual(['delete older', 'close']);
  expect(text).toBe("The run 'older' is deleted.\n");
});

test('what cannot be deleted is an error, and the runs are closed', async () => {
  expect(await asked('oldr')).toMatchObject({
    failure: "There is no run 'oldr': 'older' is likely meant.",
    asked: ['close'],
    text: '',
  });
  expect(await asked('newer')).toMatchObject({
    failure: expect.stringContaining('is running'),
    asked: ['delete newer', 'close'],
  });
});
