// The request of the pages for a report. Needs the bundle of the index that `npm test` builds first.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { STATE_FILE } from '../../runtime/run/folders/run-folders.ts';
import { executeRequest, methodsOf } from '../../runtime/server/requests.ts';
import type { Runs } from '../../runtime/server/runs.ts';
import { WorkspaceRuns } from '../../runtime/server/workspace-runs.ts';
import { FRAMES_ENTRY, INDEX_ENTRY } from '../data/open-stores.ts';
import { playedState } from '../server/played-state.ts';
import { ScriptedRuns } from '../server/scripted-runs.ts';
import { temporaryFolder } from '../temporary.ts';
import { makeRun } from './run-folders.ts';

const life = {} as Parameters<typeof executeRequest>[1]['life'];
const comparedIn = (runs: Runs, ...names: readonly string[]) =>
  executeRequest(
    { method: 'run.compare', params: { runs: [...names] } },
    { runs, life, readOnly: true, parseConfig: () => expect.fail('No configuration is read.') },
  );

async function workspace(root: string): Promise<WorkspaceRuns> {
  const none = new URL('file:///no-bundle.js');
  const runs = await WorkspaceRuns.open({
    ...{ root, clock: systemClock, notice: () => undefined },
    entries: {
      ...{ engine: none, host: none, trainer: none, worker: none },
      ...{ index: INDEX_ENTRY, frames: FRAMES_ENTRY },
    },
  });
  onTestFinished(() => runs.close());
  return runs;
}

test('the runs are compared in their order, also in a read-only daemon', async () => {
  const runs = new ScriptedRuns(playedState(60, { run: 'one' }), playedState(60, { run: 'two' }));
  expect(methodsOf({ readOnly: true, life: { isFixed: false } })).toContain('run.compare');
  expect((await comparedIn(runs, 'two', 'one')).html).toContain('two against one');
});

test('a run with a damaged state file is compared, and an unknown run is an error that names it', async () => {
  const root = temporaryFolder('compared');
  const run = await makeRun({ root, name: 'damaged', solves: [() => true] });
  writeFileSync(join(root, run, STATE_FILE), '{');
  const runs = await workspace(root);
  expect((await comparedIn(runs, run)).html).toMatch(/^<!doctype html>/i);
  await expect(comparedIn(runs, run, 'three')).rejects.toThrow(/'three'.*Give the name of a run/);
});
