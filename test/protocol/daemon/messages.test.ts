import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DAEMON_RESULTS,
  type DaemonRequest,
  message,
  request,
} from '../../../runtime/protocol/daemon/messages.ts';
import {
  MAX_RUN_MINUTES,
  runState,
  runSummary,
  savedRunState,
} from '../../../runtime/protocol/daemon/state.ts';
import { hostsState } from '../../server/hosts-state.ts';
import { playedState } from '../../server/played-state.ts';

const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const run = 'a-run';

const REQUESTS: readonly DaemonRequest[] = [
  { id: 0, method: 'hello', params: { version: 1, token: 'secret', client: 'page' } },
  { id: 1, method: 'runs.list', params: {} },
  { id: 2, method: 'run.start', params: { config: { mode: 'screenshot', suite: { tiers: [1] } } } },
  { id: 3, method: 'run.resume', params: { run } },
  { id: 4, method: 'run.resume', params: { run, seconds: 900 } },
  { id: 5, method: 'run.pause', params: { run } },
  { id: 6, method: 'run.continue', params: { run } },
  { id: 7, method: 'run.stop', params: { run } },
  { id: 8, method: 'run.delete', params: { run } },
  { id: 9, method: 'run.state', params: { run } },
  { id: 59, method: 'run.compare', params: { runs: [run, 'another-run'] } },
  {
    id: 10,
    method: 'annotate',
    params: { trajectory: 't', remark: { kind: 'verdict', success: false }, who: 'Ada' },
  },
  { id: 11, method: 'subscribe', params: { what: 'runs' } },
  { id: 12, method: 'subscribe', params: { what: { run } } },
  { id: 13, method: 'unsubscribe', params: { what: { run } } },
  { id: 14, method: 'daemon.life', params: {} },
  { id: 15, method: 'daemon.keepTraining', params: { keep: true } },
  {
    id: 16,
    method: 'trajectories.list',
    params: { filter: {}, sort: 'endedAt', descending: true, offset: 0, limit: 100 },
  },
  {
    id: 17,
    method: 'trajectories.list',
    params: {
      filter: {
        ...{ run, tasks: ['notes-rename'], tiers: [1, 2], suite: 'pocket', seed: 4, group: 'g' },
        ...{ purposes: ['train'], provenances: ['rollout', 'human'], outcomes: ['success'] },
        ...{ label: 'odd', isInPool: false, text: 'rename', ended: { from: 1, to: 2 } },
        ...{ steps: { to: 9 }, maxUncertainty: { from: 0.5 }, versions: { from: 3 } },
        agents: ['compact', 'ui-tars'],
      },
      ...{ sort: 'maxUncertainty', descending: false, offset: 200, limit: 1 },
    },
  },
  { id: 80, method: 'trajectories.import', params: { path: '/data/results' } },
  {
    id: 81,
    method: 'trajectories.import',
    params: { path: '/data/a.zip', format: 'dart', screen: { width: 1280, height: 720 } },
  },
  {
    id: 82,
    method: 'trajectories.export',
    params: {
      format: 'trl',
      out: '/data/out',
      replace: true,
      runs: [run],
      only: 'successes',
      split: 'train',
    },
  },
  { id: 18, method: 'trajectory.get', params: { trajectory: 't' } },
  { id: 19, method: 'trajectory.frame', params: { trajectory: 't', step: 0 } },
  { id: 21, method: 'trajectory.elements', params: { trajectory: 't', step: 3 } },
  { id: 22, method: 'steps.uncertain', params: { filter: {}, offset: 0, limit: 60 } },
  {
    id: 23,
    method: 'steps.uncertain',
    params: {
      filter: { run, outcomes: ['failure'], kinds: ['drag'], agents: ['ui-tars'] },
      by: 'task',
      offset: 0,
      limit: 6,
    },
  },
  { id: 62, method: 'collect.tasks', params: { config: { environments: { kind: 'web' } } } },
  { id: 60, method: 'annotation.agreement', params: { run: 'a' } },
  { id: 63, method: 'presort.now', params: {} },
  { id: 64, method: 'presort.start', params: { agent: 'tars', count: 20, run: 'a' } },
  { id: 65, method: 'presort.follow', params: { presort: 'p', after: 3 } },
  { id: 66, method: 'presort.cancel', params: { presort: 'p' } },
  { id: 61, method: 'annotation.queue', params: { offset: 0, limit: 9, order: 'teaching', secondOf: 'Ada' } },
  { id: 24, method: 'annotation.queue', params: { offset: 0, limit: 20, tiers: [3] } },
  ...(
    [
      { kind: 'pool', isMember: true },
      { kind: 'pool', isMember: null },
      { kind: 'verdict', success: null },
      { kind: 'key-step', step: 2, isKey: true },
      { kind: 'trim', part: { from: 1, to: 4 } },
      { kind: 'trim', part: null },
      { kind: 'instruction', text: 'Rename the note.' },
      { kind: 'label', label: 'nice' },
      { kind: 'note', text: 'Look at step 3.' },
    ] as const
  ).map(
    (remark, index): DaemonRequest => ({
      id: 30 + index,
      method: 'annotate',
      params: { trajectory: 't', remark, who: 'Ada' },
    }),
  ),
  { id: 120, method: 'fleet.runs', params: {} },
  { id: 25, method: 'agents.list', params: {} },
  { id: 26, method: 'agents.compare', params: { agents: ['compact', 'ui-tars'] } },
  {
    id: 27,
    method: 'agents.compare',
    params: { agents: ['a', 'b'], purpose: 'evaluate', run },
  },
  { id: 40, method: 'pool.list', params: { offset: 0, limit: 20, tasks: ['notes-rename'] } },
  { id: 41, method: 'tasks.list', params: {} },
  { id: 42, method: 'tasks.list', params: { run, purposes: ['evaluate'] } },
  {
    ...{ id: 50, method: 'collect.start' },
    params: { config: {}, by: { kind: 'script' }, instances: 8, accepts: true, who: 'Ada' },
  },
  {
    ...{ id: 51, method: 'collect.start' },
    params: {
      ...{ config: { mode: 'screenshot' }, wanted: { tiers: [1, 4] }, instances: 1, minutes: 0.5 },
      by: { kind: 'weights', from: run, rollouts: 16, temperature: 1.5 },
      ...{ accepts: false, who: 'Ada' },
    },
  },
  {
    ...{ id: 58, method: 'collect.start' },
    params: {
      ...{ config: {}, wanted: { tasks: ['mail-star'] }, evaluates: 'unseen', instances: 10_000 },
      by: { kind: 'agent', agent: 'toy', rollouts: 1, temperature: 0, parallel: 64, seed: 'a' },
      ...{ accepts: false, who: 'Ada' },
    },
  },
  { id: 59, method: 'collect.results', params: { collection: 'c', from: 12 } },
  { id: 52, method: 'collect.follow', params: { collection: 'c', after: 0 } },
  { id: 53, method: 'collect.cancel', params: { collection: 'c' } },
  { id: 54, method: 'collect.now', params: {} },
  { id: 55, method: 'desktops.look', params: { after: 0 } },
  { id: 56, method: 'desktops.look', params: { after: 1_790_000_000_000, desktop: 'd3' } },
  { id: 57, method: 'desktops.kinds', params: {} },
  { id: 90, method: 'host.drain', params: { run, host: 'tower' } },
  { id: 91, method: 'host.address', params: { run } },
  { id: 92, method: 'host.newAddress', params: { run } },
  { id: 100, method: 'record.tasks', params: { kind: 'web' } },
  { id: 101, method: 'record.start', params: { task: 'notes-write', who: 'Ada' } },
  {
    ...{ id: 102, method: 'record.start' },
    params: { task: 't', seed: 3, split: 'test', kind: 'docker', instruction: 'Do it.', who: 'Ada' },
  },
  { id: 103, method: 'record.now', params: {} },
  { id: 104, method: 'record.look', params: { recording: 'r', frame: 0, change: 4 } },
  {
    ...{ id: 105, method: 'record.input' },
    params: {
      recording: 'r',
      inputs: [
        { event: { kind: 'press', button: 'left', at: { x: 1, y: 2 } }, time: 1.5, frame: 3 },
        { event: { kind: 'wheel', at: { x: 1, y: 2 }, x: 0, y: -100 }, time: 2, frame: 3 },
        { event: { kind: 'keys', keys: ['ctrl', 's'] }, time: 3, frame: 3 },
        { event: { kind: 'text', text: 'é' }, time: 4, frame: 3 },
      ],
    },
  },
  { id: 106, method: 'record.finish', params: { recording: 'r', ending: 'fail' } },
  { id: 107, method: 'record.finish', params: { recording: 'r', ending: 'finished', isDone: true } },
  { id: 108, method: 'record.solution', params: { recording: 'r' } },
  { id: 109, method: 'record.restart', params: { recording: 'r' } },
  { id: 110, method: 'record.save', params: { recording: 'r', drop: [0, 2] } },
  { id: 111, method: 'record.discard', params: { recording: 'r' } },
  { id: 117, method: 'record.takeOver', params: { desktop: 'd3', who: 'Ada' } },
  { id: 118, method: 'record.leave', params: { recording: 'r' } },
  { id: 112, method: 'record.run', params: { agent: 'compact', mode: 'approve', who: 'Ada' } },
  {
    ...{ id: 113, method: 'record.run' },
    params: {
      ...{ agent: 'tars', mode: 'run', task: 'notes-write', seed: 7, kind: 'web', who: 'Ada' },
      ...{ instruction: 'Mute.', split: 'train' },
    },
  },
  { id: 114, method: 'record.pilot', params: { recording: 'r', mode: 'step' } },
  { id: 115, method: 'record.approve', params: { recording: 'r', step: 2, approved: false } },
  { id: 116, method: 'record.decision', params: { recording: 'r', step: 0 } },
];

