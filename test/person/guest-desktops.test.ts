// People on guests: Docker desktops behind OSWorld's guest API. One is recorded, one that plays is taken over, and an agent acts live.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { configOfFolder } from '../../runtime/cli/foreground.ts';
import { CONFIG_FILE } from '../../runtime/config/config-file.ts';
import type { Action } from '../../runtime/core/action.ts';
import { taskId, trajectoryId } from '../../runtime/core/ids.ts';
import { key } from '../../runtime/core/key.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { DOCKER } from '../../runtime/environments/docker/tasks/suite.ts';
import { PersonRecordings } from '../../runtime/person/recordings.ts';
import { openSuite } from '../../runtime/run/suite.ts';
import { opened } from '../data/open-stores.ts';
import { describeUnless } from '../environments/docker/engine.ts';
import { missingDesktops } from '../environments/docker/real-desktops.ts';
import { forGuest, REVERT } from '../guest-server/real/guest-of-container.ts';
import { type RealServer, realServer } from '../guest-server/real/real-server.ts';
import { PATIENCE } from '../patience.ts';
import { temporaryFolder } from '../temporary.ts';
import { handOn } from './hand-on.ts';
import { actedLive, openForTest, takenOver } from './real-desktops.ts';

const TASK = 'note-write';
const SEED = DOCKER.seed('train', 0);
/** One of training, and one of evaluations. */
const GUESTS = 2;

/** It types the text of the instruction, and saves it. */
function byHand(): readonly Action[] {
  const [, text = ''] = /"(.*)"/.exec(DOCKER.task(TASK, SEED).instruction) ?? [];
  return [
    { kind: 'type', text },
    { kind: 'hotkey', keys: [key('ctrl'), key('s')] },
  ];
}

describeUnless(missingDesktops, 'on guests', () => {
  const folder = temporaryFolder('guests');
  let server: RealServer;

  beforeAll(async () => {
    server = await realServer(GUESTS);
    const hosts = server.addresses.map(address => ({ address, browserPort: 9, vlcPort: 9 }));
    const guest = { hosts, revert: REVERT, network: false, judgeDelaySeconds: 0 };
    const settings = { environments: { guest } };
    writeFileSync(join(folder, CONFIG_FILE), JSON.stringify(settings));
    const tasks = join(folder, '.dartboard', 'tasks', 'guest');
    mkdirSync(tasks, { recursive: true });
    writeFileSync(join(tasks, `${TASK}.json`), JSON.stringify(forGuest(DOCKER.task(TASK, SEED))));
  });
  afterAll(() => server?.close());

  const config = () => configOfFolder(folder, 'guest');

  test('a person records a task, which is judged and kept', async () => {
    const { store } = await opened({ root: temporaryFolder('guest-runs') });
    const accepted: string[] = [];
    const recordings = new PersonRecordings({
      ...{ store, clock: systemClock, random: seeded('guests'), isGuest: () => false },
      config: kind => configOfFolder(folder, kind),
      accept: async id => void accepted.push(id),
    });
    onTestFinished(() => recordings.close());
    const { tasks } = await recordings.tasks({ kind: 'guest' });
    expect(tasks.map(({ task }) => task)).toEqual([TASK]);
    const me = {};
    const { recording: name } = await recordings.start({ task: TASK, kind: 'guest', who: 'Ada' }, me);
    const recording = recordings.of(name, me);
    await expect.poll(() => recording.state.phase, PATIENCE).not.toBe('opening');
    expect(recording.state).toMatchObject({ phase: 'acting', kind: 'guest', isDeterministic: false });
    expect(recording.state.hasSolution).toBe(false);
    await handOn(recording)(byHand());
    await recording.finish('finished', undefined);
    expect(recording.state.judgement).toMatchObject({ success: true, checks: [{ met: true }] });
    await recording.save([]);
    await expect.poll(() => recording.state.phase, PATIENCE).not.toBe('checking');
    expect(recording.state.problem).toBeUndefined();
    expect(recording.state.phase).toBe('saved');
    const saved = await store.read(trajectoryId(accepted[0] ?? ''));
    expect(saved).toMatchObject({ purpose: 'demonstrate', provenance: { kind: 'human', who: 'Ada' } });
    expect(saved.frames.kind === 'png' && saved.frames.images.length).toBe(saved.steps.length + 1);
  });

  describe('one that a person takes over', () => {
    takenOver(async () => ({ config: await config(), task: TASK, solution: async () => byHand() }));
  });

  test('an agent acts live, and a correction teaches from where the person began', async () => {
    const guests = await config();
    const suite = await openSuite(guests);
    const instance = { task: taskId(TASK), seed: suite.seed('train', 0) };
    await actedLive({ config: guests, instance, actions: byHand(), opened: await openForTest(guests) });
  });
});
