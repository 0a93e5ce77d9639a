// Names in the broker: different runs and epochs share none, and a new start finds exactly what older epochs of its run left.

import { createInbox } from '@nats-io/transport-node';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runId } from '../../../runtime/core/ids.ts';
import { BrokerNames, isInbox, newEpoch, streamsOfOtherEpochs } from '../../../runtime/fabric/nats/names.ts';
import { hostPermissions } from '../../../runtime/fabric/nats/permissions.ts';
import { streamsOf } from '../../../runtime/fabric/nats/streams.ts';

const run = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,8}$/).map(runId);
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