describe('a request', () => {
  test.each(REQUESTS)('$method $id survives encoding', sent => {
    expect(request.parse(overTheWire(sent))).toEqual(sent);
  });

  test('the samples cover every method, and every method has a result schema', () => {
    const methods = [...new Set(REQUESTS.map(({ method }) => method))].sort();
    expect(Object.keys(DAEMON_RESULTS).sort()).toEqual(methods);
  });

  test.each(REQUESTS)('$method $id with an unknown key at any level is rejected', sent => {
    expect(request.safeParse({ ...sent, extra: 1 }).success).toBe(false);
    expect(request.safeParse({ ...sent, params: { ...sent.params, extra: 1 } }).success).toBe(false);
  });

  test('a collection may last as long as a run: a timer with a longer delay fires at once', () => {
    const params = { config: {}, by: { kind: 'script' }, accepts: true, who: 'Ada' };
    const isAccepted = (minutes: number): boolean =>
      request.safeParse({ id: 1, method: 'collect.start', params: { ...params, minutes } }).success;
    expect([MAX_RUN_MINUTES, MAX_RUN_MINUTES + 1].map(isAccepted)).toEqual([true, false]);
  });

  test('any value is rejected or parsed unchanged', () => {
    const method = fc.constantFrom(...REQUESTS.map(each => each.method));
    const near = fc.record({ id: fc.anything(), method, params: fc.anything() });
    fc.assert(
      fc.property(fc.oneof(fc.anything(), near), value => {
        const parsed = request.safeParse(value);
        expect(parsed.success ? parsed.data : undefined).toEqual(parsed.success ? value : undefined);
      }),
    );
  });
});

