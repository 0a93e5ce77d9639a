// All tests, each file in a process of its own. `npx vitest run test/FOLDER` uses this file, and `npm test` uses vitest.short.config.ts.
// `npm run test:long`, `test:real` and `test:hosts` run the tests that are not in it.

import { defineConfig } from 'vitest/config';
import { PATIENCE } from './test/patience.ts';

/**
 * What `npm run test:unit` leaves out of `npm test`: real processes, browsers and engines, trainings, waits, and many random cases. Whole
 * folders where most files are so.
 */
export const SYSTEM_TESTS = [
  'test/{bench/decoupling,collect,compare,e2e,endpoint-check,engine,formats,hosts,interop,learner,openenv,person,simulation}/**/*.test.ts',
  'test/agents/codecs/{codecs.laws,loose-object}.test.ts',
  'test/agents/compact/{act.copying,chooser,choice,decide,feeds,grounding,heads,objective,scripted-solutions,terms}.test.ts',
  'test/agents/micro/network.test.ts',
  'test/agents/model/{frame,session,image/*}.test.ts',
  'test/bench/{curation/{ablation,curation},demonstrations,endpoint/screens,hosts/slow-desktop,survive/hostile/borders}.test.ts',
  'test/cli/{eval-junit,junit,main,run-agent,doctor/{agents,doctor,workspace},endpoint/endpoint,terminal/run-frame}.test.ts',
  'test/cloning/{demonstrations,practice}.test.ts',
  'test/config/{config,config-file}.test.ts',
  'test/data/{store,compare-agents,critics/critics,files/lock,files/trajectory-file,pool/pool}.test.ts',
  'test/data/index/*.test.ts',
  'test/discovery/{discovery,explore/explorer,relabel/{phrase-relabelling,hindsight},transfer/demo-transfer}.test.ts',
  'test/endpoints/{budget,entropy,probe,router}.test.ts',
  'test/environments/docker/{container-spec,fleet,fleet.faults,host,rfb,setup,shell,transport,rfb/{connection,framebuffer},tasks/suite}.test.ts',
  'test/environments/guest/{desktop,guest-host,guest-machine,revert-command}.test.ts',
  'test/environments/pocket/{apps/notes,tasks/phrasing}.test.ts',
  'test/environments/web/{browsers,desktop,tasks/suite}.test.ts',
  'test/environments/web/browser/{browser,context,network}.test.ts',
  'test/extension/{package,program,daemon/client,keys/hand-over,sample/unpack,testing/evaluate}.test.ts',
  'test/fabric/{remote,nats/{codec,socket-errors}}.test.ts',
  'test/graph/{adam,files}.test.ts',
  'test/guest-server/{command-routes,routes,program/read-program}.test.ts',
  'test/inference/instance-search.test.ts',
  'test/lease/embedded-leases.faults.test.ts',
  'test/model-server/{same-actions,micro/{chat,pause,rolling},tinker/{sampling-requests,saved-weights,server}}.test.ts',
  'test/rollout/{policy-pool.laws,worker,worker-process}.test.ts',
  'test/rpc/heap-flags.test.ts',
  'test/run/{host/{host,desktop-loans,model-questions},joined/{host-values,host-values-model},module-process,modules,slow-update,trainer/open-learner}.test.ts',
  'test/server/{own-settings,record,slots,subscribe,task-folders,trajectories,trajectories/own-tasks,frames/*}.test.ts',
  'test/tasks/formats/*.test.ts',
  'test/tasks/metrics/{pdf/pdf,pictures/pictures,slides/compare-presentations,spreadsheets/compare-table}.test.ts',
  'test/trainer/{metrics,progress,trainer,trainer.checkpoints}.test.ts',
];

/** They kill what runs at many moments, train several times, play every task or page, score every recorded case, show a panel in every state, or need a process of their own. Not in `npm test`. */
export const LONG_TESTS = [
  'test/e2e/{collect,model-clone,model-survival,offline,stall,survival,take-over,terminal,web,web-survival}.test.ts',
  'test/e2e/panels-{accessibility,agents,annotate,desktops,fleet,hosts,inspector,model-run,record,record-agents,record-input,replies,take-over,training,trajectories,uncertain}.test.ts',
  'test/agents/model/profiles/laws.test.ts',
  'test/bench/osworld/agreement.test.ts',
  'test/bench/survive/kills/{kills,machine}.test.ts',
  // It counts the children of its process.
  'test/bench/memory.test.ts',
  'test/cli/{eval-agent,exchange}.test.ts',
  'test/data/kill.test.ts',
  'test/endpoint-check/check.test.ts',
  'test/endpoints/rolling/storm.test.ts',
  'test/environments/guest/guest-browser.test.ts',
  'test/environments/pocket/{random-agent,scene,tasks/templates,tasks/outcomes}.test.ts',
  'test/environments/web/{window-*,clipboard,stopped-clock,tasks/tasks,miniwob/pages,miniwob/solutions,miniwob/leaving,miniwob/copy-paste}.test.ts',
  'test/graph/gradients.test.ts',
  // ONNX Runtime flushes denormal numbers to zero in its whole process. These tests compute with them.
  'test/graph/session.test.ts',
  'test/run/curves/curves.test.ts',
  'test/trainer/network-trainer.test.ts',
  'test/learner/tinker/{crashes,faults}.test.ts',
  'test/model-server/tinker/learner.test.ts',
  'test/person/{slow-programs,take-over,web-recording,web-take-over}.test.ts',
  'test/ring/*.test.ts',
  'test/server/{collect,model-training,presort/presorts,workspace-runs,workspace-runs.from}.test.ts',
  'test/simulation/{even,odd}-seeds.test.ts',
  'test/trainer/exact.test.ts',
];

/** They need a real VS Code, a real Docker engine, or Python with packages. */
export const REAL_TESTS = [
  'test/e2e/{docker,vscode}/*.test.ts',
  'test/environments/docker/{desktop,fleet-real,images,reset,ssh-real,tasks/solutions}.test.ts',
  'test/guest-server/real/*.test.ts',
  'test/person/{docker-recording,docker-take-over,guest-desktops}.test.ts',
  'test/interop/openenv/*.test.ts',
  'test/interop/{openai-pypi,skyrl,file-readers,tinker,cookbook,llama-cpp/{commands,live},osworld/{live,replay}}.test.ts',
];

/** They need a nats-server or an S3-compatible server. Most of their time they wait: for leases to end, and for frozen servers. */
export const HOSTS_TESTS = [
  'test/blobs/s3-blobs.test.ts',
  'test/cli/up.test.ts',
  'test/data/index/postgres/{comparison,laws,server,store}.test.ts',
  'test/e2e/hosts/*.test.ts',
  'test/fabric/nats/{broker,faults,hosts,laws,permissions,report}.test.ts',
  'test/hosts/{host-accounts,permissions}.test.ts',
  'test/lease/nats*.test.ts',
  'test/run/joined/joined-host.test.ts',
];

/** No result may depend on the speed of the machine: a limit only ends a test that hangs. */
const HANG_TIMEOUT_MS = 600_000;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    runner: './test/runner.ts',
    setupFiles: ['test/breathe.ts', 'test/remove-folders.ts'],
    testTimeout: HANG_TIMEOUT_MS,
    hookTimeout: HANG_TIMEOUT_MS,
    expect: { poll: PATIENCE },
    pool: 'forks',
    // A test that runs an ONNX Runtime uses more than one core.
    poolOptions: { forks: { maxForks: 2 } },
  },
});
