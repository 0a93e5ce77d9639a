// Recording through the daemon: over a real socket, into a real store and its success pool. Needs the bundles that `npm test` builds first.

import { expect, onTestFinished, test } from 'vitest';
import { eventsOf } from '../../runtime/bench/panels/hand.ts';
import { parseConfig } from '../../runtime/config/config.ts';
import { runId, seed, type TrajectoryId, trajectoryId } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { SuccessPool } from '../../runtime/data/pool/pool.ts';
import { POCKET, solutionOf } from '../../runtime/environments/pocket/tasks/suite.ts';
import type { RecordingAgents } from '../../runtime/person/recording-agents.ts';
import { PersonRecordings } from '../../runtime/person/recordings.ts';
import {
  DAEMON_RESULTS,
  type DaemonMethod,
  type DaemonResults,
} from '../../runtime/protocol/daemon/messages.ts';
import type { RecordingState } from '../../runtime/protocol/daemon/record.ts';
import { opened } from '../data/open-stores.ts';
import { folder } from '../data/trajectories.ts';
import { playing, ScriptedAgent, type ScriptedTurn } from '../person/scripted-agent.ts';
import { Client, pagesFolder, serve } from './client.ts';
import { playedState } from './played-state.ts';
import { ScriptedRuns } from './scripted-runs.ts';

const TASK = 'settings-night-light';

async function served({
  readOnly = false,
  isGuest = false,
  clock = systemClock as typeof systemClock | VirtualClock,
  agents = undefined as RecordingAgents | undefined,
  /** After a trajectory has entered the success pool. */
  entered = async (_id: TrajectoryId) => {},
} = {}) {
  const { store } = await opened({ root: folder() });
  const pool = new SuccessPool(store);
  const accepted: TrajectoryId[] = [];
  const recordings = new PersonRecordings({
    ...{ store, clock, random: seeded('recordings'), isGuest: () => isGuest },
    config: async kind => parseConfig(kind === undefined ? {} : { environments: { kind } }),
    ...(agents !== undefined && { agents }),
    accept: async (id, who) => {
      await pool.accept(id, who);
      await entered(id);
      accepted.push(id);
    },
  });
  onTestFinished(() => recordings.close());
  const runs = new ScriptedRuns(playedState(5));
  runs.recordings = recordings;
  const server = await serve({ pages: pagesFolder(), runs, parseConfig, readOnly });
  onTestFinished(() => server.close());
  const enter = async () => {
    const client = await Client.enter(server.port);
    const ask = async <M extends DaemonMethod>(method: M, params: object = {}): Promise<DaemonResults[M]> => {
      const reply = await client.ask(method, { ...params });
      if (!('result' in reply)) throw new Error(`'${method}' failed: ${JSON.stringify(reply)}`);
      return DAEMON_RESULTS[method].parse(reply.result) as DaemonResults[M];
    };
    /** Looks until the state fits. */
    const until = async (recording: string, fits: (state: RecordingState) => boolean) => {
      for (let [frame, change] = [0, 0]; ; ) {
        const look = await ask('record.look', { recording, frame, change });
        ({ frame } = look);
        ({ change } = look.state);
        if (fits(look.state)) return look.state;
      }
    };
    return { client, ask, until };
  };
  return { ...(await enter()), enter, store, pool, accepted, recordings };
}

type Served = Awaited<ReturnType<typeof served>>;

async function begun({ ask, until }: Pick<Served, 'ask' | 'until'>, params: object = {}) {
  const { recording } = await ask('record.start', { task: TASK, seed: 3, who: 'Ada', ...params });
  await until(recording, ({ phase }) => phase === 'acting');
  return recording;
}

async function solve({ ask }: Pick<Served, 'ask'>, recording: string): Promise<void> {
  const { actions } = solutionOf(POCKET, POCKET.task(TASK, seed(3)), seed(3));
  let time = 0;
  for (const action of actions) {
    time += 1000;
    const inputs = eventsOf(action).map((event, index) => ({ event, time: time + index, frame: 1 }));
    await ask('record.input', { recording, inputs });
  }
}

