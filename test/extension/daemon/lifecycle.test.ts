import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ClientEffect,
  type ClientEvent,
  type ClientState,
  IDLE,
  requestFailure,
  transition,
} from '../../../extension/daemon/lifecycle.ts';
import { DAEMON } from '../daemon-fixture.ts';

const found: ClientEvent = { kind: 'found', daemon: DAEMON };
const none: ClientEvent = { kind: 'found', daemon: undefined };
const requested: ClientEvent = { kind: 'requested', start: true };
const requestedPassively: ClientEvent = { kind: 'requested', start: false };
const welcomed: ClientEvent = { kind: 'welcomed' };
const timer: ClientEvent = { kind: 'timer' };
const lost: ClientEvent = { kind: 'closed', cause: 'lost', reason: 'It broke.' };
const stopped: ClientEvent = { kind: 'closed', cause: 'stopped', reason: 'It stopped.' };
const refused: ClientEvent = { kind: 'closed', cause: 'refused', reason: 'It has version 9.' };
const exited: ClientEvent = { kind: 'exited', reason: 'A daemon runs here already.' };

/** The state after these events, one per second, the kinds of all effects, and the last effects. */
function run(...events: readonly ClientEvent[]): {
  state: ClientState;
  done: string[];
  effects: readonly ClientEffect[];
} {
  let state = IDLE;
  let effects: readonly ClientEffect[] = [];
  const done: string[] = [];
  for (const [second, event] of events.entries()) {
    ({ state, effects } = transition(state, event, 1000 * second));
    done.push(...effects.map(({ kind }) => kind));
  }
  return { state, done, effects };
}

describe('finding a daemon', () => {
  test('connects to a running daemon instead of starting one', () => {
    const { state, done } = run(requested, found, welcomed);
    expect(state).toMatchObject({ kind: 'connected', daemon: DAEMON });
    expect(done).toEqual(['search', 'connect']);
  });

  test('starts a daemon if none runs, and searches until it is there', () => {
    const { state, done } = run(requested, none, timer, none, timer, found, welcomed);
    expect(state.kind).toBe('connected');
    expect(done).toEqual(['search', 'start', 'set-timer', 'search', 'set-timer', 'search', 'connect']);
  });

  test('a passive request starts no daemon', () => {
    expect(run(requestedPassively, none)).toMatchObject({ state: IDLE, done: ['search'] });
  });

  test('an active request during a passive search starts a daemon', () => {
    expect(run(requestedPassively, requested, none).done).toContain('start');
  });

  test('uses the daemon of another window that was faster', () => {
    expect(run(requested, none, exited, found, welcomed).state.kind).toBe('connected');
  });

  test('fails with the reason of a program that exits, without another start', () => {
    const { state, done } = run(requested, none, exited, none, timer, timer);
    expect(state).toEqual({ kind: 'failed', reason: 'A daemon runs here already.' });
    expect(done.filter(each => each === 'start')).toHaveLength(1);
  });

  test('gives up a daemon that does not appear within 30 s', () => {
    const events = Array.from({ length: 40 }, () => [timer, none]).flat();
    expect(run(requested, none, ...events).state).toMatchObject({ kind: 'failed', reason: /within 30 s/ });
  });
});

