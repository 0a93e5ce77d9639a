import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Refill } from '../../../webview/shared/refill.ts';
import { playedState } from '../../server/played-state.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function fixture() {
  const panel = { isEmpty: true, fetches: 0 };
  const refill = new Refill({
    isEmpty: () => panel.isEmpty,
    fetch: () => {
      panel.fetches += 1;
    },
  });
  return { panel, refill };
}

test('an empty panel fetches after finished episodes, once for many of them', () => {
  const { panel, refill } = fixture();
  refill.stateChanged(playedState(0));
  vi.advanceTimersByTime(60_000);
  expect(panel.fetches).toBe(0);
  for (let seconds = 10; seconds < 20; seconds++) refill.stateChanged(playedState(seconds));
  vi.advanceTimersByTime(60_000);
  expect(panel.fetches).toBe(1);
  // Nothing has finished since.
  refill.stateChanged(playedState(19));
  vi.advanceTimersByTime(60_000);
  expect(panel.fetches).toBe(1);
  refill.stateChanged(playedState(20));
  vi.advanceTimersByTime(60_000);
  expect(panel.fetches).toBe(2);
});

test('each run has its own count', () => {
  const { panel, refill } = fixture();
  refill.stateChanged(playedState(600));
  vi.advanceTimersByTime(60_000);
  refill.stateChanged(playedState(60, { run: 'another' }));
  vi.advanceTimersByTime(60_000);
  expect(panel.fetches).toBe(2);
});

test('a panel with content does not change', () => {
  const { panel, refill } = fixture();
  panel.isEmpty = false;
  refill.stateChanged(playedState(10));
  vi.advanceTimersByTime(60_000);
  panel.isEmpty = true;
  refill.stateChanged(playedState(20));
  panel.isEmpty = false;
  vi.advanceTimersByTime(60_000);
  expect(panel.fetches).toBe(0);
});