test('a demonstration enters the success pool with the name of the person, and reaches the run that trains', async () => {
  const daemon = await served();
  const { ask, until, client, pool, accepted, store } = daemon;
  const recording = await begun(daemon);
  await solve(daemon, recording);
  expect(client.frames.some(({ payload }) => payload.length > 100)).toBe(true);
  expect(await ask('record.finish', { recording, ending: 'finished' })).toMatchObject({
    phase: 'judged',
    judgement: { success: true },
  });
  await ask('record.save', { recording, drop: [] });
  const { trajectory = '', note } = await until(recording, ({ phase }) => phase === 'saved');
  expect(note).toContain('learns');
  expect(accepted).toEqual([trajectory]);
  const [member] = await pool.members(POCKET.tasks('train'));
  expect(member).toMatchObject({
    who: 'Ada',
    row: { id: trajectory, provenance: 'human', outcome: 'success' },
  });
  const stored = await store.read(trajectoryId(trajectory));
  expect(stored).toMatchObject({ provenance: { kind: 'human', who: 'Ada' }, purpose: 'demonstrate' });
  // The desktop has been returned: another one can start.
  expect(await ask('record.now')).toEqual({});
  await begun(daemon);
});

test('a save after one that failed late stores the steps that are kept then, and no earlier trim', async () => {
  const failed: TrajectoryId[] = [];
  const daemon = await served({
    entered: async id => {
      if (failed.push(id) === 1) throw new Error('The run did not answer.');
    },
  });
  const { ask, until, pool, store } = daemon;
  const recording = await begun(daemon);
  await ask('record.input', { recording, inputs: [{ event: { kind: 'wait' }, time: 0, frame: 1 }] });
  await solve(daemon, recording);
  const { steps } = await ask('record.finish', { recording, ending: 'finished' });
  await ask('record.save', { recording, drop: [] });
  const { problem } = await until(recording, ({ phase }) => phase !== 'checking');
  expect(problem).toBe('The run did not answer. Save it again, or start over.');
  const [id = expect.fail()] = failed;
  const actions = async () => (await store.read(id)).steps.map(({ action }) => action);
  const all = steps.map(({ action }) => action);
  expect(await actions()).toEqual(all);
  const part = { from: 1, to: all.length };
  await store.label(id, { kind: 'trim', part }, 'Bob');
  await store.label(id, { kind: 'note', text: 'short' }, 'Bob');
  await ask('record.save', { recording, drop: [0] });
  expect(await until(recording, ({ phase }) => phase !== 'checking')).toMatchObject({
    ...{ phase: 'saved', trajectory: id },
  });
  expect(await actions()).toEqual(all.slice(1));
  const row = await store.index.row(id);
  expect(row).toMatchObject({ steps: all.length - 1, isInPool: true, note: 'short' });
  expect(row?.trim).toBeUndefined();
  expect(await pool.members(POCKET.tasks('train'))).toHaveLength(1);
});

test('an instruction of one’s own is stored as a correction, with the word of the person as the verdict', async () => {
  const daemon = await served();
  const { ask, until, pool, store } = daemon;
  const recording = await begun(daemon, { instruction: 'Turn on the warm colours.' });
  await solve(daemon, recording);
  await ask('record.finish', { recording, ending: 'finished', isDone: true });
  await ask('record.save', { recording, drop: [] });
  const { trajectory = '' } = await until(recording, ({ phase }) => phase === 'saved');
  expect(await store.index.row(trajectoryId(trajectory))).toMatchObject({
    newInstruction: 'Turn on the warm colours.',
    isInPool: true,
  });
  expect(await pool.members(POCKET.tasks('train'))).toHaveLength(1);
});

