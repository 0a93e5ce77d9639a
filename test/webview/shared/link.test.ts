import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CLOSE_CODE_STOPPED } from '../../../runtime/protocol/close-code.ts';
import { DAEMON_VERSION } from '../../../runtime/protocol/daemon/messages.ts';
import type { PageMessage } from '../../../runtime/protocol/panels.ts';
import { HostLink } from '../../../webview/shared/link/host-link.ts';
import { PendingRequests, type SentRequest } from '../../../webview/shared/link/pending-requests.ts';
import { backoffMs, SocketLink } from '../../../webview/shared/link/socket-link.ts';
import { playedState } from '../../server/played-state.ts';

const LIST = { filter: {}, sort: 'endedAt', descending: true, offset: 0, limit: 1 } as const;
const FRAME = { trajectory: 't', step: 0 };
const frame = { width: 1, height: 1, count: 2 };

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function fixture() {
  const sent: SentRequest[] = [];
  return {
    pending: new PendingRequests(),
    sent,
    send: (request: SentRequest) => {
      sent.push(request);
    },
  };
}

test('each reply resolves the request with its id, in any order', async () => {
  const { pending, sent, send } = fixture();
  const first = pending.request('runs.list', {}, send);
  const second = pending.request('trajectories.list', LIST, send);
  pending.receive({ id: sent[1]?.id, result: { total: 0, rows: [], upTo: 0 } });
  pending.receive({ id: sent[0]?.id, result: [] });
  expect((await first).result).toEqual([]);
  expect((await second).result).toEqual({ total: 0, rows: [], upTo: 0 });
});

test.each(['before', 'after'])('bytes that arrive %s their reply belong to it', async when => {
  const { pending, send } = fixture();
  const reply = pending.request('trajectory.frame', FRAME, send, true);
  const bytes = new Uint8Array([1, 2, 3]);
  if (when === 'before') pending.receiveBytes(0, bytes);
  pending.receive({ id: 0, result: frame });
  if (when === 'after') pending.receiveBytes(0, bytes);
  expect(await reply).toEqual({ result: frame, bytes });
});

test('a rejected request has the message and the code of the daemon', async () => {
  const { pending, send } = fixture();
  const reply = pending.request('runs.list', {}, send);
  pending.receive({ id: 0, error: { code: 'busy', message: 'Too many requests.' } });
  await expect(reply).rejects.toMatchObject({ message: 'Too many requests.', code: 'busy' });
});

test('a reply of the wrong shape is an error', async () => {
  const { pending, send } = fixture();
  const reply = pending.request('runs.list', {}, send);
  pending.receive({ id: 0, result: 'none' });
  await expect(reply).rejects.toThrow();
});

test('a lost connection rejects all pending requests', async () => {
  const { pending, send } = fixture();
  const reply = pending.request('runs.list', {}, send);
  pending.rejectAll();
  await expect(reply).rejects.toThrow('connection to the daemon was lost');
});

test('a request without a reply fails at its deadline, with what to do next', async () => {
  const { pending, send } = fixture();
  const reply = expect(pending.request('runs.list', {}, send)).rejects.toThrow(
    /did not answer 'runs.list' within 30 s.*try again/,
  );
  await vi.advanceTimersByTimeAsync(30_000);
  await reply;
});

