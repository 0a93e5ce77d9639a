// The pocket desktop as a Desktop: reproducible starts, clear errors, and a usable desktop after them.

import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Action } from '../../../runtime/core/action.ts';
import { BoundaryError } from '../../../runtime/core/failure.ts';
import { desktopId, seed, taskId } from '../../../runtime/core/ids.ts';
import { key } from '../../../runtime/core/key.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { centre, type Screen } from '../../../runtime/core/screen.ts';
import type { Task } from '../../../runtime/core/task.ts';
import { PocketDesktop } from '../../../runtime/environments/pocket/desktop.ts';
import { SCREEN } from '../../../runtime/environments/pocket/getters.ts';
import { randomAction } from '../../../runtime/environments/pocket/random-agent.ts';

const TASK: Task = {
  id: taskId('volume'),
  instruction: 'Set the volume to 80.',
  config: [
    { type: 'pocket_world', parameters: { settings: { volume: 20 } } },
    { type: 'pocket_open', parameters: { app: 'settings', what: 'Sound' } },
  ],
  evaluator: {
    func: 'exact_match',
    result: { type: 'pocket_state', path: 'settings.volume' },
    expected: { type: 'rule', rules: { expected: 80 } },
  },
};

let desktop: PocketDesktop;

beforeEach(() => {
  desktop = new PocketDesktop(desktopId('pocket-1'));
});

const reset = (task: Partial<Task> = {}): Promise<Screen> => desktop.reset({ ...TASK, ...task }, seed(0));

// The pixels as one hash: comparing arrays element by element takes a second per screen.
const digested = (screen: Screen) => ({
  ...screen,
  pixels: { ...screen.pixels, data: createHash('sha256').update(screen.pixels.data).digest('hex') },
});

test('the same instance and actions give the same pixels and elements, bit for bit', async () => {
  const episode = async () => {
    const random = seeded('episode');
    let screen = await reset();
    const shown = [digested(screen)];
    for (let step = 0; step < 60; step++) {
      screen = await desktop.act(randomAction(random, screen.elements ?? [], SCREEN));
      shown.push(digested(screen));
    }
    return shown;
  };
  expect(await episode()).toEqual(await episode());
});

test('episodes reuse one surface', async () => {
  const first = await reset();
  const before = digested(first);
  await desktop.act({ kind: 'hotkey', keys: [key('win')] });
  const second = await reset();
  expect(second.pixels.data.buffer).toBe(first.pixels.data.buffer);
  expect(digested(second)).toEqual(before);
});

test('returned elements stay the same after later actions; the pixels are those of the last action', async () => {
  const before = await reset();
  const copy = structuredClone(before);
  const after = await desktop.act({ kind: 'hotkey', keys: [key('win')] });
  expect(before.elements).toEqual(copy.elements);
  expect(Buffer.compare(after.pixels.data, copy.pixels.data)).not.toBe(0);
});

test('finished, fail, wait and move change nothing', async () => {
  const before = digested(await reset());
  for (const action of [
    { kind: 'finished', answer: 'x' },
    { kind: 'fail', why: 'x' },
    { kind: 'wait' },
    { kind: 'move', at: { x: 5, y: 5 } },
  ] as const) {
    expect(digested(await desktop.act(action))).toEqual(before);
  }
});

test('a toast disappears with the next action', async () => {
  await reset({ config: [{ type: 'pocket_open', parameters: { app: 'settings', what: 'Network' } }] });
  const said = (screen: Screen) => screen.elements?.some(({ role }) => role === 'alert');
  const place = (await desktop.act({ kind: 'wait' })).elements?.find(({ name }) => name === 'Harbour');
  if (place === undefined) throw new Error('There is such a network.');
  expect(said(await desktop.act({ kind: 'click', at: centre(place.box) }))).toBe(true);
  expect(said(await desktop.act({ kind: 'wait' }))).toBe(false);
});

test('a reply without an action leaves even a toast', async () => {
  await reset({ config: [{ type: 'pocket_open', parameters: { app: 'settings', what: 'Network' } }] });
  const place = (await desktop.act({ kind: 'wait' })).elements?.find(({ name }) => name === 'Harbour');
  if (place === undefined) throw new Error('There is such a network.');
  const before = digested(await desktop.act({ kind: 'click', at: centre(place.box) }));
  expect(digested(await desktop.act({ kind: 'none', why: 'unreadable' }))).toEqual(before);
});

test('an unread mail that the task opens is no change', async () => {
  const mail = { id: 1, folder: 'Inbox', from: 'ada@x.org', to: 'me@x.org', subject: 'Hello', body: '' };
  await reset({
    config: [
      { type: 'pocket_world', parameters: { mails: [mail] } },
      { type: 'pocket_open', parameters: { app: 'mail', what: 'mail:1' } },
    ],
  });
  expect(await desktop.query({ type: 'pocket_state', path: 'mails.0.read' })).toBe(true);
  expect(await desktop.query({ type: 'pocket_changes' })).toEqual([]);
});

