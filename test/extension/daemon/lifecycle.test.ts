import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AWAY, type Effect, type Event, next, type State } from '../../../extension/daemon/lifecycle.ts';
import { DAEMON } from '../a-daemon.ts';

const daemon = DAEMON;
const found: Event = { kind: 'found', daemon };
const none: Event = { kind: 'found', daemon: undefined };
const wanted: Event = { kind: 'wanted', start: true };
const looked: Event = { kind: 'wanted', start: false };
const welcomed: Event = { kind: 'welcomed' };
const woke: Event = { kind: 'woke' };
const lost: Event = { kind: 'closed', how: 'lost', why: 'It broke.' };
const stopped: Event = { kind: 'closed', how: 'stopped', why: 'It was stopped.' };
const refused: Event = { kind: 'closed', how: 'refused', why: 'It speaks version 9.' };
const exited: Event = { kind: 'exited', why: 'A daemon runs here already.' };

/** The state after all of them, each a second after the one before, and everything that was to be done. */
function led(...events: readonly Event[]): { state: State; done: string[]; effects: readonly Effect[] } {
  let state = AWAY;
  let effects: readonly Effect[] = [];
  const done: string[] = [];
  for (const [second, event] of events.entries()) {
    ({ state, effects } = next(state, event, 1000 * second));
    done.push(...effects.map(({ kind }) => kind));
  }
  return { state, done, effects };
}

describe('finding a daemon', () => {
  test('one that runs is connected to, and none is started', () => {
    const { state, done } = led(wanted, found, welcomed);
    expect(state).toMatchObject({ kind: 'connected', daemon });
    expect(done).toEqual(['look', 'connect']);
  });

  test('where none runs, one is started, and looked for until it is there', () => {
    const { state, done } = led(wanted, none, woke, none, woke, found, welcomed);
    expect(state.kind).toBe('connected');
    expect(done).toEqual(['look', 'start', 'wake', 'look', 'wake', 'look', 'connect']);
  });

  test('who only looks on starts none', () => {
    expect(led(looked, none)).toMatchObject({ state: AWAY, done: ['look'] });
  });

  test('who needs one while somebody only looks gets one', () => {
    expect(led(looked, wanted, none).done).toContain('start');
  });

  test('a daemon of another window that was faster is used', () => {
    expect(led(wanted, none, exited, found, welcomed).state.kind).toBe('connected');
  });

  test('a program that ends before it is found tells why, and is not started again by itself', () => {
    const { state, done } = led(wanted, none, exited, none, woke, woke);
    expect(state).toEqual({ kind: 'failed', why: 'A daemon runs here already.' });
    expect(done.filter(each => each === 'start')).toHaveLength(1);
  });

  test('one that never shows up is given up after half a minute', () => {
    const events = Array.from({ length: 40 }, () => [woke, none]).flat();
    expect(led(wanted, none, ...events).state).toMatchObject({ kind: 'failed', why: /within 30 s/ });
  });
});

describe('staying with it', () => {
  const connected = [wanted, found, welcomed];

  test('a crash is followed by a new start', () => {
    const { state, done } = led(...connected, lost, woke, none);
    expect(state.kind).toBe('starting');
    expect(done.slice(-3)).toEqual(['look', 'start', 'wake']);
  });

  test('a daemon that somebody stopped stays stopped', () => {
    expect(led(...connected, stopped)).toMatchObject({ state: AWAY, effects: [] });
  });

  test('one that speaks another version is not tried again, until somebody asks', () => {
    const { state } = led(wanted, found, refused);
    expect(state).toEqual({ kind: 'failed', why: 'It speaks version 9.' });
    expect(next(state, looked, 0)).toEqual({ state, effects: [] });
    expect(next(state, wanted, 0).effects).toEqual([{ kind: 'look' }]);
  });

  test('waits grow from attempt to attempt, and end', () => {
    let state: State = led(wanted, found).state;
    const waits: number[] = [];
    while (state.kind !== 'failed') {
      const { state: waiting, effects } = next(state, lost, 0);
      for (const effect of effects) if (effect.kind === 'wake') waits.push(effect.after);
      state = next(next(waiting, woke, 0).state, found, 0).state;
    }
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000]);
  });

  test('a connection that held for a minute forgets what failed before', () => {
    const { state } = led(wanted, found, lost, woke, found, welcomed);
    const soon = next(state, lost, 6000).state;
    const late = next(state, lost, 70_000).state;
    expect(soon).toMatchObject({ kind: 'waiting', tries: 2 });
    expect(late).toMatchObject({ kind: 'waiting', tries: 1 });
  });

  test('who asks while it waits is not made to wait', () => {
    expect(led(...connected, lost, wanted).effects).toEqual([{ kind: 'look' }]);
  });
});

const anyEvent: fc.Arbitrary<Event> = fc.constantFrom(
  ...[wanted, looked, found, none, welcomed, woke, lost, stopped, refused, exited],
);

test('whatever happens, it is always waiting for something that was set in motion, or at rest', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 60 }), events => {
      let state = AWAY;
      // What was set in motion and has not come back yet.
      const open = { look: 0, wake: 0, connect: 0 };
      for (const event of events) {
        // Only what was set in motion can happen.
        if (event.kind === 'found' && open.look === 0) continue;
        if (event.kind === 'woke' && open.wake === 0) continue;
        if ((event.kind === 'welcomed' || event.kind === 'closed') && open.connect === 0) continue;
        if (event.kind === 'found') open.look -= 1;
        if (event.kind === 'woke') open.wake -= 1;
        if (event.kind === 'closed') open.connect -= 1;
        const result = next(state, event, 0);
        state = result.state;
        for (const { kind } of result.effects) if (kind !== 'start') open[kind] += 1;
        if (state.kind === 'looking') expect(open.look).toBeGreaterThan(0);
        if (state.kind === 'starting') expect(open.look + open.wake).toBeGreaterThan(0);
        if (state.kind === 'connecting' || state.kind === 'connected') expect(open.connect).toBe(1);
        if (state.kind === 'waiting') expect(open.wake).toBeGreaterThan(0);
      }
    }),
    { numRuns: 500 },
  );
});
