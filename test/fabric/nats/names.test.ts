// Names in the broker: different runs and epochs share none, and a new start finds exactly what older epochs of its run left.

import { createInbox } from '@nats-io/transport-node';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runId } from '../../../runtime/core/ids.ts';
import { BrokerNames, isInbox, newEpoch, streamsOfOtherEpochs } from '../../../runtime/fabric/nats/names.ts';
import { hostPermissions } from '../../../runtime/fabric/nats/permissions.ts';
import { streamsOf } from '../../../runtime/fabric/nats/streams.ts';

const run = fc
  .oneof(
    fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,8}$/),
    fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{28,127}$/),
  )
  .map(runId);
const epoch = fc.stringMatching(/^[0-9a-f]{8}$/);

test('runs and epochs that differ share no name', () => {
  fc.assert(
    fc.property(run, epoch, run, epoch, (oneRun, oneEpoch, otherRun, otherEpoch) => {
      fc.pre(oneRun !== otherRun || oneEpoch !== otherEpoch);
      const [one, other] = [
        { run: oneRun, epoch: oneEpoch },
        { run: otherRun, epoch: otherEpoch },
      ];
      const shared = (mine: readonly string[], theirs: readonly string[]) =>
        mine.filter(each => theirs.includes(each));
      expect(shared(streamsOf(new BrokerNames(one)), streamsOf(new BrokerNames(other)))).toEqual([]);
      expect(shared(hostPermissions(one, 'a').publish, hostPermissions(other, 'b').publish)).toEqual([]);
      expect(shared(hostPermissions(one, 'a').subscribe, hostPermissions(other, 'b').subscribe)).toEqual([]);
    }),
  );
});

test('names are valid for NATS', () => {
  fc.assert(
    fc.property(run, epoch, (run, epoch) => {
      for (const stream of streamsOf(new BrokerNames({ run, epoch }))) expect(stream).toMatch(/^[\w-]+$/);
      const { publish, subscribe } = hostPermissions({ run, epoch });
      for (const subject of [...publish, ...subscribe])
        expect(subject).toMatch(/^[\w$-]+(\.[\w$-]+)*(\.[*>])?$/);
    }),
  );
});

test('the name of a run can be read in them, unless it is long', () => {
  const streamOf = (name: string) =>
    new BrokerNames({ run: runId(name), epoch: '0badcafe' }).stream('orders');
  expect(streamOf('2026-11-20-131949-dartboard')).toBe(
    'dartboard-2026-11-20-131949-dartboard-0badcafe-orders',
  );
  expect(streamOf('a_b.c')).toBe('dartboard-a__b_-c-0badcafe-orders');
  expect(streamOf('2026-11-20-131949-ablation_no_pool')).toMatch(/^dartboard-_[0-9a-f]{16}-0badcafe-orders$/);
});

// nats-server refuses lines of more than 4096 bytes. The first line of a host has its permissions in base64, and about 1080 other bytes.
test('the permissions of a host are short enough for its login, also with long names', () => {
  const longestHost = `${'h'.repeat(60)}-256`;
  fc.assert(
    fc.property(run, epoch, (run, epoch) => {
      const { length } = JSON.stringify(hostPermissions({ run, epoch }, longestHost));
      expect(length).toBeLessThan(2250);
    }),
    { examples: [[runId('r'.repeat(30)), '0badcafe']] },
  );
});

test('a new epoch finds the streams of the older ones of its run, and no others', () => {
  fc.assert(
    fc.property(run, epoch, run, epoch, (oneRun, oneEpoch, otherRun, otherEpoch) => {
      fc.pre(oneRun !== otherRun && oneEpoch !== otherEpoch);
      const streams = (run: typeof oneRun, epoch: string) => streamsOf(new BrokerNames({ run, epoch }));
      const older = streams(oneRun, otherEpoch);
      const all = [...streams(oneRun, oneEpoch), ...older, ...streams(otherRun, otherEpoch), 'KV_mine', 'x'];
      expect(streamsOfOtherEpochs(all, { run: oneRun, epoch: oneEpoch })).toEqual(older);
    }),
  );
});

test('an epoch has 8 hexadecimal digits', () => {
  expect(newEpoch()).toMatch(/^[0-9a-f]{8}$/);
});

test('the inboxes of members are inboxes, and nothing that a run stores or hears is one', () => {
  for (const inbox of [createInbox(), '_R_.295jVx.5q98CV']) expect(isInbox(inbox)).toBe(true);
  for (const subject of [
    '',
    '_INBOX',
    '_INBOXES.x',
    '_INBOX_0123.x',
    '_R_x.y',
    'a._INBOX.x',
    '$JS.ACK.x',
    '$KV._INBOX.x',
  ])
    expect(isInbox(subject), subject).toBe(false);
  fc.assert(
    fc.property(run, epoch, (run, epoch) => {
      const names = new BrokerNames({ run, epoch });
      for (const subject of [
        ...['commands', 'orders'].map(channel => names.streamed(channel)),
        names.put('lessons', 'tower'),
        names.topic('events', 'tower'),
        names.register('weights'),
        `${names.stream('orders')}.x`,
      ])
        expect(isInbox(subject), subject).toBe(false);
    }),
  );
});
