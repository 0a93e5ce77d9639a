// Decisions of people about a run whose channels have closed, while its files are still written; and a run that cannot start its trainer.

import { expect, test } from 'vitest';
import { COMPACT } from '../../runtime/agents/compact/network.ts';
import { type Config, parseConfig } from '../../runtime/config/config.ts';
import { runId, trajectoryId } from '../../runtime/core/ids.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import { RunLifecycle } from '../../runtime/run/run-lifecycle.ts';

const NOWHERE = new URL('file:///nowhere');

function prepared(config: Config = parseConfig({})) {
  const [fabric, clock] = [embeddedFabric(), new VirtualClock()];
  const done = async () => undefined;
  const lifecycle = new RunLifecycle({
    ...{ run: runId('run'), config, suite: POCKET, tasks: POCKET.tasks('train') },
    ...{ shape: COMPACT, folder: '/nowhere', fabric, clock, startedAt: 0 },
    entries: { host: NOWHERE, worker: NOWHERE, trainer: NOWHERE, engine: NOWHERE },
    ...{ hasWeights: false, keeps: { keep: done }, keep: done, keepWeights: done, decided: () => undefined },
    memory: { summaries: async () => [], statusOf: async () => 'open', load: done },
  });
  return { lifecycle, fabric, clock };
}

test('verdicts and changes of the success pool are accepted while a run ends', async () => {
  const { lifecycle, fabric } = prepared();
  const id = trajectoryId('late');
  await lifecycle.judge(id, true, 'ada');
  await fabric.close();
  await expect(lifecycle.judge(id, true, 'ada')).resolves.toBeUndefined();
  await expect(lifecycle.poolChanged(id)).resolves.toBeUndefined();
});

test('a run whose trainer cannot start ends with all of its parts', async () => {
  const toy = {
    ...{ profile: 'generic', mode: 'a11y_tree', url: 'http://localhost:8000/v1', model: 'tars' },
    learner: { kind: 'tinker', url: 'http://localhost:9000', base: 'table' },
  };
  const { lifecycle, fabric, clock } = prepared({
    ...parseConfig({ agent: 'toy', agents: { toy } }),
    agents: {},
  });
  const failed = expect(lifecycle.run(() => undefined)).rejects.toThrow("No agent is called 'toy'");
  await clock.run(20_000);
  await failed;
  expect(lifecycle.state().status).toBe('failed');
  await expect(fabric.orders.taker().tryTake()).rejects.toThrow(/'orders' is closed/);
});
