import { beforeEach, expect, test } from 'vitest';
import type { Dialled, Listener } from '../../../extension/daemon/client.ts';
import type { Hearing, Sent } from '../../../extension/daemon/connection.ts';
import type { State } from '../../../extension/daemon/lifecycle.ts';
import { Relay } from '../../../extension/panels/relay.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { decodeReplyFrame, encodeReplyFrame } from '../../../runtime/protocol/daemon/frame.ts';
import type { HostMessage, PanelPlace } from '../../../runtime/protocol/panels.ts';
import { DAEMON } from '../a-daemon.ts';

const daemon = DAEMON;
const METHODS = ['runs.list'];
const connected: State = { kind: 'connected', daemon, since: 0, tries: 0 };

/** A daemon's client that does what a test says. */
class Client {
  state: State = { kind: 'away' };
  readonly dialled: { hearing: Hearing; sent: Sent[]; isOpen: boolean }[] = [];
  readonly wants: boolean[] = [];
  readonly #listeners = new Set<Listener>();

  listen(listener: Listener) {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }
  want(start: boolean): void {
    this.wants.push(start);
  }
  dial(hearing: Hearing): Dialled | undefined {
    if (this.state.kind !== 'connected') return undefined;
    const line = { hearing, sent: [] as Sent[], isOpen: true };
    this.dialled.push(line);
    return {
      send: request => {
        line.sent.push(request);
        return true;
      },
      close: () => {
        line.isOpen = false;
      },
    };
  }
  become(state: State): void {
    this.state = state;
    for (const listener of this.#listeners) listener.changed?.(state);
  }
  get line() {
    const line = this.dialled.at(-1);
    if (line === undefined) throw new Error('Nobody has dialled.');
    return line;
  }
}

let client: Client;
let clock: VirtualClock;
let heard: HostMessage[];
let opened: PanelPlace[];
let notes: string[];
let annotated: number;
let relay: Relay;
const kinds = (): readonly string[] => heard.splice(0).map(({ kind }) => kind);

beforeEach(() => {
  client = new Client();
  clock = new VirtualClock(0);
  [heard, opened, notes, annotated] = [[], [], [], 0];
  relay = new Relay({
    client,
    clock,
    post: message => heard.push(message),
    open: place => opened.push(place),
    note: message => notes.push(message),
    annotated: () => {
      annotated += 1;
    },
  });
});

/** A page that is up, and connected. */
function open(): void {
  client.become(connected);
  relay.hear({ kind: 'ready' });
  client.line.hearing.welcomed(METHODS);
}

test('a page that is ready is told how things stand, and wants a daemon', () => {
  relay.hear({ kind: 'ready' });
  expect(kinds()).toEqual(['lost']);
  expect(client.wants).toEqual([true]);
  client.become(connected);
  client.line.hearing.welcomed(METHODS);
  expect(kinds()).toEqual(['connected']);
});

test('before it is ready it is told nothing', () => {
  client.become(connected);
  client.become({ kind: 'away' });
  expect(heard).toEqual([]);
});

test('requests go out as they are, and replies and bytes come back as they are', () => {
  open();
  kinds();
  const request = { id: 0, method: 'runs.list', params: {} };
  relay.hear({ kind: 'request', request });
  expect(client.line.sent).toEqual([request]);
  client.line.hearing.message({ id: 0, result: [] });
  client.line.hearing.frame(
    decodeReplyFrame(encodeReplyFrame({ id: 3, payload: new Uint8Array([1, 2]) }).buffer),
  );
  expect(heard).toEqual([
    { kind: 'message', message: { id: 0, result: [] } },
    { kind: 'frame', id: 3, payload: new Uint8Array([1, 2]) },
  ]);
});

test('what a page says of a trajectory is told once it is answered, and nothing else', () => {
  open();
  const say = (id: number, method: string) =>
    relay.hear({ kind: 'request', request: { id, method, params: {} } });
  say(1, 'runs.list');
  say(2, 'annotate');
  expect(annotated).toBe(0);
  client.line.hearing.message({ id: 1, result: [] });
  expect(annotated).toBe(0);
  client.line.hearing.message({
    id: 2,
    result: { marked: { keySteps: [] }, undo: { kind: 'note', text: '' } },
  });
  expect(annotated).toBe(1);
  client.line.hearing.message({ id: 2, result: [] });
  expect(annotated).toBe(1);
});

test('a page cannot greet in the name of the host, nor say what is no message', () => {
  open();
  relay.hear({ kind: 'request', request: { id: 0, method: 'hello', params: {} } });
  relay.hear({ kind: 'open', place: { panel: 'passwords' } });
  relay.hear('anything');
  expect(client.line.sent).toEqual([]);
  expect(opened).toEqual([]);
  expect(notes).toHaveLength(3);
});

test('a page that is loaded anew gets a connection of its own, and the old one is closed', () => {
  open();
  relay.hear({ kind: 'ready' });
  expect(client.dialled.map(({ isOpen }) => isOpen)).toEqual([false, true]);
});

test('a page that nobody sees has no connection', () => {
  open();
  relay.hide();
  expect(client.line.isOpen).toBe(false);
  client.become(connected);
  expect(client.dialled).toHaveLength(1);
});

test('when the daemon is gone the page is told, and when it is back it is connected again', () => {
  open();
  kinds();
  client.become({ kind: 'waiting', until: 5000, start: true, tries: 1, why: 'It broke.' });
  expect(heard.splice(0)).toEqual([{ kind: 'lost', loss: { kind: 'lost', again: 5000 } }]);
  client.become(connected);
  client.line.hearing.welcomed(METHODS);
  expect(kinds()).toEqual(['connected']);
});

test('a connection that broke although the daemon is there is made anew after a second', async () => {
  open();
  kinds();
  client.line.hearing.closed('lost', 'It read too slowly.');
  expect(heard.splice(0)).toEqual([{ kind: 'lost', loss: { kind: 'lost', again: 1000 } }]);
  await clock.run(999);
  expect(client.dialled).toHaveLength(1);
  await clock.run(1000);
  expect(client.dialled).toHaveLength(2);
});

test('a page whose daemon was stopped, or does not come, is told so, and can ask for one', () => {
  open();
  kinds();
  client.become({ kind: 'away' });
  client.become({ kind: 'failed', why: 'There is no room.' });
  expect(heard.splice(0)).toEqual([
    { kind: 'lost', loss: { kind: 'gone', why: expect.stringContaining('It was stopped.') } },
    { kind: 'lost', loss: { kind: 'gone', why: 'There is no room.' } },
  ]);
  relay.hear({ kind: 'retry' });
  expect(client.wants.at(-1)).toBe(true);
});

test('a page that is not let in is told why', () => {
  open();
  kinds();
  client.line.hearing.closed('refused', 'It speaks version 9.');
  expect(heard).toEqual([{ kind: 'lost', loss: { kind: 'refused', why: 'It speaks version 9.' } }]);
});

test('a place that was asked for is shown once the page listens', () => {
  const place: PanelPlace = { panel: 'trajectories', trajectory: 'some', step: 3 };
  relay.show(place);
  expect(heard).toEqual([]);
  open();
  expect(heard).toEqual([
    { kind: 'connected', methods: METHODS },
    { kind: 'show', place },
  ]);
  relay.show(place);
  expect(heard).toHaveLength(3);
});

test('a page may open another panel, with whatever it wants shown there', () => {
  relay.hear({ kind: 'open', place: { panel: 'trajectories', trajectory: 'some', step: 3 } });
  expect(opened).toEqual([{ panel: 'trajectories', trajectory: 'some', step: 3 }]);
});
