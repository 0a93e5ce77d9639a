// What people do on real desktops, as tests for any kind of desktops whose screens cannot be redrawn: take one over from a host that plays,
// and watch and correct an agent.

import { expect, onTestFinished, test } from 'vitest';
import type { Config } from '../../runtime/config/config.ts';
import type { Action } from '../../runtime/core/action.ts';
import { trajectoryId } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { type Instance, stepLimit } from '../../runtime/core/task.ts';
import type { PersonDemonstration } from '../../runtime/person/demonstration.ts';
import { openRecordingDesktop } from '../../runtime/person/open-desktop.ts';
import type { RecordingDesktop } from '../../runtime/person/recording-options.ts';
import type { RecordingState } from '../../runtime/protocol/daemon/record.ts';
import { openSuite } from '../../runtime/run/suite.ts';
import { PATIENCE } from '../patience.ts';
import { handOn } from './hand-on.ts';
import { live } from './live.ts';
import { EPISODE_STEPS, playingHost } from './playing-host.ts';

interface RealDesktops {
  readonly config: Config;
  readonly task: string;
  /** A solution by hand. After its first action, letters go to a text field. */
  readonly solution: (instance: Instance) => Promise<readonly Action[]>;
  /** Of the host that plays. */
  readonly orders?: number;
}

const WAIT: Action = { kind: 'wait' };
const FINISHED: Action = { kind: 'finished', answer: '' };

/** `of` is called in each test. */
export function takenOver(of: () => RealDesktops | Promise<RealDesktops>): void {
  test('continues the episode by hand: the solved task is kept with the steps of both, and each order is played once', async () => {
    const { instances, takeOver, isThinking, letGo, finished, isQuiet, store, accepted, solution } =
      await playing(await of());
    await expect.poll(isThinking, PATIENCE).toBe(true);
    const recording = await takeOver();
    await expect.poll(() => recording.state.phase, PATIENCE).toBe('acting');
    const { task, steps } = recording.state;
    expect(recording.state).toMatchObject({ isDeterministic: false, hasSolution: false, desktop: 'd0' });
    expect(steps.every(({ by, action }) => by === 'agent' && action.kind === 'wait')).toBe(true);
    const instance = instances.find(({ seed }) => seed === recording.state.seed);
    if (instance === undefined) throw new Error(`No order was of seed ${recording.state.seed}.`);
    expect(task).toBe(instance.task);
    await handOn(recording)(await solution(instance));
    await recording.finish('finished', undefined);
    expect(recording.state.judgement).toMatchObject({ success: true });
    await recording.save([]);
    await expect.poll(() => recording.state.phase, PATIENCE).not.toBe('checking');
    expect(recording.state.problem).toBeUndefined();
    expect(recording.state.phase).toBe('saved');

    const saved = await store.read(trajectoryId(accepted[0] ?? ''));
    expect(saved).toMatchObject({
      instance,
      purpose: 'demonstrate',
      provenance: { kind: 'human', who: 'Ada' },
    });
    if (saved.frames.kind !== 'png') throw new Error('These desktops keep their screens.');
    expect(saved.frames.images).toHaveLength(saved.steps.length + 1);
    // The steps of the agent are not imitated.
    const row = await store.index.row(saved.id);
    const trim = steps.length > 0 && { trim: { from: steps.length, to: saved.steps.length } };
    expect(row).toMatchObject({ ...trim });

    letGo();
    const played = [];
    for (const _ of instances) played.push(await finished());
    expect(played.map(({ order }) => order).sort()).toEqual(instances.map((_, index) => `o${index}`));
    for (const { outcome, steps, provenance } of played) {
      expect(outcome).toMatchObject({ kind: 'judged', ending: 'capped' });
      expect(steps.map(({ action }) => action)).toEqual(Array(EPISODE_STEPS).fill(WAIT));
      expect(provenance).toEqual({ kind: 'rollout' });
    }
    expect(await isQuiet()).toBe(true);
  });

  test('shows what the hand does, judges a task that is not solved, starts over, and is given back', async () => {
    const { instances, recordings, takeOver, isThinking, letGo, finished, accepted, solution } =
      await playing(await of());
    await expect.poll(isThinking, PATIENCE).toBe(true);
    const recording = await takeOver();
    await expect.poll(() => recording.state.phase, PATIENCE).toBe('acting');
    const [instance] = instances;
    // The first action may give a text field the focus.
    const [first = WAIT] = instance === undefined ? [] : await solution(instance);
    const act = handOn(recording);
    await act([first]);
    const { result, png } = await recording.look(0, 0);
    await act([{ kind: 'type', text: 'mine' }]);
    const after = await recording.look(0, 0);
    expect(after.result.frame).toBeGreaterThan(result.frame);
    expect(Buffer.compare(after.png, png)).not.toBe(0);
    expect(recording.state.steps.at(-1)).toMatchObject({
      action: { kind: 'type', text: expect.stringMatching(/mine$/) },
    });
    await recording.finish('finished', undefined);
    expect(recording.state.judgement).toMatchObject({ success: false });
    await recording.restart();
    expect(recording.state).toMatchObject({ phase: 'acting', steps: [], desktop: 'd0' });
    await recording.discard();
    expect(recordings.now()).toEqual({});
    letGo();
    for (const _ of instances)
      expect(await finished()).toMatchObject({
        provenance: { kind: 'rollout' },
        outcome: { ending: 'capped' },
      });
    expect(accepted).toEqual([]);
  });
}

