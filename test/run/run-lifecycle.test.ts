// Decisions of people about a run whose channels have closed, while its files are still written.

import { expect, test } from 'vitest';
import { COMPACT } from '../../runtime/agents/compact/network.ts';
import { parseConfig } from '../../runtime/config/config.ts';
import { runId, trajectoryId } from '../../runtime/core/ids.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import { RunLifecycle } from '../../runtime/run/run-lifecycle.ts';

const NOWHERE = new URL('file:///nowhere');

test('verdicts and changes of the success pool are accepted while a run ends', async () => {
  const fabric = embeddedFabric();
  const done = async () => undefined;
  const lifecycle = new RunLifecycle({
    ...{ run: runId('run'), config: parseConfig({}), suite: POCKET, tasks: POCKET.tasks('train') },
    ...{ shape: COMPACT, folder: '/nowhere', fabric, clock: new VirtualClock(), startedAt: 0 },
    entries: { host: NOWHERE, worker: NOWHERE, trainer: NOWHERE, engine: NOWHERE },
    ...{ hasWeights: false, keeps: { keep: done }, keep: done, keepWeights: done, decided: () => undefined },
    memory: { summaries: async () => [], statusOf: async () => 'open', load: done },
  });
  const id = trajectoryId('late');
  await lifecycle.judge(id, true, 'ada');
  await fabric.close();
  await expect(lifecycle.judge(id, true, 'ada')).resolves.toBeUndefined();
  await expect(lifecycle.poolChanged(id)).resolves.toBeUndefined();
});
