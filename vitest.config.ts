// All tests, each file in a process of its own. `npx vitest run test/FOLDER` uses this file. `npm test` runs vitest.unit.config.ts, then
// vitest.system.config.ts. `npm run test:long`, `test:real` and `test:hosts` run the others.

import { defineConfig } from 'vitest/config';
import { PATIENCE } from './test/patience.ts';

/** They start real processes, browsers or engines, or run thousands of random cases. */
export const SYSTEM_TESTS = [
  'test/e2e/*.test.ts',
  'test/cli/{exchange,main,eval-agent,run-agent}.test.ts',
  'test/agents/model/profiles/laws.test.ts',
  'test/data/store.test.ts',
  'test/endpoint-check/check.test.ts',
  'test/data/{files/trajectory-file,index/catalogue,index/catching-up,index/index-thread,pool/pool}.test.ts',
  'test/environments/docker/{container-spec,host,rfb,setup,shell,transport}.test.ts',
  'test/environments/web/desktop.test.ts',
  'test/environments/web/browser/{browser,context,network}.test.ts',
  'test/extension/{package,program,daemon/client}.test.ts',
  'test/guest-server/routes.test.ts',
  'test/interop/{micro-server,openai-npm}.test.ts',
  'test/learner/micro/*.test.ts',
  'test/learner/tinker/chaos.test.ts',
  'test/model-server/tinker/server.test.ts',
  'test/person/{live-agents,steps,take-over}.test.ts',
  'test/ring/*.test.ts',
  'test/rpc/heap-flags.test.ts',
  'test/server/{workspace-runs,workspace-runs.from,trajectories,collect,record,presort/presorts,trajectories/own-tasks,frames/film,frames/frame-renderer}.test.ts',
  // ONNX Runtime flushes denormal numbers to zero in its whole process. These tests compute with them.
  'test/graph/session.test.ts',
  'test/run/curves/curves.test.ts',
  'test/trainer/network-trainer.test.ts',
  // It counts the children of its process.
  'test/bench/memory.test.ts',
];

/** They kill what runs at many moments, train several times, play every task or page, score every recorded case, or combine every state with every theme. Not in `npm test`. */
export const LONG_TESTS = [
  'test/e2e/{collect,model-clone,model-survival,panels-accessibility,stall,survival,taken,terminal,web,web-survival}.test.ts',
  'test/bench/osworld/agreement.test.ts',
  'test/data/kill.test.ts',
  'test/endpoints/rolling/storm.test.ts',
  'test/environments/guest/guest-browser.test.ts',
  'test/environments/pocket/{random-agent,scene,tasks/templates,tasks/outcomes}.test.ts',
  'test/environments/web/{window,stopped-clock,tasks/tasks,miniwob/pages,miniwob/solved}.test.ts',
  'test/graph/gradients.test.ts',
  'test/learner/tinker/{crashes,faults}.test.ts',
  'test/model-server/tinker/learner.test.ts',
  'test/person/{web-recording,web-take-over}.test.ts',
  'test/server/model-training.test.ts',
  'test/trainer/exact.test.ts',
];

/** They need a real VS Code, a real Docker engine, or Python with packages. */
export const REAL_TESTS = [
  'test/e2e/{docker,vscode}/*.test.ts',
  'test/environments/docker/{desktop,fleet-real,images,reset,tasks/solved}.test.ts',
  'test/guest-server/real/*.test.ts',
  'test/person/{docker-recording,docker-take-over,guest-desktops}.test.ts',
  'test/interop/openenv/*.test.ts',
  'test/interop/{openai-pypi,skyrl,file-readers,tinker,llama-cpp/{commands,live},osworld/{live,replayed}}.test.ts',
];

/** They need a nats-server. Most of their time they wait: for leases to end, and for frozen servers. */
export const HOSTS_TESTS = [
  'test/cli/up.test.ts',
  'test/e2e/hosts/*.test.ts',
  'test/fabric/nats/{faults,hosts,laws,permissions,report}.test.ts',
  'test/hosts/permissions.test.ts',
  'test/lease/nats*.test.ts',
];

/** No result may depend on the speed of the machine: a limit only ends a test that hangs. */
const HANG_TIMEOUT_MS = 600_000;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/breathe.ts', 'test/remove-folders.ts'],
    testTimeout: HANG_TIMEOUT_MS,
    hookTimeout: HANG_TIMEOUT_MS,
    expect: { poll: PATIENCE },
    pool: 'forks',
    // A test that runs an ONNX Runtime uses more than one core.
    poolOptions: { forks: { maxForks: 2 } },
  },
});
