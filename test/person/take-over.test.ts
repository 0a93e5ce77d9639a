// A person takes a desktop over from a run that trains, solves its task, and gives the desktop back.

import { expect, onTestFinished, test } from 'vitest';
import { eventsOf } from '../../runtime/bench/panels/hand.ts';
import { parseConfig } from '../../runtime/config/config.ts';
import { desktopId, type TrajectoryId, trajectoryId } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { POCKET, solutionOf } from '../../runtime/environments/pocket/tasks/suite.ts';
import { PersonRecordings } from '../../runtime/person/recordings.ts';
import type { RecordingState } from '../../runtime/protocol/daemon/record.ts';
import { opened } from '../data/open-stores.ts';
import { folder } from '../data/trajectories.ts';
import { PATIENCE } from '../patience.ts';
import { type LentOptions, lentDesktops } from '../run/host/lent-desktops.ts';

const WAIT = { kind: 'wait' } as const;
const D0 = desktopId('d0');

/** Steps after which the agent thinks until it is let go. */
const PLAYED = 2;

async function training(options: LentOptions = {}, config = parseConfig({})) {
  const { clock = systemClock, size = 1 } = options;
  let letGo = () => {};
  const isFree = new Promise<void>(resolve => {
    letGo = resolve;
  });
  const thinks = (step: number) => (step < PLAYED ? clock.sleep(10) : isFree);
  const lent = lentDesktops({ ...{ thinks, acts: 1, agentAction: () => WAIT }, ...options, size, clock });
  const { store } = await opened({ root: folder() });
  const accepted: TrajectoryId[] = [];
  let isTraining = true;
  const recordings = new PersonRecordings({
    ...{ store, clock, random: seeded('recordings'), isGuest: () => true },
    config: async () => parseConfig({}),
    accept: async id => void accepted.push(id),
    training: () => (isTraining ? { config, fabric: lent.daemon } : undefined),
  });
  const host = () => {
    const made = lent.host();
    // Before the host ends.
    onTestFinished(() => recordings.close());
    return made;
  };
  const me = {};
  const state = (): RecordingState => {
    const { recording } = recordings.now();
    if (recording === undefined) throw new Error('Nobody records.');
    return recording;
  };
  const present = () => recordings.of(state().recording, me);
  const until = async (fits: (found: RecordingState) => boolean) => {
    const recording = present();
    await expect.poll(() => fits(recording.state), PATIENCE).toBe(true);
    return recording.state;
  };
  const end = () => {
    isTraining = false;
  };
  /** Every desktop is in the middle of an episode. */
  const played = () => expect.poll(lent.acted, PATIENCE).toBe(PLAYED * size);
  return {
    ...lent,
    host,
    store,
    accepted,
    recordings,
    me,
    present,
    until,
    played,
    letGo: () => letGo(),
    end,
  };
}

