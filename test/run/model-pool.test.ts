// Annotations of stored successes during a run of a model agent.

import { expect, test } from 'vitest';
import { COMPACT } from '../../runtime/agents/compact/network.ts';
import { parseConfig } from '../../runtime/config/config.ts';
import { runId, trajectoryId, version } from '../../runtime/core/ids.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import type { SuccessSummary } from '../../runtime/data/pool/success-selection.ts';
import type { SuccessStore } from '../../runtime/discovery/replay/success-loader.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import { RunLifecycle } from '../../runtime/run/run-lifecycle.ts';
import { trajectory } from '../data/trajectories.ts';
import { BUTTON_SUITE } from './host/button-kind.ts';

const NOWHERE = new URL('file:///nowhere');
const QWEN = { profile: 'qwen3-vl', url: 'http://localhost:8000/v1', model: 'qwen' };
const LEARNER = { kind: 'tinker', url: 'http://localhost:9000', base: 'Qwen/Qwen3.5-4B' };

function modelRun(memory: SuccessStore) {
  const [fabric, clock] = [embeddedFabric(), new VirtualClock()];
  const run = runId('run');
  const lifecycle = new RunLifecycle({
    ...{
      run,
      suite: BUTTON_SUITE,
      tasks: BUTTON_SUITE.tasks('train'),
      shape: COMPACT,
      folder: '/run',
      fabric,
      clock,
    },
    config: parseConfig({ agent: 'qwen', agents: { qwen: { ...QWEN, learner: LEARNER } } }),
    entries: { host: NOWHERE, worker: NOWHERE, trainer: NOWHERE, engine: NOWHERE },
    ...{ startedAt: 0, hasWeights: false, memory, usedVersion: version(0) },
    keeps: { keep: async () => undefined },
    keep: async () => undefined,
    decided: () => undefined,
    keepWeights: async () => undefined,
  });
  return { lifecycle, fabric };
}

const member: SuccessSummary = { id: trajectoryId('t'), isMember: true, since: 1, instruction: 'do it' };

test.each([
  [member, true],
  ['open' as const, true],
  ['out' as const, false],
])('a success that is now %j stays in the run: %j; it is not replayed', async (status, isMember) => {
  const { lifecycle, fabric } = modelRun({
    summaries: async () => [member],
    statusOf: async () => status,
    load: async ({ id, ...rest }) => ({ trajectory: trajectory(id), ...rest }),
  });
  await lifecycle.poolChanged(member.id);
  for await (const { entry } of fabric.commands.read(0)) {
    expect(entry).toEqual({ kind: 'pool', run: 'run', trajectory: 't', isMember });
    break;
  }
  expect((await fabric.recollections.depth()).waiting).toBe(0);
});