async function playing({ config, task, solution, orders = 1 }: RealDesktops) {
  return { ...(await playingHost(config, task, orders)), solution };
}

interface LiveParts {
  readonly config: Config;
  readonly instance: Instance;
  /** At least two actions that solve the instance. */
  readonly actions: readonly Action[];
  readonly opened: RecordingDesktop;
}

interface CorrectedLive {
  readonly saved: RecordingState;
  readonly kept: PersonDemonstration;
}

/** An agent solves the instance alone, then with one action by the person. Checks what is kept. */
export async function actedLive({ config, instance, actions, opened }: LiveParts): Promise<CorrectedLive> {
  const suite = await openSuite(config);
  const task = suite.task(instance.task, instance.seed);
  const options = {
    ...{ kind: config.environments.kind, task, instance, maxSteps: stepLimit(task) + 5, mode: config.mode },
    open: async () => ({ ...opened, close: async () => undefined }),
  };
  const alone = live([...actions, FINISHED], { ...options, fly: 'run' });
  expect(await alone.until(({ phase }) => phase === 'judged')).toMatchObject({
    judgement: { success: true },
  });
  await alone.recording.save([]);
  await alone.until(({ phase }) => phase === 'saved');
  const success = alone.kept[0]?.trajectory;
  expect(success).toMatchObject({ purpose: 'collect', provenance: { kind: 'rollout' } });
  expect(success?.frames.kind === 'png' && success.frames.images.length).toBe(actions.length + 2);

  const [first = FINISHED, second = FINISHED, ...others] = actions;
  const { recording, kept, until, act, proposed } = live([first, WAIT, ...others, FINISHED], {
    ...options,
    fly: 'approve',
  });
  await proposed();
  recording.approve(0, true);
  await until(({ steps, pilot }) => steps.length === 1 && pilot?.proposal !== undefined);
  await act(second);
  recording.fly('run');
  expect(await until(({ phase }) => phase === 'judged')).toMatchObject({ judgement: { success: true } });
  await recording.save([]);
  const saved = await until(({ phase }) => phase === 'saved' || phase === 'judged');
  expect(saved.problem).toBeUndefined();
  const [demonstration] = kept;
  if (demonstration === undefined) throw new Error('A saved demonstration was not kept.');
  const { trajectory, taught } = demonstration;
  expect(trajectory.provenance).toEqual({ kind: 'human', who: 'Ada' });
  expect(taught?.from).toBeGreaterThan(0);
  expect(taught?.to).toBe(trajectory.steps.length);
  return { saved, kept: demonstration };
}

/** The scripted solution of an instance, without its end. */
export async function scriptedActions(config: Config, instance: Instance): Promise<readonly Action[]> {
  const opened = await openForTest(config);
  const actions = await opened.solution?.(instance, new AbortController().signal);
  await opened.close();
  return actions?.filter(({ kind }) => kind !== 'finished') ?? [];
}

/** Closes after the test, unless the test closes it. */
export async function openForTest(config: Config): Promise<RecordingDesktop> {
  const { signal } = new AbortController();
  const opened = await openRecordingDesktop({ config, clock: systemClock, random: seeded('real') }, signal);
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await opened.close();
    isClosed = true;
  };
  onTestFinished(close);
  return { ...opened, close };
}
