import { expect, test } from 'vitest';
import { DaemonRequestError, DaemonRequests } from '../../../extension/daemon/requests.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';

const requestsOn = (clock: VirtualClock, isOpen = true) => new DaemonRequests(() => isOpen, clock);

test('a request without a reply fails after its deadline', async () => {
  const clock = new VirtualClock(0);
  const reply = requestsOn(clock).request('runs.list', {});
  const failure = expect(reply).rejects.toThrow(/'runs.list' within 30 s/);
  await clock.run(30_000);
  await failure;
});

test('a request that stops a run has a longer deadline, for its checkpoint', async () => {
  const clock = new VirtualClock(0);
  const requests = requestsOn(clock);
  const reply = requests.request('run.stop', { run: 'a' });
  await clock.run(60_000);
  requests.receive({ id: 0, result: {} });
  expect(await reply).toEqual({});
});

test('a reply after the deadline is ignored', async () => {
  const clock = new VirtualClock(0);
  const requests = requestsOn(clock);
  const failure = expect(requests.request('runs.list', {})).rejects.toThrow(DaemonRequestError);
  await clock.run(30_000);
  await failure;
  requests.receive({ id: 0, result: [] });
});

test('a request without an open connection fails at once', async () => {
  await expect(requestsOn(new VirtualClock(0), false).request('runs.list', {})).rejects.toThrow('not sent');
});

test('a rejected request has the code of the daemon', async () => {
  const requests = requestsOn(new VirtualClock(0));
  const reply = requests.request('run.delete', { run: 'a' });
  requests.receive({ id: 0, error: { code: 'in_pool', message: 'The success pool contains 2 of them.' } });
  await expect(reply).rejects.toMatchObject({ code: 'in_pool', message: expect.stringContaining('2') });
});

test('a lost connection rejects pending requests', async () => {
  const requests = requestsOn(new VirtualClock(0));
  const failure = expect(requests.request('runs.list', {})).rejects.toThrow('was lost');
  requests.close();
  await failure;
});
