// Remote watchers, readers and listeners: values are sent on request, and no reader outlives its client.

import { expect, test } from 'vitest';
import { serveChannels } from '../../runtime/fabric/remote/server.ts';
import { embeddedChannels, remoteChannels } from './channels.ts';
import { MemoryPort } from './ports.ts';

/** Delivers all messages in transit. */
const turn = () => new Promise<void>(resolve => setImmediate(resolve));

/** Channels that count their open readers. */
function counted() {
  const channels = embeddedChannels();
  let open = 0;
  const counting = async function* <T>(values: AsyncIterable<T>) {
    open += 1;
    try {
      yield* values;
    } finally {
      open -= 1;
    }
  };
  const { register, log, topic } = channels;
  const [watch, read, listen] = [register.watch, log.read, topic.listen];
  register.watch = signal => counting(watch.call(register, signal));
  log.read = (from, signal) => counting(read.call(log, from, signal));
  topic.listen = options => counting(listen.call(topic, options));
  const pair = MemoryPort.pair();
  serveChannels(channels, pair.server);
  const remote = remoteChannels(pair.client).channels;
  return { here: channels, remote, pair, open: () => open };
}

test('when the connection breaks, pending reads reject, and readers on the server end', async () => {
  const { remote, pair, open } = counted();
  const reading = [remote.register.watch(), remote.log.read(0), remote.topic.listen()].map(each =>
    each[Symbol.asyncIterator]().next(),
  );
  const settled = Promise.allSettled(reading);
  await turn();
  expect(open()).toBe(3);
  pair.cut();
  for (const each of await settled) expect(each).toMatchObject({ reason: { name: 'ChannelClosed' } });
  await turn();
  expect(open()).toBe(0);
});

test('a reader that stops leaves no reader open on the server', async () => {
  const { here, remote, open } = counted();
  await here.register.set(1);
  await here.log.append('a');
  for await (const value of remote.register.watch()) {
    expect([value, open()]).toEqual([1, 1]);
    break;
  }
  for await (const { entry } of remote.log.read(0)) {
    expect(entry).toBe('a');
    break;
  }
  await turn();
  expect(open()).toBe(0);
});

test('a value in transit to a stopped reader is dropped', async () => {
  const { here, remote, pair } = counted();
  const stop = new AbortController();
  const next = remote.register.watch(stop.signal)[Symbol.asyncIterator]().next();
  await turn();
  pair.client.hold();
  await here.register.set(1);
  await turn();
  stop.abort();
  pair.client.release();
  expect((await next).done).toBe(true);
});

test('an aborted signal reads nothing and keeps no listener', async () => {
  const { here, remote } = counted();
  const signals: (AbortSignal | undefined)[] = [];
  const { listen } = here.topic;
  here.topic.listen = options => {
    signals.push(options?.signal);
    return listen.call(here.topic, options);
  };
  const listening = remote.topic.listen({ signal: AbortSignal.abort() });
  await turn();
  expect(signals.map(signal => signal?.aborted)).toEqual([true]);
  expect((await listening[Symbol.asyncIterator]().next()).done).toBe(true);
});

test('a slow watcher receives only the values that it requests', async () => {
  const { here, remote } = counted();
  const watching = remote.register.watch()[Symbol.asyncIterator]();
  await here.register.set(1);
  expect((await watching.next()).value).toBe(1);
  for (const value of [2, 3, 4]) {
    await here.register.set(value);
    await turn();
  }
  expect((await watching.next()).value).toBe(4);
});
