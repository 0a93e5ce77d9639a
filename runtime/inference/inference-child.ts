// The entry of the inference process, which acts with saved weights.

import { blobOf } from '../agents/compact/blob.ts';
import { decidingProgram } from '../agents/compact/programs.ts';
import { COMPACT_AGENT } from '../core/agent.ts';
import { runId, taskId, version } from '../core/ids.ts';
import { systemClock } from '../core/system-clock.ts';
import { loadRuntime } from '../graph/runtime.ts';
import { openSession } from '../graph/session.ts';
import { Worker } from '../rollout/worker.ts';
import { serveChild } from '../rpc/child-server.ts';
import { type AttemptPolicy, attempt } from './attempt.ts';
import type { InferenceCalls } from './calls.ts';
import { type DesktopSession, openDesktopSession } from './desktop-session.ts';
import { type EvaluatedPolicy, evaluatePolicy } from './evaluation.ts';

const clock = systemClock;

const health: DesktopSession['health'] = (thing, _, message) => {
  process.stderr.write(`${thing}: ${message}\n`);
};

await serveChild<InferenceCalls, null>(async () => {
  const runtime = await loadRuntime('any');
  let opening: Promise<DesktopSession> | undefined;
  let policy: (AttemptPolicy & EvaluatedPolicy) | undefined;
  const started = () => {
    if (policy === undefined) throw new RangeError('The inference process has no weights. Call start first.');
    return policy;
  };
  return {
    about: null,
    handlers: {
      start: async ({ shape, mode, weights, run = 'inference', config }) => {
        opening = openDesktopSession({
          ...{ run: runId(run), agent: COMPACT_AGENT, mode, config, clock, health },
        });
        const desktops = await opening;
        const deciding = await openSession(runtime, decidingProgram(shape));
        await deciding.write({ weights });
        const { pixels } = shape;
        policy = {
          ...{ desktops, deciding, mode, pixels },
          worker: new Worker(deciding, pixels),
          weights: { version: version(0), blob: blobOf(weights) },
        };
      },
      evaluate: ({ split, tasks, instances }) =>
        evaluatePolicy({ ...started(), split, tasks: tasks.map(taskId), instances, clock }),
      attempt: ({ instance, instruction, steps }) => attempt(started(), instance, instruction, steps),
    },
    // Containers outlive the process unless they are removed. `start` reports desktops that did not open.
    end: async () => (await opening?.catch(() => undefined))?.close(),
  };
});