test('one client owns a recording; another one continues it after the owner has left', async () => {
  const daemon = await served();
  const recording = await begun(daemon);
  const other = await daemon.enter();
  await expect(
    other.ask('record.input', { recording, inputs: [{ event: { kind: 'wait' }, time: 0, frame: 1 }] }),
  ).rejects.toThrow('Another window owns');
  await expect(other.ask('record.start', { task: TASK, who: 'Bob' })).rejects.toThrow('under way');
  expect((await other.ask('record.now')).recording?.recording).toBe(recording);
  daemon.client.socket.close();
  await daemon.client.closed;
  await expect
    .poll(() =>
      other.ask('record.look', { recording, frame: 0, change: 0 }).then(
        ({ state }) => state.phase,
        () => 'owned',
      ),
    )
    .toBe('acting');
  expect(await other.ask('record.discard', { recording })).toMatchObject({ phase: 'discarded' });
});

test('the desktop goes back after a while without its owner', async () => {
  const clock = new VirtualClock(1_800_000_000_000);
  const owner = {};
  const { recordings } = await served({ clock });
  await recordings.start({ task: TASK, who: 'Ada' }, owner);
  const { recording } = recordings.now();
  recordings.ownerLeft(owner);
  await clock.run(clock.now() + 119_000);
  expect(recordings.now().recording?.recording).toBe(recording?.recording);
  await clock.run(clock.now() + 2000);
  await expect.poll(() => recordings.now()).toEqual({});
});

test('lists the tasks of every kind of desktops, easiest first', async () => {
  const { ask } = await served();
  const { kind, tasks } = await ask('record.tasks');
  expect(kind).toBe('pocket');
  expect(tasks.map(({ tier }) => tier)).toEqual(tasks.map(({ tier }) => tier).sort());
  expect(tasks.find(({ task }) => task === TASK)).toMatchObject({
    splits: expect.arrayContaining(['train']),
  });
  const web = await ask('record.tasks', { kind: 'web' });
  expect(web.kind).toBe('web');
  expect(web.tasks.length).toBeGreaterThan(0);
});

test('rejects what cannot be recorded, with the reason', async () => {
  const { ask } = await served({ isGuest: true });
  await expect(ask('record.start', { task: 'no-such-task', who: 'Ada' })).rejects.toThrow(
    "no task 'no-such-task'",
  );
  await expect(ask('record.start', { task: TASK, split: 'unseen', who: 'Ada' })).rejects.toThrow(
    'no instances of the split',
  );
  await expect(ask('record.start', { task: TASK, kind: 'offline', who: 'Ada' })).rejects.toThrow(
    'their screens do not react',
  );
  const { tasks } = await ask('record.tasks', { kind: 'docker' });
  await expect(ask('record.start', { task: tasks[0]?.task, kind: 'docker', who: 'Ada' })).rejects.toThrow(
    'while a run trains',
  );
  await expect(ask('record.takeOver', { desktop: 'd0', who: 'Ada' })).rejects.toThrow('no run trains');
  await expect(ask('record.takeOver', { desktop: '../d0', who: 'Ada' })).rejects.toThrow('params.desktop');
  await expect(ask('record.look', { recording: 'r', frame: 0, change: 0 })).rejects.toThrow('not_found');
  await expect(ask('record.now', { surplus: 1 })).rejects.toThrow('bad_request');
});

test('a read-only daemon records nothing', async () => {
  const { ask, client } = await served({ readOnly: true });
  await expect(ask('record.start', { task: TASK, who: 'Ada' })).rejects.toThrow('read-only');
  expect(JSON.stringify(client.messages)).not.toContain('"record.tasks"');
});

/** The workspace has one agent, which proposes these turns. */
const scripted = (...turns: readonly ScriptedTurn[]): RecordingAgents => ({
  names: () => ['scripted'],
  open: async () => playing(new ScriptedAgent(...turns)),
});

/** Its solution is three clicks. */
const LIVE = 'settings-alert-sound';

