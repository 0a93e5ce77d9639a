// The entry of a policy worker's process: loads ONNX Runtime and decides.

import { decidingProgram } from '../agents/compact/programs.ts';
import { ofThisProcess, ProcessorTime } from '../core/processor-time.ts';
import { loadRuntime } from '../graph/runtime.ts';
import { openSession, timedSession } from '../graph/session.ts';
import { serveChild } from '../rpc/child-server.ts';
import { Worker } from './worker.ts';
import type { WorkerCalls } from './worker-process.ts';

await serveChild<WorkerCalls, null>(async () => {
  const runtime = await loadRuntime('any');
  const time = new ProcessorTime();
  let worker: Worker | undefined;
  const started = (): Worker => {
    if (worker === undefined) throw new RangeError('The policy worker has no network. Call start first.');
    return worker;
  };
  return {
    about: null,
    handlers: {
      start: async shape => {
        worker = new Worker(
          timedSession(await openSession(runtime, decidingProgram(shape)), time),
          shape.pixels,
        );
      },
      decide: requests => started().decide(requests),
      load: async weights => {
        await started().load(weights);
      },
      pin: async weights => {
        await started().pin(weights);
      },
      unpin: async version => {
        await started().unpin(version);
      },
      spent: async () => ({ deciding: time.seconds, whole: ofThisProcess() }),
    },
  };
});
