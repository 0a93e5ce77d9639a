// A person and an agent on one desktop: who acts when, and what is kept of it.

import { describe, expect, test } from 'vitest';
import type { Action } from '../../runtime/core/action.ts';
import { desktopId, seed } from '../../runtime/core/ids.ts';
import { isSuccess } from '../../runtime/core/verdict.ts';
import { PocketDesktop } from '../../runtime/environments/pocket/desktop.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import type { PersonDemonstration } from '../../runtime/person/demonstration.ts';
import { replayActions } from '../../runtime/person/replay.ts';
import { CountedDesktop } from './counted-desktop.ts';
import { live, solution, TASK } from './live.ts';

const SOLUTION = solution();
const WAIT: Action = { kind: 'wait' };
const FINISHED: Action = { kind: 'finished', answer: '' };
const kinds = (steps: readonly { readonly action: Action }[]) => steps.map(({ action }) => action.kind);

describe('an agent', () => {
  test('does a task by itself, and its success is kept as one of its own', async () => {
    const { recording, kept, until, player } = live(SOLUTION, { fly: 'run' });
    const judged = await until(({ phase }) => phase === 'judged');
    expect(judged).toMatchObject({ judgement: { success: true, ending: 'finished' } });
    expect(judged.steps.every(({ by }) => by === 'agent')).toBe(true);
    expect(kinds(judged.steps)).toEqual(kinds(SOLUTION.map(action => ({ action }))));
    await recording.save([]);
    await until(({ phase }) => phase === 'saved');
    const [{ trajectory, taught }] = kept as [PersonDemonstration];
    expect(taught).toBeUndefined();
    expect(trajectory).toMatchObject({
      ...{ purpose: 'collect', provenance: { kind: 'rollout' }, agent: 'scripted' },
      ...{ frames: { kind: 'redrawn' }, outcome: { kind: 'judged', ending: 'finished' } },
    });
    expect(trajectory).not.toHaveProperty('order');
    expect(trajectory).not.toHaveProperty('group');
    expect(trajectory.steps.every(({ chosen }) => chosen?.version === 7)).toBe(true);
    expect(player.closed).toBe(1);
  });

  test('decides at temperature 0, on the instruction of the recording', async () => {
    const { agent, until } = live(SOLUTION, { instruction: 'Write my way.' });
    await until(({ phase }) => phase === 'acting');
    expect(agent.tasks).toMatchObject([{ temperature: 0, exploration: 0, instruction: 'Write my way.' }]);
    expect(agent.calls).toEqual([]);
  });

  test('that waits performs nothing without approval, and exactly the proposal with it', async () => {
    const { recording, agent, until, proposed } = live(SOLUTION, { fly: 'approve' });
    for (const [index, action] of SOLUTION.slice(0, -1).entries()) {
      const { steps, pilot } = await proposed();
      expect(steps).toHaveLength(index);
      expect(pilot?.proposal?.action).toEqual(action);
      await recording.look(0, recording.state.change);
      expect(recording.state.steps).toHaveLength(index);
      recording.approve(index, true);
      await until(state => state.steps.length === index + 1);
      expect(recording.state.steps.at(-1)).toMatchObject({ action, by: 'agent' });
    }
    await proposed();
    recording.approve(SOLUTION.length - 1, true);
    expect(await until(({ phase }) => phase === 'judged')).toMatchObject({ judgement: { success: true } });
    expect(agent.log.filter(call => call === 'next')).toHaveLength(SOLUTION.length);
  });

  test('acts once for each step', async () => {
    const { recording, agent, until } = live(SOLUTION);
    await until(({ phase }) => phase === 'acting');
    for (let steps = 1; steps < SOLUTION.length; steps++) {
      recording.fly('step');
      await until(state => state.steps.length === steps && state.pilot?.mode === 'pause');
      expect(agent.left).toBe(SOLUTION.length - steps);
    }
  });

  test.each(SOLUTION.map((_, index) => index))('pauses after %i steps, and continues', async count => {
    const { recording, until, settled, agent } = live(SOLUTION);
    await until(({ phase }) => phase === 'acting');
    recording.fly('run');
    await until(({ steps }) => steps.length >= count);
    if (recording.state.phase === 'acting') {
      recording.fly('pause');
      await settled();
      const { length } = recording.state.steps;
      for (let looks = 0; looks < 3; looks++) await recording.look(0, recording.state.change);
      expect(recording.state.steps).toHaveLength(length);
      recording.fly('run');
    }
    expect(await until(({ phase }) => phase === 'judged')).toMatchObject({ judgement: { success: true } });
    expect(agent.log.filter(call => call === 'next')).toHaveLength(SOLUTION.length);
  });

  test('whose answer is about another proposal is refused', async () => {
    const { recording, proposed, until } = live(SOLUTION, { fly: 'approve' });
    await proposed();
    expect(() => recording.approve(1, true)).toThrow('does not propose step 1');
    recording.approve(0, false);
    await until(({ pilot }) => pilot?.mode === 'pause' && pilot.proposal === undefined);
    expect(() => recording.approve(0, true)).toThrow('does not propose step 0');
    expect(recording.state.steps).toEqual([]);
  });

  test('performs the actions of one turn one by one, and only those that are wanted', async () => {
    const [first = WAIT, second = WAIT, ...others] = SOLUTION;
    const { recording, agent, proposed, until, act } = live([[first, second], ...others], { fly: 'approve' });
    await proposed();
    recording.approve(0, true);
    await until(({ steps, pilot }) => steps.length === 1 && pilot?.proposal !== undefined);
    expect(recording.state.pilot?.proposal?.action).toEqual(second);
    expect(recording.decision(1)).toMatchObject({ from: 0, steps: [{ action: first }, { action: second }] });
    await act(second);
    recording.fly('run');
    expect(await until(({ phase }) => phase === 'judged')).toMatchObject({ judgement: { success: true } });
    expect(agent.log.slice(0, 4)).toEqual([
      'next',
      `acted ${first.kind}`,
      `witnessed ${second.kind}`,
      'next',
    ]);
  });

  test('has no reply for the part of a turn whose rest the person rejected', async () => {
    const [first = WAIT, second = WAIT, ...others] = SOLUTION;
    const half = [first, WAIT] as const;
    const { recording, kept, proposed, until } = live([half, [second, ...others]], { fly: 'approve' });
    await proposed();
    recording.approve(0, true);
    await until(({ steps, pilot }) => steps.length === 1 && pilot?.proposal !== undefined);
    recording.approve(1, false);
    recording.fly('run');
    expect(await until(({ phase }) => phase === 'judged')).toMatchObject({ judgement: { success: true } });
    await recording.save([]);
    await until(({ phase }) => phase === 'saved');
    const [{ trajectory }] = kept as [PersonDemonstration];
    expect(trajectory.purpose).toBe('collect');
    expect(trajectory.steps[0]).toEqual({ action: first, meant: [] });
    const traces = trajectory.steps.slice(1).map(({ chosen }) => chosen?.trace.kind);
    expect(traces).toEqual(['heads', ...others.map(() => 'same-turn')]);
  });

  test('that fails to decide pauses with the reason, and decides when it is asked again', async () => {
    const { recording, until } = live([new Error('No server answers. Start it.'), ...SOLUTION], {
      fly: 'run',
    });
    const paused = await until(({ pilot }) => pilot?.problem !== undefined);
    expect(paused).toMatchObject({
      ...{ phase: 'acting', steps: [] },
      pilot: { mode: 'pause', isDeciding: false, problem: expect.stringContaining('No server answers') },
    });
    recording.fly('run');
    expect(await until(({ phase }) => phase === 'judged')).toMatchObject({ judgement: { success: true } });
  });

  test('shows the trouble of its servers while it decides', async () => {
    const { agent, player, until, recording } = live(SOLUTION);
    await until(({ phase }) => phase === 'acting');
    let answer: () => void = () => undefined;
    agent.thinking = () =>
      new Promise(resolve => {
        answer = resolve;
      });
    recording.fly('step');
    await until(({ pilot }) => pilot?.isDeciding === true);
    player.health.report('lab', false, 'Connection refused.');
    expect(recording.state.pilot?.problem).toContain('Connection refused');
    answer();
    await until(({ steps }) => steps.length === 1);
    expect(recording.state.pilot?.problem).toBeUndefined();
  });

  test('that cannot open reports it, and needs no desktop', async () => {
    let opened = 0;
    const { until } = live([], {
      pilot: { agent: 'scripted', mode: 'run', open: () => Promise.reject(new Error('No key. Set it.')) },
      open: async () => {
        opened += 1;
        throw new Error('not reached');
      },
    });
    expect(await until(({ phase }) => phase !== 'opening')).toMatchObject({
      ...{ phase: 'failed', problem: expect.stringContaining('No key') },
    });
    expect(opened).toBe(0);
  });

  test.each([
    ['between turns', [WAIT, WAIT, WAIT]],
    ['within a turn', [[WAIT, WAIT, WAIT]]],
  ] as const)('ends at its step limit, %s', async (_, turns) => {
    const capped = live(turns, { fly: 'run', maxSteps: 2 });
    const { judgement, steps } = await capped.until(({ phase }) => phase === 'judged');
    expect(judgement).toMatchObject({ ending: 'capped', success: false });
    expect(steps.map(({ by }) => by)).toEqual(['agent', 'agent']);
  });

  test('the person may go on before its step limit', async () => {
    const { recording, until, act } = live([WAIT, WAIT], { maxSteps: 2 });
    await until(({ phase }) => phase === 'acting');
    recording.fly('step');
    await until(({ steps }) => steps.length === 1);
    for (const action of SOLUTION.slice(0, -1)) await act(action);
    await recording.finish('finished', undefined);
    expect(recording.state.judgement).toMatchObject({ success: true });
  });

  test('that solves a task and never ends it leaves a demonstration that ends', async () => {
    const [first = WAIT, ...others] = SOLUTION.slice(0, -1);
    const { recording, kept, until, act } = live(others, { maxSteps: 1 + others.length });
    await until(({ phase }) => phase === 'acting');
    await act(first);
    recording.fly('run');
    const judged = await until(({ phase }) => phase === 'judged');
    expect(judged).toMatchObject({ judgement: { ending: 'capped', success: true } });
    await recording.save([]);
    expect(await until(({ phase }) => phase !== 'checking')).toMatchObject({ phase: 'saved' });
    const [{ trajectory }] = kept as [PersonDemonstration];
    expect(kinds(trajectory.steps)).toEqual(kinds(SOLUTION.map(action => ({ action }))));
    expect(trajectory.outcome).toMatchObject({ kind: 'judged', ending: 'finished', verdict: { score: 1 } });
  });

  test('leaves the judgement of an instruction of one’s own to the person', async () => {
    const { recording, kept, until } = live(SOLUTION, { fly: 'run', instruction: 'Write my way.' });
    const state = await until(({ pilot }) => pilot?.report !== undefined);
    expect(state).toMatchObject({ phase: 'acting', pilot: { mode: 'pause' } });
    await recording.finish('finished', true);
    expect(recording.state).toMatchObject({ phase: 'judged', judgement: { success: true } });
    expect(recording.state.steps.at(-1)).toMatchObject({ action: { kind: 'finished' }, by: 'agent' });
    await recording.save([]);
    await until(({ phase }) => phase === 'saved');
    expect(kept[0]).toMatchObject({ own: 'Write my way.', trajectory: { purpose: 'collect' } });
  });

  test('starts over with the instance', async () => {
    const { recording, agent, until } = live([...SOLUTION.slice(0, 2), ...SOLUTION], { fly: 'pause' });
    await until(({ phase }) => phase === 'acting');
    recording.fly('step');
    await until(({ steps, pilot }) => steps.length === 1 && pilot?.mode === 'pause');
    recording.fly('step');
    await until(({ steps, pilot }) => steps.length === 2 && pilot?.mode === 'pause');
    await recording.restart();
    expect(recording.state).toMatchObject({ phase: 'acting', steps: [], pilot: { mode: 'pause' } });
    expect(agent.log.at(-1)).toBe('close');
    recording.fly('run');
    expect(await until(({ phase }) => phase === 'judged')).toMatchObject({ judgement: { success: true } });
  });

  test('performs nothing on the instance that was started over', async () => {
    const { recording, settled, proposed, agent } = live([WAIT, WAIT], { fly: 'approve' });
    await proposed();
    const restarted = recording.restart();
    recording.approve(0, true);
    await restarted;
    await settled();
    expect(recording.state.steps).toEqual([]);
    expect(agent.log.filter(call => call === 'acted wait')).toEqual([]);
  });

  test('stops when its desktop breaks, and when the recording ends', async () => {
    const desktop = new CountedDesktop();
    desktop.act = () => Promise.reject(new Error('The desktop is gone. Start it.'));
    const open = async () => ({ desktop, close: async () => undefined });
    const broken = live([WAIT, WAIT], { fly: 'run', open });
    expect(await broken.until(({ phase }) => phase === 'failed')).toMatchObject({
      problem: expect.stringContaining('The desktop is gone'),
    });
    expect(broken.agent.left).toBe(1);
    const { recording, agent, player, proposed } = live(SOLUTION, { fly: 'approve' });
    await proposed();
    await recording.discard();
    expect(agent.log.filter(call => call === 'close')).toHaveLength(1);
    expect(agent.tasks[0]?.signal.aborted).toBe(true);
    expect(player.closed).toBe(1);
  });
});

