import { defineConfig, mergeConfig } from 'vitest/config';
import all from './vitest.config.ts';

/** `npm run test:unit`: without real processes, browsers, engines and thousands of random cases. */
export default mergeConfig(
  all,
  defineConfig({
    test: {
      // One process for many files saves half of the time.
      poolOptions: { forks: { isolate: false } },
      exclude: [
        // These need a process of their own: ONNX Runtime flushes denormal numbers to zero, and one counts child processes.
        'test/run/curves/curves.test.ts',
        'test/bench/memory.test.ts',
        'test/e2e/**',
        'test/cli/main.test.ts',
        'test/data/{kill,store}.test.ts',
        'test/data/{files/trajectory-file,index/catalogue,index/catching-up,index/index-thread,pool/pool}.test.ts',
        'test/environments/docker/**',
        'test/environments/pocket/{random-agent,scene}.test.ts',
        'test/environments/pocket/tasks/{templates,outcomes}.test.ts',
        'test/extension/{package,program,daemon/client}.test.ts',
        'test/graph/{gradients,session}.test.ts',
        'test/ring/**',
        'test/server/{workspace-runs,workspace-runs.from,trajectories,collect,frames/film,frames/frame-renderer}.test.ts',
        'test/trainer/{exact,network-trainer}.test.ts',
      ],
    },
  }),
);
