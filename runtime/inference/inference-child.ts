// The entry of the inference process: a policy that acts and does not learn.

import { blobOf } from '../agent/blob.ts';
import { decidingProgram } from '../agent/programs.ts';
import { runId, taskId, version } from '../core/ids.ts';
import { systemClock } from '../core/system-clock.ts';
import { loadRuntime } from '../graph/runtime.ts';
import { openSession } from '../graph/session.ts';
import type { PolicyWorker } from '../rollout/policy-worker.ts';
import { Worker } from '../rollout/worker.ts';
import { serveChild } from '../rpc/child-server.ts';
import { type AttemptPolicy, attempt } from './attempt.ts';
import type { InferenceCalls } from './calls.ts';
import { type DesktopSession, openDesktopSession } from './desktop-session.ts';
import { type EvaluationOptions, evaluatePolicy } from './evaluation.ts';

const clock = systemClock;

/** What a user should know while it goes on; what is well again, too. */
const health: DesktopSession['health'] = (thing, _, message) => {
  process.stderr.write(`${thing}: ${message}\n`);
};

await serveChild<InferenceCalls, null>(async () => {
  const runtime = await loadRuntime('any');
  let opening: Promise<DesktopSession> | undefined;
  let performer: (AttemptPolicy & Pick<EvaluationOptions, 'worker' | 'weights'>) | undefined;
  const started = () => {
    if (performer === undefined) throw new RangeError('The performer was not started.');
    return performer;
  };
  return {
    about: null,
    handlers: {
      start: async ({ shape, mode, weights, run = 'performer', config }) => {
        opening = openDesktopSession({ run: runId(run), config, clock, health });
        const stage = await opening;
        const deciding = await openSession(runtime, decidingProgram(shape));
        await deciding.write({ weights });
        const { pixels } = shape;
        performer = {
          ...{ stage, deciding, mode, pixels },
          worker: inProcess(new Worker(deciding, pixels)),
          weights: { version: version(0), blob: blobOf(weights) },
        };
      },
      evaluate: ({ split, tasks, instances }) =>
        evaluatePolicy({ ...started(), split, tasks: tasks.map(taskId), instances, clock }),
      attempt: ({ place, instruction, steps }) => attempt(started(), place, instruction, steps),
    },
    // Also where it is ended in the middle of something: containers would stay.
    end: async () => (await opening?.catch(() => undefined))?.close(),
  };
});

const inProcess = (worker: Worker): PolicyWorker => ({
  decide: requests => worker.decide(requests),
  load: weights => worker.load(weights),
  pin: weights => worker.pin(weights),
  unpin: version => worker.unpin(version),
  close: async () => undefined,
});