test('an agent acts live; its decisions are sent on demand; a correction is learned from where the person began', async () => {
  const { actions } = solutionOf(POCKET, POCKET.task(LIVE, seed(3)), seed(3));
  const [first = { kind: 'wait' } as const, ...others] = actions;
  const daemon = await served({ agents: scripted(first, { kind: 'wait' }) });
  const { ask, until, store, pool } = daemon;
  expect((await ask('record.tasks')).agents).toEqual(['scripted']);
  const { recording } = await ask('record.run', {
    ...{ agent: 'scripted', from: 'run-1', mode: 'approve', task: LIVE, seed: 3, who: 'Ada' },
  });
  const proposed = await until(recording, ({ pilot }) => pilot?.proposal !== undefined);
  expect(proposed).toMatchObject({ steps: [], pilot: { from: 'run-1' } });
  const { from, each } = await ask('record.decision', { recording, step: 0 });
  expect(from).toBe(0);
  expect(each).toMatchObject([
    {
      action: first,
      chosen: { version: 7, decisions: [{ head: 'pointer', alternatives: [{ isChosen: true }, {}] }] },
    },
  ]);
  await expect(ask('record.decision', { recording, step: 4 })).rejects.toThrow('no step 4');
  await ask('record.approve', { recording, step: 0, approved: true });
  await until(recording, ({ steps, pilot }) => steps.length === 1 && pilot?.proposal !== undefined);
  expect(await ask('record.approve', { recording, step: 1, approved: false })).toMatchObject({
    pilot: { mode: 'pause' },
  });
  let time = 0;
  for (const action of others) {
    time += 1000;
    const inputs = eventsOf(action).map((event, index) => ({ event, time: time + index, frame: 1 }));
    await ask('record.input', { recording, inputs });
  }
  await ask('record.finish', { recording, ending: 'finished' });
  await ask('record.save', { recording, drop: [] });
  const { trajectory = '', steps } = await until(recording, ({ phase }) => phase === 'saved');
  expect(steps.map(({ by }) => by)).toEqual(['agent', ...others.map(() => undefined), undefined]);
  const row = await store.index.row(trajectoryId(trajectory));
  expect(row).toMatchObject({ provenance: 'human', isInPool: true, trim: { from: 1, to: steps.length } });
  expect(row?.run).toBeUndefined();
  // A run that starts learns from that part alone.
  const tasks = POCKET.tasks('train');
  const run = { run: runId('r'), tasks, demonstrationSeeds: new Set([seed(3)]) };
  const [summary] = await pool.memory(run).summaries();
  expect(summary).toMatchObject({ id: trajectory, part: { from: 1, to: steps.length } });
});

test('an agent pauses when its client leaves, and unknown agents are rejected', async () => {
  const daemon = await served({ agents: scripted({ kind: 'wait' }) });
  const { ask, until, recordings, client } = daemon;
  await expect(ask('record.run', { agent: 'tars', mode: 'run', who: 'Ada' })).rejects.toThrow(
    'Choose scripted',
  );
  await expect(ask('record.run', { agent: 'scripted', mode: 'run', seed: 3, who: 'Ada' })).rejects.toThrow(
    'needs a task',
  );
  const { recording } = await ask('record.run', { agent: 'scripted', mode: 'approve', who: 'Ada' });
  const { split } = await until(recording, ({ pilot }) => pilot?.proposal !== undefined);
  expect(split).toBe('train');
  client.socket.close();
  await expect.poll(() => recordings.now().recording?.pilot?.mode).toBe('pause');
  expect(recordings.now().recording?.pilot?.proposal).toBeDefined();
});

test('an instruction finds an instance for training that fits; that of a task is judged by its evaluator', async () => {
  const { ask } = await served({ agents: scripted() });
  const { instruction } = POCKET.task(TASK, seed(0));
  const judged = await ask('record.run', { agent: 'scripted', mode: 'pause', instruction, who: 'Ada' });
  expect(judged).toMatchObject({ instruction, isOwn: false, split: 'train' });
  await ask('record.discard', { recording: judged.recording });
  const own = await ask('record.run', {
    ...{ agent: 'scripted', mode: 'pause', who: 'Ada', instruction: 'Please switch on the night light now' },
  });
  expect(own).toMatchObject({ isOwn: true, split: 'train' });
});