test('the state is judged: 0 before, 1 after the solution, and 0 for giving up', async () => {
  await reset();
  expect((await desktop.judge('finished')).score).toBe(0);
  await reset({ config: [{ type: 'pocket_world', parameters: { settings: { volume: 80 } } }] });
  expect(await desktop.judge('finished')).toMatchObject({ score: 1 });
  expect(await desktop.judge('capped')).toMatchObject({ score: 1 });
  expect(await desktop.judge('fail')).toMatchObject({ score: 0, why: expect.stringContaining('with fail') });
});

describe('impossible actions are rejected and change nothing', () => {
  test.each<[string, Action, RegExp]>([
    [
      'a click off the screen',
      { kind: 'click', at: { x: 320, y: 5 } },
      /click at \(320, 5\) is off the screen of 320x240/,
    ],
    [
      'a drag off the screen',
      { kind: 'drag', from: { x: 1, y: 1 }, to: { x: -1, y: 5 } },
      /drag at \(-1, 5\) is off the screen/,
    ],
    [
      'a click without a position',
      { kind: 'click', at: { x: Number.NaN, y: 5 } },
      /click at \(NaN, 5\) is off the screen/,
    ],
    [
      'control characters',
      { kind: 'type', text: 'a\u0007b' },
      /control character U\+0007; write printable characters, tabs/,
    ],
  ])('%s', async (_what, action, message) => {
    const before = await reset();
    const refused = await desktop.act(action).catch(error => error);
    expect(refused).toBeInstanceOf(BoundaryError);
    expect(String(refused.message)).toMatch(message);
    expect(digested(await desktop.act({ kind: 'wait' }))).toEqual(digested(before));
  });
});

test('a tab in a text presses Tab, as an agent may write it', async () => {
  const open = { type: 'pocket_open', parameters: { app: 'contacts' } };
  let screen = await reset({ config: [{ type: 'pocket_world', parameters: {} }, open] });
  const press = async (name: string) => {
    const found = screen.elements?.findLast(each => each.name === name);
    if (found === undefined) throw new Error(`'${name}' is not on the screen.`);
    screen = await desktop.act({ kind: 'click', at: centre(found.box) });
  };
  await press('New');
  await press('Name');
  screen = await desktop.act({ kind: 'type', text: 'Ada\t020 111' });
  const value = (name: string) => screen.elements?.findLast(each => each.name === name)?.value;
  expect([value('Name'), value('Phone')]).toEqual(['Ada', '020 111']);
});

describe('an error of the task names the task', () => {
  test.each<[string, Partial<Task>, RegExp]>([
    [
      'an unknown set-up step',
      { config: [{ type: 'download' }] },
      /no set-up step 'download'\. Use pocket_world or pocket_open/,
    ],
    [
      'an unknown setting',
      { config: [{ type: 'pocket_world', parameters: { settings: { loudness: 1 } } }] },
      /settings have no 'loudness'\. Use one of theme/,
    ],
    [
      'an unknown part of the world',
      { config: [{ type: 'pocket_world', parameters: { pets: [] } }] },
      /pocket_world has no 'pets'\. Use one of settings/,
    ],
    [
      'an unknown application',
      { config: [{ type: 'pocket_open', parameters: { app: 'paint' } }] },
      /no application 'paint'\. Use one of files/,
    ],
  ])('%s', async (_what, task, message) => {
    const refused = await reset(task).catch(error => error);
    expect(refused).toMatchObject({ name: 'BoundaryError', failure: { boundary: 'task' } });
    expect(refused.message).toMatch(message);
  });

  test.each<[string, Partial<Task['evaluator']>, RegExp]>([
    [
      'an unknown getter',
      { result: { type: 'vm_file' } },
      /no getter 'vm_file'\. Use one of rule, pocket_state/,
    ],
    [
      'a getter without its path',
      { result: { type: 'pocket_state' } },
      /pocket_state\.path is undefined\. Give a text/,
    ],
    [
      'an unknown metric',
      { func: 'looks_right' },
      /evaluator\.func 0: "looks_right" is not a metric\. docs\/osworld\.md lists/,
    ],
  ])('%s', async (_what, evaluator, message) => {
    await reset({ evaluator: { ...TASK.evaluator, ...evaluator } });
    await expect(desktop.judge('finished')).rejects.toThrow(message);
  });

  test('an action before reset is an error', async () => {
    await expect(desktop.act({ kind: 'wait' })).rejects.toThrow('reset');
  });
});
