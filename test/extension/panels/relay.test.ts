import { beforeEach, describe, expect, test } from 'vitest';
import type { ClientListener, DaemonClient, OpenConnection } from '../../../extension/daemon/client.ts';
import type { ConnectionListener, RequestMessage } from '../../../extension/daemon/connection.ts';
import type { ClientState } from '../../../extension/daemon/lifecycle.ts';
import { Relay } from '../../../extension/panels/relay.ts';
import { Signature } from '../../../extension/panels/signature.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { decodeReplyFrame, encodeReplyFrame } from '../../../runtime/protocol/daemon/frame.ts';
import type { HostMessage, PanelPlace, SavedFile } from '../../../runtime/protocol/panels.ts';
import { DAEMON } from '../daemon-fixture.ts';

const METHODS = ['runs.list'];
const connected: ClientState = { kind: 'connected', daemon: DAEMON, since: 0, attempts: 0, starts: 0 };

/** A client whose state a test sets. */
class FakeClient {
  state: ClientState = { kind: 'idle' };
  readonly connections: { listener: ConnectionListener; sent: RequestMessage[]; isOpen: boolean }[] = [];
  readonly requests: boolean[] = [];
  readonly asked: unknown[] = [];
  readonly #listeners = new Set<ClientListener>();

  listen(listener: ClientListener) {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }
  connect(start: boolean): void {
    this.requests.push(start);
  }
  request: DaemonClient['request'] = async (method, params) => {
    this.asked.push({ method, params });
    throw new Error('the daemon does not know it');
  };
  openConnection(listener: ConnectionListener): OpenConnection | undefined {
    if (this.state.kind !== 'connected') return undefined;
    const sent: RequestMessage[] = [];
    const connection = { listener, sent, isOpen: true };
    this.connections.push(connection);
    return {
      send: request => {
        sent.push(request);
        return true;
      },
      close: () => {
        connection.isOpen = false;
      },
    };
  }
  become(state: ClientState): void {
    this.state = state;
    for (const listener of this.#listeners) listener.stateChanged?.(state);
  }
  get connection() {
    const connection = this.connections.at(-1);
    if (connection === undefined) throw new Error('No connection was opened.');
    return connection;
  }
}

let client: FakeClient;
let clock: VirtualClock;
let posted: HostMessage[];
let opened: PanelPlace[];
let saved: SavedFile[];
let logged: string[];
let annotated: number;
let kept: number;
let relay: Relay;
const kinds = (): readonly string[] => posted.splice(0).map(({ kind }) => kind);

beforeEach(() => {
  client = new FakeClient();
  clock = new VirtualClock(0);
  [posted, opened, saved, logged, annotated, kept] = [[], [], [], [], 0, 0];
  relay = new Relay({
    client,
    clock,
    post: message => posted.push(message),
    open: place => opened.push(place),
    save: file => saved.push(file),
    log: message => logged.push(message),
    replied: {
      annotate: () => {
        annotated += 1;
      },
      'daemon.keepTraining': () => {
        kept += 1;
      },
    },
  });
});

/** A page that is ready and connected. */
function open(): void {
  client.become(connected);
  relay.receive({ kind: 'ready' });
  client.connection.listener.welcomed(METHODS);
}

test('a ready page learns the connection state and requests a daemon', () => {
  relay.receive({ kind: 'ready' });
  expect(kinds()).toEqual(['lost']);
  expect(client.requests).toEqual([true]);
  client.become(connected);
  client.connection.listener.welcomed(METHODS);
  expect(kinds()).toEqual(['connected']);
});

test('a page receives nothing before it is ready', () => {
  client.become(connected);
  client.become({ kind: 'idle' });
  expect(posted).toEqual([]);
});

test('an open panel that is opened without details stays at its place; Record shows a desktop that was taken over', () => {
  open();
  kinds();
  relay.showAgain({ panel: 'trajectories', run: undefined });
  expect(posted).toEqual([]);
  relay.showAgain({ panel: 'trajectories', trajectory: 't-1' });
  relay.showAgain({ panel: 'record' });
  relay.showAgain({ panel: 'record' });
  expect(posted).toEqual([
    { kind: 'show', place: { panel: 'trajectories', trajectory: 't-1' } },
    { kind: 'show', place: { panel: 'record' } },
    { kind: 'show', place: { panel: 'record' } },
  ]);
});

test('relays requests, replies and bytes unchanged', () => {
  open();
  kinds();
  const request = { id: 0, method: 'runs.list', params: {} };
  relay.receive({ kind: 'request', request });
  expect(client.connection.sent).toEqual([request]);
  client.connection.listener.message({ id: 0, result: [] });
  client.connection.listener.frame(
    decodeReplyFrame(encodeReplyFrame({ id: 3, payload: new Uint8Array([1, 2]) }).buffer),
  );
  expect(posted).toEqual([
    { kind: 'message', message: { id: 0, result: [] } },
    { kind: 'frame', id: 3, payload: new Uint8Array([1, 2]) },
  ]);
});

test('reports an annotation once, after its reply', () => {
  open();
  const send = (id: number, method: string) =>
    relay.receive({ kind: 'request', request: { id, method, params: {} } });
  send(1, 'runs.list');
  send(2, 'annotate');
  expect(annotated).toBe(0);
  client.connection.listener.message({ id: 1, result: [] });
  expect(annotated).toBe(0);
  client.connection.listener.message({
    id: 2,
    result: { marked: { keySteps: [] }, undo: { kind: 'note', text: '' } },
  });
  expect(annotated).toBe(1);
  client.connection.listener.message({ id: 2, result: [] });
  expect(annotated).toBe(1);
});

test('reports that a page set keep-training, after its reply', () => {
  open();
  relay.receive({
    kind: 'request',
    request: { id: 4, method: 'daemon.keepTraining', params: { keep: true } },
  });
  expect(kept).toBe(0);
  client.connection.listener.message({ id: 4, result: {} });
  expect([kept, annotated]).toEqual([1, 0]);
});

test('ignores a hello of a page, an unknown panel and an invalid message', () => {
  open();
  relay.receive({ kind: 'request', request: { id: 0, method: 'hello', params: {} } });
  relay.receive({ kind: 'open', place: { panel: 'passwords' } });
  relay.receive('anything');
  expect(client.connection.sent).toEqual([]);
  expect(opened).toEqual([]);
  expect(logged).toHaveLength(3);
});

test('a reloaded page gets a new connection, and the old one closes', () => {
  open();
  relay.receive({ kind: 'ready' });
  expect(client.connections.map(({ isOpen }) => isOpen)).toEqual([false, true]);
});

test('a hidden page has no connection', () => {
  open();
  relay.hide();
  expect(client.connection.isOpen).toBe(false);
  client.become(connected);
  expect(client.connections).toHaveLength(1);
});

test('a page learns that the daemon is lost and that it is back', () => {
  open();
  kinds();
  client.become({ kind: 'backoff', until: 5000, start: true, attempts: 1, starts: 0, reason: 'It broke.' });
  expect(posted.splice(0)).toEqual([{ kind: 'lost', loss: { kind: 'lost', again: 5000 } }]);
  client.become(connected);
  client.connection.listener.welcomed(METHODS);
  expect(kinds()).toEqual(['connected']);
});

test('a page whose own connection broke connects again after 1 s', async () => {
  open();
  kinds();
  client.connection.listener.closed('lost', 'It read too slowly.');
  expect(posted.splice(0)).toEqual([{ kind: 'lost', loss: { kind: 'lost', again: 1000 } }]);
  await clock.run(999);
  expect(client.connections).toHaveLength(1);
  await clock.run(1000);
  expect(client.connections).toHaveLength(2);
});

test('a page learns that the daemon stopped or failed, and can request one', () => {
  open();
  kinds();
  client.become({ kind: 'idle' });
  client.become({ kind: 'failed', reason: 'There is no room.' });
  expect(posted.splice(0)).toEqual([
    { kind: 'lost', loss: { kind: 'gone', why: expect.stringContaining('stopped') } },
    { kind: 'lost', loss: { kind: 'gone', why: 'There is no room.' } },
  ]);
  relay.receive({ kind: 'retry' });
  expect(client.requests.at(-1)).toBe(true);
});

test('a refused page learns the reason', () => {
  open();
  kinds();
  client.connection.listener.closed('refused', 'It has version 9.');
  expect(posted).toEqual([{ kind: 'lost', loss: { kind: 'refused', why: 'It has version 9.' } }]);
});

test('shows a place as soon as the page is ready', () => {
  const place: PanelPlace = { panel: 'trajectories', trajectory: 'some', step: 3 };
  relay.show(place);
  expect(posted).toEqual([]);
  open();
  expect(posted).toEqual([
    { kind: 'connected', methods: METHODS },
    { kind: 'show', place },
  ]);
  relay.show(place);
  expect(posted).toHaveLength(3);
});

test('a page can open another panel at a place', () => {
  relay.receive({ kind: 'open', place: { panel: 'trajectories', trajectory: 'some', step: 3 } });
  expect(opened).toEqual([{ panel: 'trajectories', trajectory: 'some', step: 3 }]);
});

test('a file is handed to the editor only under a plain name', () => {
  open();
  relay.receive({ kind: 'save', file: { name: 'comparison.html', text: '<!doctype html>' } });
  for (const name of ['../comparison.html', '/comparison.html', '.html', 'comparison.sh'])
    relay.receive({ kind: 'save', file: { name, text: '' } });
  expect(saved).toEqual([{ name: 'comparison.html', text: '<!doctype html>' }]);
  expect(logged).toHaveLength(4);
});

test('a page calls the import and the export of its editor, and no other command', () => {
  const called: object[] = [];
  relay = new Relay({
    ...{ client, clock, post: () => undefined, open: () => undefined, save: () => undefined },
    log: message => logged.push(message),
    exchange: ({ what, run, trajectory }) => called.push({ what, run, trajectory }),
  });
  relay.receive({ kind: 'exchange', what: 'import' });
  relay.receive({ kind: 'exchange', what: 'export', run: 'run-1', trajectory: 't-1' });
  relay.receive({ kind: 'exchange', what: 'workbench.action.quit' });
  expect(called).toEqual([
    { what: 'import', run: undefined, trajectory: undefined },
    { what: 'export', run: 'run-1', trajectory: 't-1' },
  ]);
  expect(logged).toHaveLength(1);
});

test('all pages sign with one name, and the page in which the user types it gets no echo', () => {
  const state = new Map<string, unknown>();
  const signature = new Signature({
    get: <T>(id: string, missing: T) => (state.get(id) as T | undefined) ?? missing,
    update: async (id, value) => {
      state.set(id, value);
    },
  });
  const signed: string[] = [];
  const page = (name: string) =>
    new Relay({
      ...{ client, clock, signature, open: () => undefined, save: () => undefined, log: () => undefined },
      post: message => message.kind === 'signed' && signed.push(`${name}: ${message.who}`),
    });
  const [annotate, trajectories, hidden, closed] = ['annotate', 'trajectories', 'hidden', 'closed'].map(page);
  for (const each of [annotate, trajectories, hidden, closed]) each?.receive({ kind: 'ready' });
  expect(signed.splice(0)).toEqual(['annotate: ', 'trajectories: ', 'hidden: ', 'closed: ']);
  hidden?.hide();
  closed?.close();
  annotate?.receive({ kind: 'sign', who: 'Ada' });
  expect(signed.splice(0)).toEqual(['trajectories: Ada']);
  hidden?.receive({ kind: 'ready' });
  expect(signed).toEqual(['hidden: Ada']);
});

describe('a panel that is closed', () => {
  const look = (recording: string) =>
    relay.receive({
      kind: 'request',
      request: { id: 7, method: 'record.look', params: { recording, frame: 0, change: 0 } },
    });
  const leave = { method: 'record.leave', params: { recording: 'record-2' } };

  test('leaves the recording that it showed last', () => {
    open();
    look('record-1');
    look('record-2');
    relay.close();
    expect(client.asked).toEqual([leave]);
    expect(client.connection.isOpen).toBe(false);
  });

  test('leaves it while it is hidden, too', () => {
    open();
    look('record-2');
    relay.hide();
    relay.close();
    expect(client.connection.sent).toHaveLength(1);
    expect(client.asked).toEqual([leave]);
  });

  test('sends nothing if it showed none, if the window reloads, or without a daemon', () => {
    open();
    relay.close();
    expect(client.connection.sent).toEqual([]);
    open();
    look('record-2');
    relay.dispose();
    expect(client.connection.sent).toHaveLength(1);
    open();
    look('record-2');
    client.become({ kind: 'idle' });
    relay.close();
    expect(client.asked).toEqual([]);
  });
});
