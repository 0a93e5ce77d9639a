// The windows of the shell: how they are raised, moved, minimised and closed.

import { beforeEach, describe, expect, test } from 'vitest';
import { box, intersects } from '../../../runtime/environments/box.ts';
import type { Pointer } from '../../../runtime/environments/pocket/shell/input.ts';
import type { DesktopShell } from '../../../runtime/environments/pocket/shell/shell.ts';
import { blue, diaryDesktop, green, red } from './diary-desktop.ts';

const { start, act, open, elements, find, at, click, stroke, doneIn, front } = diaryDesktop();
let shell: DesktopShell;
let pointer: Pointer;

beforeEach(() => {
  ({ shell, pointer } = start());
});

describe('windows', () => {
  test('a middle click raises a window behind, and its widget does not react', () => {
    open(red, green);
    const behind = at('button', 'Red one');
    act(() => pointer.middlePress(behind));
    expect(front()).toBe('Red');
    expect(doneIn(red)).toEqual([]);
  });

  test('a press raises a window behind and also acts on its widget', () => {
    open(red, green);
    expect(front()).toBe('Green');
    click('button', 'Red one');
    expect(front()).toBe('Red');
    expect(doneIn(red)).toEqual(['one']);
  });

  test('dragging the title bar moves the window', () => {
    open(red);
    const [from, before] = [at('titlebar', 'Red'), find('window', 'Red')?.box];
    act(() => pointer.drag(from, { x: from.x + 50, y: from.y + 20 }));
    expect(find('window', 'Red')?.box).toEqual(before && { ...before, x: before.x + 50, y: before.y + 20 });
  });

  test('a window can leave the screen, but its title bar stays reachable', () => {
    open(red);
    for (const to of [
      { x: 319, y: 239 },
      { x: 0, y: 0 },
    ]) {
      const from = at('titlebar', 'Red');
      act(() => pointer.drag(from, to));
      act(() => pointer.drag(at('titlebar', 'Red'), to));
      const bar = find('titlebar', 'Red')?.box;
      expect(bar?.width).toBeGreaterThan(12);
    }
  });

  test('minimising hides a window, and its task bar button shows it again', () => {
    open(red);
    click('button', 'Minimise');
    expect(find('window', 'Red')).toBeUndefined();
    expect(find('button', 'Red')?.states).toEqual([]);
    click('button', 'Red');
    expect(find('window', 'Red')).toBeDefined();
    expect(find('button', 'Red')?.states).toEqual(['pressed']);
  });

  test('a task bar button raises a window behind, and minimises the front one', () => {
    open(red, green);
    click('button', 'Red');
    expect(front()).toBe('Red');
    click('button', 'Red');
    expect(find('window', 'Red')).toBeUndefined();
    expect(front()).toBe('Green');
  });

  test('the launcher opens a closed window again', () => {
    open(red);
    click('button', 'Close');
    expect(find('window', 'Red')).toBeUndefined();
    click('button', 'Apps');
    click('menuitem', 'Red');
    expect(front()).toBe('Red');
  });

  test('alt+tab visits all windows, minimised ones too', () => {
    open(red, green, blue);
    const seen = [0, 1, 2].map(() => {
      stroke('alt+tab');
      return front();
    });
    expect(seen).toEqual(['Red', 'Green', 'Blue']);
    click('button', 'Minimise');
    stroke('alt+tab');
    stroke('alt+tab');
    stroke('alt+tab');
    expect(front()).toBe('Blue');
  });

  test('alt+tab raises the only other window, minimised or not', () => {
    open(red, green);
    click('button', 'Minimise');
    stroke('alt+tab');
    expect(front()).toBe('Green');
    stroke('alt+tab');
    expect(front()).toBe('Red');
  });

  test('alt+f4 closes the front window', () => {
    open(red, green);
    stroke('alt+f4');
    expect(find('window', 'Green')).toBeUndefined();
    expect(front()).toBe('Red');
  });

  test('only the front application receives shortcuts', () => {
    open(red, green);
    stroke('ctrl+s');
    expect(doneIn(green)).toEqual(['ctrl+s']);
    expect(doneIn(red)).toEqual([]);
  });

  test('covered widgets have no elements', () => {
    open(red, green);
    const all = elements();
    const cover = all.findIndex(({ role, name }) => role === 'window' && name === 'Green');
    const covering = all[cover]?.box ?? box(0, 0, 0, 0);
    const behind = all.slice(0, cover);
    expect(behind.map(({ name }) => name)).toContain('Red one');
    expect(behind.filter(each => intersects(each.box, covering))).toEqual([]);
  });

  test('a toast stays until the next action', () => {
    act(() => shell.toast('Saved'));
    expect(find('alert', 'Saved')).toBeDefined();
    stroke('tab');
    expect(find('alert', 'Saved')).toBeUndefined();
  });
});