describe('staying connected', () => {
  const connected = [requested, found, welcomed];

  test('starts a daemon again after a crash', () => {
    const { state, done } = run(...connected, lost, timer, none);
    expect(state.kind).toBe('starting');
    expect(done.slice(-3)).toEqual(['search', 'start', 'set-timer']);
  });

  test('does not restart a daemon that stopped on purpose', () => {
    expect(run(...connected, stopped)).toMatchObject({ state: IDLE, effects: [] });
  });

  test('does not retry a refused connection until a request', () => {
    const { state, effects } = run(requested, found, refused);
    expect(state).toEqual({ kind: 'failed', reason: 'It has version 9.' });
    expect(effects).toEqual([]);
    expect(transition(state, requested, 0).effects).toEqual([{ kind: 'search' }]);
  });

  test('after a failure a passive request finds the daemon of a terminal, and otherwise changes nothing', () => {
    const failed = [requested, none, exited, none];
    const { state } = run(...failed);
    expect(state.kind).toBe('failed');
    expect(run(...failed, requestedPassively, found, welcomed).state.kind).toBe('connected');
    const again = run(...failed, requestedPassively, none);
    expect(again.state).toEqual(state);
    expect(again.done.filter(each => each === 'start')).toHaveLength(1);
  });

  test('doubles the delay of each attempt up to 15 s, for as long as the daemon runs', () => {
    let state: ClientState = run(...connected).state;
    const delays: number[] = [];
    const failures: (string | undefined)[] = [];
    for (let attempt = 0; attempt < 8; attempt++) {
      const { state: backoff, effects } = transition(state, lost, 0);
      for (const effect of effects) if (effect.kind === 'set-timer') delays.push(effect.afterMs);
      failures.push(requestFailure(backoff));
      state = transition(transition(backoff, timer, 0).state, found, 0).state;
    }
    expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
    // Requests of the user do not wait for ever.
    expect(failures.lastIndexOf(undefined)).toBe(4);
    expect(failures.slice(5)).toEqual(['It broke.', 'It broke.', 'It broke.']);
    expect(transition(state, welcomed, 0).state.kind).toBe('connected');
  });

  test('gives up a daemon that crashes again and again', () => {
    const crashes = Array.from({ length: 20 }, () => [none, timer, found, welcomed, lost, timer]).flat();
    const { state, done } = run(requested, ...crashes);
    expect(state).toMatchObject({ kind: 'failed', reason: expect.stringContaining('6 times in a row') });
    expect(done.filter(each => each === 'start')).toHaveLength(6);
  });

  test('starts a daemon after one that hung for long was killed', () => {
    const hangs = Array.from({ length: 10 }, () => [lost, timer, found]).flat();
    expect(run(...connected, ...hangs, lost, timer, none).state.kind).toBe('starting');
  });

  test('a connection of one minute resets the count of attempts', () => {
    const { state } = run(requested, found, lost, timer, found, welcomed);
    const soon = transition(state, lost, 6000).state;
    const late = transition(state, lost, 70_000).state;
    expect(soon).toMatchObject({ kind: 'backoff', attempts: 2 });
    expect(late).toMatchObject({ kind: 'backoff', attempts: 1 });
  });

  test('a request ends the backoff', () => {
    expect(run(...connected, lost, requested).effects).toEqual([{ kind: 'search' }]);
  });
});

const anyEvent: fc.Arbitrary<ClientEvent> = fc.constantFrom(
  ...[requested, requestedPassively, found, none, welcomed, timer, lost, stopped, refused, exited],
);

test('after every sequence of events it rests or waits for an effect in progress', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 60 }), events => {
      let state = IDLE;
      // Effects in progress.
      const open = { search: 0, 'set-timer': 0, connect: 0 };
      for (const event of events) {
        // Only effects in progress can produce events.
        if (event.kind === 'found' && open.search === 0) continue;
        if (event.kind === 'timer' && open['set-timer'] === 0) continue;
        if ((event.kind === 'welcomed' || event.kind === 'closed') && open.connect === 0) continue;
        if (event.kind === 'found') open.search -= 1;
        if (event.kind === 'timer') open['set-timer'] -= 1;
        if (event.kind === 'closed') open.connect -= 1;
        const result = transition(state, event, 0);
        state = result.state;
        for (const { kind } of result.effects) if (kind !== 'start') open[kind] += 1;
        if (state.kind === 'searching') expect(open.search).toBeGreaterThan(0);
        if (state.kind === 'starting') expect(open.search + open['set-timer']).toBeGreaterThan(0);
        if (state.kind === 'connecting' || state.kind === 'connected') expect(open.connect).toBe(1);
        if (state.kind === 'backoff') expect(open['set-timer']).toBeGreaterThan(0);
      }
    }),
    { numRuns: 500 },
  );
});
