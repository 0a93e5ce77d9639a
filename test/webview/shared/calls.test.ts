import { expect, test } from 'vitest';
import { type Asked, Calls } from '../../../webview/shared/link/calls.ts';
import { RelayedLink, type ToHost } from '../../../webview/shared/link/relayed.ts';
import { playedState } from '../../daemon/server/played-state.ts';

const LIST = { filter: {}, sort: 'endedAt', descending: true, offset: 0, limit: 1 } as const;
const FRAME = { trajectory: 't', step: 0 };
const frame = { width: 1, height: 1, count: 2 };

function asking(): { readonly calls: Calls; readonly sent: Asked[]; readonly send: (asked: Asked) => void } {
  const sent: Asked[] = [];
  return { calls: new Calls(), sent, send: asked => sent.push(asked) };
}

test('each reply answers the request with its id, in whatever order they come', async () => {
  const { calls, sent, send } = asking();
  const first = calls.ask('runs.list', {}, send);
  const second = calls.ask('trajectories.list', LIST, send);
  calls.heard({ id: sent[1]?.id, result: { total: 0, rows: [], upTo: 0 } });
  calls.heard({ id: sent[0]?.id, result: [] });
  expect((await first).result).toEqual([]);
  expect((await second).result).toEqual({ total: 0, rows: [], upTo: 0 });
});

test.each(['before', 'after'])('bytes that come %s their reply belong to it', async when => {
  const { calls, send } = asking();
  const asked = calls.ask('trajectory.frame', FRAME, send, true);
  const bytes = new Uint8Array([1, 2, 3]);
  if (when === 'before') calls.heardBytes(0, bytes);
  calls.heard({ id: 0, result: frame });
  if (when === 'after') calls.heardBytes(0, bytes);
  expect(await asked).toEqual({ result: frame, bytes });
});

test('a refusal says why, and of what kind it is', async () => {
  const { calls, send } = asking();
  const asked = calls.ask('runs.list', {}, send);
  calls.heard({ id: 0, error: { code: 'busy', message: 'Too much at once.' } });
  await expect(asked).rejects.toMatchObject({ message: 'Too much at once.', code: 'busy' });
});

test('what is no answer to its request is an error, not a result', async () => {
  const { calls, send } = asking();
  const asked = calls.ask('runs.list', {}, send);
  calls.heard({ id: 0, result: 'none' });
  await expect(asked).rejects.toThrow();
});

test('nothing waits for ever when the connection ends', async () => {
  const { calls, send } = asking();
  const asked = calls.ask('runs.list', {}, send);
  calls.end('The connection was lost.');
  await expect(asked).rejects.toThrow('The connection was lost.');
});

test('a state answers nobody', () => {
  const state = playedState(60);
  expect(new Calls().heard({ method: 'state', params: state })).toEqual(state);
});

test('within an editor requests go to the host, and only while it has a connection', async () => {
  const sent: ToHost[] = [];
  const heard: string[] = [];
  const link = new RelayedLink(message => sent.push(message), {
    connected: () => heard.push('connected'),
    lost: ({ kind }) => heard.push(kind),
    state: ({ run }) => heard.push(run),
  });
  await expect(link.ask('runs.list', {})).rejects.toThrow('no connection');
  expect(link.does('runs.list')).toBe(false);
  link.hear({ kind: 'connected', methods: ['hello', 'runs.list'] });
  expect([link.does('runs.list'), link.does('run.stop')]).toEqual([true, false]);
  const asked = link.askBytes('trajectory.frame', FRAME);
  expect(sent).toEqual([{ kind: 'request', request: { id: 0, method: 'trajectory.frame', params: FRAME } }]);
  link.hear({ kind: 'frame', id: 0, payload: new Uint8Array([7]) });
  link.hear({ kind: 'message', message: { id: 0, result: frame } });
  expect((await asked).bytes).toEqual(new Uint8Array([7]));
  const state = playedState(60);
  link.hear({ kind: 'message', message: { method: 'state', params: state } });
  const broken = link.ask('runs.list', {});
  link.hear({ kind: 'lost', loss: { kind: 'refused', why: 'No.' } });
  await expect(broken).rejects.toThrow('The connection was lost.');
  expect(heard).toEqual(['connected', state.run, 'refused']);
});