test('the agent’s steps are those of the recording; the person solves the task, and it is saved', async () => {
  const { host, put, recordings, me, until, present, played, letGo, finished, store, accepted } =
    await training();
  const { lending } = host();
  await put(1);
  await played();
  await recordings.takeOver({ desktop: D0, who: 'Ada' }, me);
  const { steps, task, seed, split, maxSteps, tier } = await until(({ phase }) => phase === 'acting');
  expect(lending.isHeld(D0)).toBe(true);
  expect(steps.map(({ by, action }) => [by, action.kind])).toEqual(Array(PLAYED).fill(['agent', 'wait']));
  expect(present().state).toMatchObject({ desktop: 'd0', hasSolution: false, isDeterministic: true });
  expect({ split, tier }).toEqual({ split: 'train', tier: 1 });
  expect(maxSteps).toBeGreaterThan(1);
  const number = seed as ReturnType<typeof POCKET.seed>;
  const { actions, ending } = solutionOf(POCKET, POCKET.task(task, number), number);
  let time = 0;
  for (const event of actions.flatMap(eventsOf)) {
    time += 1000;
    await present().input([{ event, time, frame: 1 }]);
  }
  const recording = present();
  await recording.finish(ending, undefined);
  expect(recording.state).toMatchObject({ phase: 'judged', judgement: { success: true } });
  await recording.save([]);
  // A page that is closed meanwhile does not interrupt it.
  await recordings.leave(recording.state.recording, me);
  await expect.poll(() => recording.state.phase, PATIENCE).toBe('saved');
  const { trajectory = '' } = recording.state;
  expect(accepted).toEqual([trajectory]);
  const saved = await store.read(trajectoryId(trajectory));
  expect(saved).toMatchObject({ purpose: 'demonstrate', provenance: { kind: 'human', who: 'Ada' } });
  // The steps of the agent are not imitated.
  const row = await store.index.row(trajectoryId(trajectory));
  expect(row).toMatchObject({ trim: { from: PLAYED, to: saved.steps.length } });
  // It belongs to no group of the run.
  for (const field of ['order', 'run', 'group']) expect(saved).not.toHaveProperty(field);
  // The desktop trains again, and plays the order from its start.
  letGo();
  await expect.poll(() => lending.isHeld(D0), PATIENCE).toBe(false);
  await expect.poll(finished, PATIENCE).toMatchObject([{ provenance: { kind: 'rollout' } }]);
});

test.each(['its page is closed', 'the daemon ends'])('a save in progress is finished when %s', async end => {
  const clock = new VirtualClock(1_800_000_000_000);
  let acts = 10;
  const { host, put, recordings, me, rest, present, until, accepted } = await training({
    ...{ clock, acts: () => acts },
  });
  host();
  await put(1);
  await rest(60);
  await recordings.takeOver({ desktop: D0, who: 'Ada' }, me);
  const { task, seed } = await until(({ phase }) => phase === 'acting');
  const recording = present();
  const number = seed as ReturnType<typeof POCKET.seed>;
  const { actions, ending } = solutionOf(POCKET, POCKET.task(task, number), number);
  for (const event of actions.flatMap(eventsOf)) {
    const performed = recording.input([{ event, time: clock.now(), frame: 1 }]);
    await rest(1000);
    await performed;
  }
  await recording.finish(ending, undefined);
  // Each replay takes longer than the desktop waits for its person.
  acts = 61_000;
  await recording.save([]);
  let ended: Promise<void> | undefined;
  if (end === 'the daemon ends') ended = recordings.close();
  else {
    await recordings.leave(recording.state.recording, me);
    recordings.ownerLeft(me);
  }
  await rest(60_500);
  expect(recording.state.phase).toBe('checking');
  await rest(3_600_000);
  await ended;
  await expect.poll(() => recording.state.phase, PATIENCE).not.toBe('checking');
  expect(recording.state).toMatchObject({ phase: 'saved', trajectory: expect.any(String) });
  expect(accepted).toEqual([recording.state.trajectory]);
  expect(recordings.now()).toEqual({});
});

test('it is given back with nothing stored, and the order is played', async () => {
  const { host, put, recordings, me, until, present, played, letGo, finished, accepted } = await training();
  const { lending } = host();
  await put(1);
  await played();
  await recordings.takeOver({ desktop: D0, who: 'Ada' }, me);
  await until(({ phase }) => phase === 'acting');
  await present().discard();
  expect(lending.isHeld(D0)).toBe(false);
  letGo();
  await expect.poll(finished, PATIENCE).toMatchObject([{ provenance: { kind: 'rollout' } }]);
  expect(accepted).toEqual([]);
});

test('the instance starts over without the steps of the agent', async () => {
  const { host, put, recordings, me, until, present, played } = await training();
  host();
  await put(1);
  await played();
  await recordings.takeOver({ desktop: D0, who: 'Ada' }, me);
  await until(({ phase }) => phase === 'acting');
  await present().restart();
  expect(present().state).toMatchObject({ phase: 'acting', steps: [], desktop: 'd0' });
});

