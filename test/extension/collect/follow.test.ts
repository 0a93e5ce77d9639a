import { expect, test } from 'vitest';
import { followCollection } from '../../../extension/collect/follow.ts';
import { DaemonRequestError } from '../../../extension/daemon/requests.ts';
import type { CollectionState } from '../../../runtime/protocol/daemon/collection.ts';
import { ScriptedDaemon } from '../testing/scripted-daemon.ts';

/** Follows a collection. The requests with these numbers, from 1, fail. */
function following(fails: (request: number) => boolean) {
  const daemon = new ScriptedDaemon();
  daemon.before = () => {
    const { length } = daemon.requests;
    if (fails(length)) throw new DaemonRequestError(`Request ${length} was lost.`);
  };
  daemon.occupy('Scripted solutions');
  const states: CollectionState[] = [];
  const first = daemon.state ?? expect.fail();
  const over = followCollection(first, {
    client: daemon.client,
    seen: state => void states.push(state),
  });
  return { daemon, over, states };
}

test('a collection is followed over two failed requests in a row', async () => {
  const { daemon, over, states } = following(request => [1, 2, 4, 5].includes(request));
  await expect.poll(() => daemon.requests.length).toBe(3);
  daemon.update({});
  await expect.poll(() => daemon.requests.length).toBe(6);
  daemon.update({ status: 'ended' });
  expect(await over).toMatchObject({ status: 'ended' });
  expect([...new Set(states.map(({ change }) => change))]).toEqual([0, 1, 2]);
});

test('the third failure in a row ends it, with the reason of the first', async () => {
  const { daemon, over } = following(() => true);
  await expect(over).rejects.toThrow('Request 1 was lost.');
  expect(daemon.requests).toHaveLength(3);
});
