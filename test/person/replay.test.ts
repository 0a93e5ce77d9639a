// Replays of demonstrations: where the person waited for a change, a replay waits for one again.

import { expect, test } from 'vitest';
import type { Action } from '../../runtime/core/action.ts';
import { seed } from '../../runtime/core/ids.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { differsClearly } from '../../runtime/person/changed-share.ts';
import { replayActions } from '../../runtime/person/replay.ts';
import { CountedDesktop } from './counted-desktop.ts';

const CLICK: Action = { kind: 'click', at: { x: 1, y: 1 } };
const FINISHED: Action = { kind: 'finished', answer: '' };
const INSTANCE = { task: POCKET.task(POCKET.tasks('train')[0] ?? '', seed(0)), seed: seed(0) };

/** A program that opens after so many waits. */
class SlowDesktop extends CountedDesktop {
  readonly #waits: number;

  constructor(waits: number) {
    super();
    this.#waits = waits;
  }

  override act = async (action: Action) => {
    const waits = this.calls.filter(call => call === 'wait').length + 1;
    return this.shown(action.kind, action.kind === 'wait' && waits < this.#waits);
  };
}

const played = async (waits: number, awaitsChange: boolean) => {
  const desktop = new SlowDesktop(waits);
  const wait = { action: { kind: 'wait' } as const, ...(awaitsChange && { awaitsChange: true as const }) };
  await replayActions(desktop, INSTANCE, [{ action: CLICK }, wait, { action: CLICK }, { action: FINISHED }]);
  return desktop.calls;
};

test('a wait for a change lasts until the screen has changed', async () => {
  expect(await played(3, true)).toEqual(['reset', 'click', 'wait', 'wait', 'wait', 'click']);
  expect(await played(1, true)).toEqual(['reset', 'click', 'wait', 'click']);
});

test('a replay whose change does not come is none', async () => {
  const desktop = new SlowDesktop(1e9);
  const wait = { action: { kind: 'wait' }, awaitsChange: true } as const;
  expect(await replayActions(desktop, INSTANCE, [wait, { action: FINISHED }])).toBeUndefined();
  expect(desktop.calls.length).toBeGreaterThan(10);
  expect(desktop.calls.length).toBeLessThan(100);
});

test('a wait that the person gave is one wait', async () => {
  expect(await played(3, false)).toEqual(['reset', 'click', 'wait', 'click']);
});

test('actions without an end are no demonstration', async () => {
  expect(await replayActions(new CountedDesktop(), INSTANCE, [{ action: CLICK }])).toBeUndefined();
});

test('a cursor is no clear change, a window is one', () => {
  const size = { width: 100, height: 100 };
  const screen = (changed: number) => {
    const data = new Uint8Array(100 * 100 * 4);
    for (let pixel = 0; pixel < changed; pixel++) data[4 * pixel] = 9;
    return { layout: 'rgba', ...size, data } as const;
  };
  expect(differsClearly(screen(0).data, screen(40))).toBe(false);
  expect(differsClearly(screen(0).data, screen(60))).toBe(true);
  expect(differsClearly(new Uint8Array(4), screen(0))).toBe(true);
});