test('a person records one thing at a time, and a second desktop stays with the training', async () => {
  const { host, put, recordings, me, until, played } = await training({ size: 2 });
  const { lending } = host();
  await put(2);
  await played();
  const both = ['d0', 'd1'].map(name =>
    recordings.takeOver({ desktop: desktopId(name), who: 'Ada' }, me).then(
      () => 'taken',
      (error: Error) => error.message,
    ),
  );
  expect((await Promise.all(both)).filter(result => result !== 'taken')).toEqual([
    expect.stringContaining('under way'),
  ]);
  await until(({ phase }) => phase === 'acting');
  expect(['d0', 'd1'].filter(name => lending.isHeld(desktopId(name)))).toHaveLength(1);
});

test('what cannot be taken over is refused with the reason', async () => {
  const { host, recordings, me, end } = await training();
  const { pool } = host();
  await expect.poll(() => pool.currentUses(), PATIENCE).toEqual(['idle']);
  const take = (desktop: string) => recordings.takeOver({ desktop: desktopId(desktop), who: 'Ada' }, me);
  await expect(take('d9')).rejects.toThrow(/^Desktop d9 cannot be taken over: the run has no such desktop/);
  await expect(take('d0')).rejects.toThrow('plays no episode');
  end();
  await expect(take('d0')).rejects.toThrow('no run trains');
  expect(recordings.now()).toEqual({});
});

test('a desktop whose task has gone from the suite returns at once, with the reason', async () => {
  const { host, put, recordings, me, played } = await training(
    {},
    // The suite of another kind of desktops has none of the tasks.
    parseConfig({ environments: { kind: 'docker' } }),
  );
  const { lending } = host();
  await put(1);
  await played();
  await expect(recordings.takeOver({ desktop: D0, who: 'Ada' }, me)).rejects.toThrow(
    /^Desktop d0 cannot be taken over, because its task '.*' cannot be made: .* Put the file of the task back/,
  );
  expect(lending.isHeld(D0)).toBe(false);
  expect(recordings.now()).toEqual({});
});

test('a run that ends meanwhile fails the recording with the reason, and nothing hangs', async () => {
  const { host, put, recordings, me, until, present, played, daemon } = await training();
  const { end } = host();
  await put(1);
  await played();
  await recordings.takeOver({ desktop: D0, who: 'Ada' }, me);
  await until(({ phase }) => phase === 'acting');
  const recording = present();
  await Promise.all([end(), daemon.close()]);
  // Nobody has to act to learn it.
  await expect.poll(() => recording.state.phase, PATIENCE).toBe('failed');
  await expect(recording.input([{ event: { kind: 'wait' }, time: 0, frame: 1 }])).rejects.toThrow(
    "'failed' cannot take input",
  );
  expect(recording.state).toMatchObject({
    phase: 'failed',
    problem: expect.stringContaining('run has ended'),
  });
  await recording.discard();
  expect(recordings.now()).toEqual({});
});

test('the desktop goes back after a while without its owner', async () => {
  const clock = new VirtualClock(1_800_000_000_000);
  const { host, put, recordings, me, rest, present } = await training({ clock });
  const { lending } = host();
  await put(1);
  await rest(60);
  await recordings.takeOver({ desktop: D0, who: 'Ada' }, me);
  present();
  recordings.ownerLeft(me);
  await rest(59_000);
  expect(lending.isHeld(D0)).toBe(true);
  await rest(2000);
  await expect.poll(() => lending.isHeld(D0), PATIENCE).toBe(false);
  expect(recordings.now()).toEqual({});
});

test('in an editor one page takes the desktop over, and another one shows it', async () => {
  const clock = new VirtualClock(1_800_000_000_000);
  const { host, put, recordings, me, rest, present } = await training({ clock });
  const { lending } = host();
  await put(1);
  await rest(60);
  const wall = {};
  const { recording } = await recordings.takeOver({ desktop: D0, who: 'Ada' }, wall);
  present();
  // The page with the wall stays open beside it.
  expect(() => recordings.of(recording, wall)).toThrow('Another window owns');
  recordings.ownerLeft(wall);
  await rest(61_000);
  expect(lending.isHeld(D0)).toBe(true);
  expect(present().isOpen).toBe(true);
  recordings.ownerLeft(me);
});