test('a reply after the deadline is ignored, and one before it cancels the deadline', async () => {
  const { pending, send } = fixture();
  const late = expect(pending.request('runs.list', {}, send)).rejects.toThrow('did not answer');
  await vi.advanceTimersByTimeAsync(30_000);
  pending.receive({ id: 0, result: [] });
  await late;
  const inTime = pending.request('runs.list', {}, send);
  pending.receive({ id: 1, result: [] });
  expect((await inTime).result).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('starting a recording over may take longer, since a guest is restored', async () => {
  const { pending, send } = fixture();
  const reply = pending.request('record.restart', { recording: 'r' }, send);
  let isOver = false;
  const over = reply
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(60_000);
  await over;
  expect(isOver).toBe(true);
});

test('resuming a run may take ten minutes, and nobody should restart the daemon then', async () => {
  const { pending, send } = fixture();
  let why = '';
  pending.request('run.resume', { run: 'r' }, send).catch((error: Error) => {
    why = error.message;
  });
  await vi.advanceTimersByTimeAsync(599_000);
  expect(why).toBe('');
  await vi.advanceTimersByTimeAsync(1000);
  expect(why).toContain("did not answer 'run.resume' within 600 s");
  expect(why).not.toContain('restart');
});

test('stopping a run may take longer, since it ends with a checkpoint', async () => {
  const { pending, send } = fixture();
  const reply = pending.request('run.stop', { run: 'r' }, send);
  await vi.advanceTimersByTimeAsync(60_000);
  pending.receive({ id: 0, result: {} });
  expect((await reply).result).toEqual({});
});

test('the state of a run does not resolve a request', () => {
  const state = playedState(60);
  expect(new PendingRequests().receive({ method: 'state', params: state })).toEqual(state);
});

test('in an editor, requests go to the host, and only while it is connected', async () => {
  const sent: PageMessage[] = [];
  const events: string[] = [];
  const link = new HostLink(message => sent.push(message), {
    connected: () => events.push('connected'),
    lost: ({ kind }) => events.push(kind),
    state: ({ run }) => events.push(run),
  });
  await expect(link.request('runs.list', {})).rejects.toThrow('no connection');
  expect(link.supports('runs.list')).toBe(false);
  link.receive({ kind: 'connected', methods: ['hello', 'runs.list'] });
  expect([link.supports('runs.list'), link.supports('run.stop')]).toEqual([true, false]);
  const reply = link.requestBytes('trajectory.frame', FRAME);
  expect(sent).toEqual([{ kind: 'request', request: { id: 0, method: 'trajectory.frame', params: FRAME } }]);
  link.receive({ kind: 'frame', id: 0, payload: new Uint8Array([7]) });
  link.receive({ kind: 'message', message: { id: 0, result: frame } });
  expect((await reply).bytes).toEqual(new Uint8Array([7]));
  const state = playedState(60);
  link.receive({ kind: 'message', message: { method: 'state', params: state } });
  const pending = link.request('runs.list', {});
  link.receive({ kind: 'lost', loss: { kind: 'refused', why: 'No.' } });
  await expect(pending).rejects.toThrow('connection to the daemon was lost');
  expect(events).toEqual(['connected', state.run, 'refused']);
});

/** A socket that a test closes. */
class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  static last: FakeSocket | undefined;
  readonly readyState = FakeSocket.OPEN;
  constructor() {
    super();
    FakeSocket.last = this;
  }
  send(text: string): void {
    const { id } = JSON.parse(text);
    const result = { version: DAEMON_VERSION, methods: [] };
    this.dispatchEvent(Object.assign(new Event('message'), { data: JSON.stringify({ id, result }) }));
  }
  close(): void {}
}

test('a page learns that the daemon has stopped, also from failed attempts after that, and connects again', async () => {
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('location', { host: '127.0.0.1:1' });
  const events: string[] = [];
  new SocketLink('a-token', {
    connected: () => events.push('connected'),
    lost: ({ kind }) => events.push(kind),
    state: () => undefined,
  });
  const open = async () => {
    FakeSocket.last?.dispatchEvent(new Event('open'));
    await vi.advanceTimersByTimeAsync(0);
  };
  const close = (code: number) => FakeSocket.last?.dispatchEvent(Object.assign(new Event('close'), { code }));
  const nextAttempt = () => vi.advanceTimersByTimeAsync(60_000);
  await open();
  for (const code of [CLOSE_CODE_STOPPED, 1006, 1006]) {
    close(code);
    await nextAttempt();
  }
  await open();
  close(1006);
  expect(events).toEqual(['connected', 'gone', 'gone', 'gone', 'connected', 'lost']);
});

test('the wait between attempts to connect doubles up to a limit', () => {
  expect([1, 2, 3, 4, 5, 6, 50].map(backoffMs)).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
  fc.assert(fc.property(fc.nat(200), failures => backoffMs(failures) <= backoffMs(failures + 1)));
});