const state = playedState(700);
const { status, startedAt, seconds, of, about } = state;
const SUMMARY = {
  run,
  status,
  startedAt,
  seconds,
  of,
  about,
  last: state.curve[0],
  bytes: 5,
  canResume: true,
};
const LIFE = {
  doing: 'leaving',
  clients: 0,
  trainings: [],
  keepTraining: false,
  says: 'It goes.',
};

describe('a message of the daemon', () => {
  test.each([
    ['a result', message, { id: 1, result: { run } }],
    ['a failure', message, { id: null, error: { code: 'not_found', field: 'params.run', message: 'no' } }],
    ['a state', message, { method: 'state', params: state }],
    ['a run', runState, state],
    ['a run over several machines', runState, hostsState(700)],
    ['a run in a list', runSummary, SUMMARY],
    ['the life', DAEMON_RESULTS['daemon.life'], LIFE],
    ['the welcome', DAEMON_RESULTS.hello, { version: 1, methods: ['hello'] }],
    ['the name of a run', DAEMON_RESULTS['run.start'], { run }],
    ['that it was done', DAEMON_RESULTS['run.stop'], {}],
  ])('%s arrives as it was sent, and refuses what it does not know', (_, schema, sent) => {
    expect(schema.parse(overTheWire(sent))).toEqual(sent);
    expect(schema.safeParse({ ...sent, extra: 1 }).success).toBe(false);
  });

  test.each([
    ['an unknown code', { id: 1, error: { code: 'odd', message: 'no' } }],
    ['a result and a failure', { id: 1, result: 1, error: { code: 'failed', message: 'no' } }],
    ['a state that is none', { method: 'state', params: {} }],
  ])('%s is refused', (_, value) => {
    expect(message.safeParse(value).success).toBe(false);
  });
});

test('a state file of an earlier version is read', () => {
  const { problems, ...rest } = playedState(60);
  expect(savedRunState.parse({ ...rest, troubles: problems })).toEqual(playedState(60));
  expect(savedRunState.parse(playedState(60))).toEqual(playedState(60));
});