test.each([
  ['before its connection ends', true],
  ['after its connection ended', false],
])('a page that is closed for good gives the desktop back at once, %s', async (_name, isFirst) => {
  const clock = new VirtualClock(1_800_000_000_000);
  const { host, put, recordings, me, rest, present } = await training({ clock });
  const { lending } = host();
  await put(1);
  await rest(60);
  const { recording } = await recordings.takeOver({ desktop: D0, who: 'Ada' }, me);
  present();
  // Others that show it no more change nothing while its owner stays.
  const editor = {};
  await recordings.leave(recording, editor);
  present();
  await rest(1000);
  expect(lending.isHeld(D0)).toBe(true);
  // The request may overtake the end of the connection.
  if (isFirst) await recordings.leave(recording, editor);
  recordings.ownerLeft(me);
  if (!isFirst) void recordings.leave(recording, editor);
  await rest(10);
  await expect.poll(() => lending.isHeld(D0), PATIENCE).toBe(false);
  expect(recordings.now()).toEqual({});
});

test('the owner that leaves for good gives the desktop back', async () => {
  const { host, put, recordings, me, until, present, played } = await training();
  const { lending } = host();
  await put(1);
  await played();
  const { recording } = await recordings.takeOver({ desktop: D0, who: 'Ada' }, me);
  await until(({ phase }) => phase === 'acting');
  expect(present().isOpen).toBe(true);
  await recordings.leave(recording, me);
  expect(lending.isHeld(D0)).toBe(false);
});

test('a desktop that returns by itself is reported at once, without an input', async () => {
  const clock = new VirtualClock(1_800_000_000_000);
  const { host, put, recordings, me, rest, present } = await training({ clock });
  const { lending } = host();
  await put(1);
  await rest(60);
  await recordings.takeOver({ desktop: D0, who: 'Ada' }, me);
  const recording = present();
  await rest(301_000);
  expect(lending.isHeld(D0)).toBe(false);
  const { phase, problem } = recording.state;
  expect({ phase, problem }).toEqual({ phase: 'failed', problem: expect.stringContaining('nobody used it') });
});

test('a client that disconnects while it waits for the desktop leaves it to others, and then to the training', async () => {
  const clock = new VirtualClock(1_800_000_000_000);
  const { host, put, recordings, me, rest } = await training({ clock, acts: 1000 });
  const { lending } = host();
  await put(1);
  await rest(60);
  let recording = '';
  const taking = recordings.takeOver({ desktop: D0, who: 'Ada' }, me).then(state => {
    ({ recording } = state);
  });
  recordings.ownerLeft(me);
  await expect.poll(() => rest(100).then(() => recording), PATIENCE).not.toBe('');
  await taking;
  expect(lending.isHeld(D0)).toBe(true);
  // Another client may continue.
  const other = {};
  expect(recordings.of(recording, other).state).toMatchObject({ recording });
  recordings.ownerLeft(other);
  await rest(61_000);
  await expect.poll(() => lending.isHeld(D0), PATIENCE).toBe(false);
});

test('a client that asks keeps the desktop; one that stops asking loses it', async () => {
  const clock = new VirtualClock(1_800_000_000_000);
  const { host, put, recordings, me, rest, present } = await training({ clock });
  const { lending } = host();
  await put(1);
  await rest(60);
  await recordings.takeOver({ desktop: D0, who: 'Ada' }, me);
  for (let minute = 0; minute < 10; minute++) {
    present();
    await rest(60_000);
  }
  present();
  expect(lending.isHeld(D0)).toBe(true);
  await rest(301_000);
  expect(lending.isHeld(D0)).toBe(false);
});
