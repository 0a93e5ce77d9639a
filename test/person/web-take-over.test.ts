// A person takes a web desktop over from a host that plays, and solves its task. Its screens cannot be redrawn, and change by themselves.

import { describe, expect, onTestFinished, test } from 'vitest';
import { COMPACT } from '../../runtime/agents/compact/network.ts';
import { eventsOf } from '../../runtime/bench/panels/hand.ts';
import { parseConfig } from '../../runtime/config/config.ts';
import {
  desktopId,
  groupId,
  orderId,
  runId,
  type TrajectoryId,
  trajectoryId,
  version,
} from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded.ts';
import { openRecordingDesktop } from '../../runtime/person/open-desktop.ts';
import { PersonRecordings } from '../../runtime/person/recordings.ts';
import type { PolicyWorker } from '../../runtime/rollout/policy-worker.ts';
import { Host } from '../../runtime/run/host.ts';
import { openKind } from '../../runtime/run/host-kinds.ts';
import { compactPolicy } from '../../runtime/run/host-policy-compact.ts';
import { opened } from '../data/opened.ts';
import { folder } from '../data/trajectories.ts';
import { missingBrowser } from '../environments/web/missing-browser.ts';
import { PATIENCE } from '../patience.ts';

const CONFIG = parseConfig({
  ...{ demonstrations: 0, preset: 'scratch' },
  environments: { kind: 'web', desktops: 1 },
  evaluation: { desktops: 1 },
});
const TASK = 'contact-send';
/** Steps after which the policy is slow. */
const PLAYED = 2;

async function playing() {
  const fabric = embeddedFabric();
  let letGo = () => {};
  const isFree = new Promise<void>(resolve => {
    letGo = resolve;
  });
  let decided = 0;
  const worker: PolicyWorker = {
    decide: async requests => {
      decided += 1;
      if (decided > PLAYED) await isFree;
      const choice = { action: { kind: 'wait' }, meant: [], decisions: [], version: version(1) } as const;
      return requests.map(() => choice);
    },
    load: async () => undefined,
    pin: async () => undefined,
    unpin: async () => undefined,
    close: async () => undefined,
  };
  const kind = await openKind({ run: 'web', config: CONFIG, health: () => undefined, clock: systemClock });
  const host = new Host({
    ...{
      run: runId('run'),
      config: CONFIG,
      tasks: kind.suite.tasks('train', 1),
      shape: COMPACT,
      kind,
      fabric,
    },
    ...{ isFirst: false, isTrained: true, clock: systemClock },
    policy: compactPolicy({ rollout: CONFIG.rollout, startWorker: async () => worker, clock: systemClock }),
  });
  await fabric.weights.set({ version: version(1), blob: new Uint8Array() });
  const instance = {
    task: kind.suite.task(TASK, kind.suite.seed('train', 0)).id,
    seed: kind.suite.seed('train', 0),
  };
  await fabric.orders.put({
    ...{ id: orderId('o'), run: runId('run'), group: groupId('g'), instance, purpose: 'train' },
    ...{ maxSteps: 4, mode: CONFIG.mode },
  });
  const stop = new AbortController();
  const running = host.run(stop.signal);
  onTestFinished(async () => {
    letGo();
    stop.abort();
    await running;
    await fabric.close();
  });
  const isThinking = () => decided > PLAYED;
  return { fabric, instance, isThinking, letGo: () => letGo() };
}

describe.skipIf(missingBrowser !== undefined)('a web desktop', () => {
  test('is taken over with its pictures, and the solved task is stored with the steps of agent and person', async () => {
    const { fabric, instance, isThinking, letGo } = await playing();
    const { store } = await opened({ root: folder() });
    const accepted: TrajectoryId[] = [];
    const recordings = new PersonRecordings({
      ...{ store, clock: systemClock, random: seeded('web'), isGuest: () => true },
      config: async () => CONFIG,
      accept: async id => void accepted.push(id),
      training: () => ({ config: CONFIG, fabric }),
    });
    onTestFinished(() => recordings.close());
    const signal = new AbortController().signal;
    const script = await openRecordingDesktop(
      { config: CONFIG, clock: systemClock, random: seeded('web') },
      signal,
    );
    const actions = (await script.solution?.(instance, signal)) ?? [];
    await script.close();
    expect(actions.length).toBeGreaterThan(0);

    await expect.poll(isThinking, PATIENCE).toBe(true);
    const me = {};
    const { recording: name } = await recordings.takeOver({ desktop: desktopId('d0'), who: 'Ada' }, me);
    const recording = recordings.of(name, me);
    await expect.poll(() => recording.state.phase, PATIENCE).toBe('acting');
    expect(recording.state.steps.map(({ by }) => by)).toEqual(Array(PLAYED).fill('agent'));
    expect(recording.state).toMatchObject({ isDeterministic: false, hasSolution: false, ...instance });
    let [time, frame] = [0, 0];
    for (const action of actions) {
      time += 1000;
      for (const event of eventsOf(action)) {
        time += 20;
        ({
          result: { frame },
        } = await recording.look(frame, 0));
        await recording.input([{ event, time, frame }]);
      }
    }
    await recording.finish('finished', undefined);
    expect(recording.state.judgement).toMatchObject({ success: true });
    await recording.save([]);
    await expect.poll(() => recording.state.phase, PATIENCE).toBe('saved');
    expect(recording.state.problem).toBeUndefined();

    const saved = await store.read(trajectoryId(accepted[0] ?? ''));
    expect(saved).toMatchObject({ instance, provenance: { kind: 'human', who: 'Ada' } });
    if (saved.frames.kind !== 'png') throw new Error('Web desktops keep their screens.');
    expect(saved.frames.images).toHaveLength(saved.steps.length + 1);

    // The desktop plays the order of the agent again.
    letGo();
    const played = await fabric.trajectories.taker().take(AbortSignal.timeout(PATIENCE.timeout));
    expect(played.item).toMatchObject({ id: 'o.2', provenance: { kind: 'rollout' } });
    expect(played.item.steps.map(({ action }) => action.kind)).toEqual(Array(4).fill('wait'));
  });
});
