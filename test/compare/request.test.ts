// The request of the pages for a report.

import { expect, test } from 'vitest';
import { executeRequest, methodsOf } from '../../runtime/server/requests.ts';
import { playedState } from '../server/played-state.ts';
import { ScriptedRuns } from '../server/scripted-runs.ts';

const runs = new ScriptedRuns(playedState(60, { run: 'one' }), playedState(60, { run: 'two' }));
const life = {} as Parameters<typeof executeRequest>[1]['life'];
const context = { runs, life, readOnly: true, parseConfig: () => expect.fail('No configuration is read.') };
const compared = (...names: readonly string[]) =>
  executeRequest({ method: 'run.compare', params: { runs: [...names] } }, context);

test('the runs are compared in their order, also in a read-only daemon', async () => {
  expect(methodsOf({ readOnly: true, life: { isFixed: false } })).toContain('run.compare');
  expect((await compared('two', 'one')).html).toContain('two against one');
});

test('an unknown run is an error that names it', async () => {
  await expect(compared('one', 'three')).rejects.toThrow("'three'");
});