describe('a person who corrects an agent', () => {
  test('drops what it proposed; the agent learns of the action and continues from the present screen', async () => {
    const [first = WAIT, second = WAIT] = SOLUTION;
    // It would wait forever.
    const turns = [first, WAIT, ...SOLUTION.slice(2)];
    const { recording, agent, kept, proposed, until, act } = live(turns, { fly: 'approve' });
    await proposed();
    recording.approve(0, true);
    await until(({ steps, pilot }) => steps.length === 1 && pilot?.proposal !== undefined);
    await act(second);
    expect(recording.state).toMatchObject({ pilot: { mode: 'pause' }, steps: [{ by: 'agent' }, {}] });
    expect(recording.state.steps[1]).not.toHaveProperty('by');
    recording.fly('run');
    const judged = await until(({ phase }) => phase === 'judged');
    expect(judged.judgement).toMatchObject({ success: true });
    expect(agent.log.slice(0, 5)).toEqual([
      ...['next', `acted ${first.kind}`, 'next', `witnessed ${second.kind}`, 'next'],
    ]);
    // The screen of the dropped proposal is the one on which the person acted; the next one is another.
    const [, , looked, witnessed, next] = agent.calls;
    expect(witnessed?.screen?.pixels.data).toEqual(looked?.screen?.pixels.data);
    expect(next?.screen?.pixels.data).not.toEqual(looked?.screen?.pixels.data);
    await recording.save([]);
    const saved = await until(({ phase }) => phase === 'saved');
    expect(saved.note).toContain('step 2 is the first one that counts');
    const [{ trajectory, taught }] = kept as [PersonDemonstration];
    expect(taught).toEqual({ from: 1, to: trajectory.steps.length });
    expect(trajectory).toMatchObject({ purpose: 'demonstrate', provenance: { kind: 'human', who: 'Ada' } });
    expect(trajectory).not.toHaveProperty('agent');
    expect(trajectory.steps.every(({ chosen }) => chosen === undefined)).toBe(true);
    const task = POCKET.task(TASK, seed(0));
    const again = await replayActions(
      new PocketDesktop(desktopId('again')),
      { task, seed: seed(0) },
      trajectory.steps,
    );
    expect(again && isSuccess({ kind: 'judged', ...again.end })).toBe(true);
  });

  test('tells it merged actions, each once and in order', async () => {
    const { recording, agent, until, act } = live([WAIT]);
    await until(({ phase }) => phase === 'acting');
    await act({ kind: 'type', text: 'ab' });
    await act({ kind: 'type', text: 'c' });
    await act({ kind: 'double_click', at: { x: 30, y: 40 } });
    const done = recording.state.steps.map(({ action }) => action);
    expect(done).toContainEqual({ kind: 'type', text: 'abc' });
    recording.fly('step');
    await until(({ steps, pilot }) => steps.length === done.length + 1 && pilot?.mode === 'pause');
    const witnessed = agent.calls.filter(({ call }) => call === 'witnessed');
    expect(witnessed.map(({ action }) => action)).toEqual(done);
    expect(agent.log.slice(-2)).toEqual(['next', 'acted wait']);
  });

  test('makes a decision that is under way void', async () => {
    const [first = WAIT] = SOLUTION;
    const { recording, agent, until, act } = live([WAIT, ...SOLUTION.slice(1)]);
    await until(({ phase }) => phase === 'acting');
    let answer: () => void = () => undefined;
    agent.thinking = () =>
      new Promise(resolve => {
        answer = resolve;
      });
    recording.fly('run');
    await until(({ pilot }) => pilot?.isDeciding === true);
    await act(first);
    agent.thinking = async () => undefined;
    answer();
    await until(({ pilot }) => pilot?.isDeciding === false);
    expect(recording.state).toMatchObject({ pilot: { mode: 'pause' }, steps: [{}] });
    expect(recording.state.pilot?.proposal).toBeUndefined();
    recording.fly('run');
    expect(await until(({ phase }) => phase === 'judged')).toMatchObject({ judgement: { success: true } });
    expect(kinds(recording.state.steps)).not.toContain('wait');
  });

  test('does not disturb it with a pointer that rests', async () => {
    const { recording, proposed } = live(SOLUTION, { fly: 'approve' });
    await proposed();
    await recording.input([{ event: { kind: 'rest', at: { x: 5, y: 5 } }, time: 1, frame: 1 }]);
    expect(recording.state.pilot).toMatchObject({ mode: 'approve', proposal: {} });
  });

  test('can only leave out steps of their own', async () => {
    const { recording, until, act } = live([SOLUTION[0] ?? WAIT]);
    await until(({ phase }) => phase === 'acting');
    recording.fly('step');
    await until(({ steps }) => steps.length === 1);
    for (const action of SOLUTION.slice(1, -1)) await act(action);
    await recording.finish('finished', undefined);
    await expect(recording.save([0])).rejects.toThrow('one of the agent');
  });

  test('may only have to end the task', async () => {
    const { recording, kept, until } = live(SOLUTION, { fly: 'pause' });
    await until(({ phase }) => phase === 'acting');
    for (let steps = 1; steps < SOLUTION.length; steps++) {
      recording.fly('step');
      await until(state => state.steps.length === steps && state.pilot?.mode === 'pause');
    }
    await recording.finish('finished', undefined);
    await recording.save([]);
    await until(({ phase }) => phase === 'saved');
    const [{ trajectory, taught }] = kept as [PersonDemonstration];
    expect(taught).toEqual({ from: trajectory.steps.length - 1, to: trajectory.steps.length });
    expect(trajectory.steps.at(-1)?.action).toEqual(FINISHED);
  });
});

test('a recording explains the steps and the proposal of its agent', async () => {
  const { recording, proposed, until, act } = live(SOLUTION, { fly: 'approve' });
  await proposed();
  expect(recording.decision(0)).toMatchObject({ from: 0, steps: [{ chosen: { trace: { kind: 'heads' } } }] });
  recording.approve(0, true);
  await until(({ steps }) => steps.length === 1);
  await act(SOLUTION[1] ?? WAIT);
  expect(recording.decision(0).steps[0]?.chosen?.version).toBe(7);
  expect(recording.decision(1).steps[0]).not.toHaveProperty('chosen');
  expect(() => recording.decision(9)).toThrow('no step 9');
});

test('a recording without an agent takes no orders for one', async () => {
  const { recording, until } = live([], { isAlone: true });
  await until(({ phase }) => phase === 'acting');
  expect(() => recording.fly('run')).toThrow('No agent acts');
});
