import { expect, test } from 'vitest';
import type { SentInput } from '../../../runtime/protocol/daemon/record.ts';
import { InputSender } from '../../../webview/record/sender.ts';
import type { DaemonLink } from '../../../webview/shared/link/link.ts';

const WAIT: SentInput['event'] = { kind: 'wait' };

/** A daemon that answers each request when the test says so. */
function slowDaemon() {
  const requests: { readonly inputs: number; readonly end: (error?: Error) => void }[] = [];
  const failures: unknown[] = [];
  const request = (_: string, { inputs }: { readonly inputs: readonly SentInput[] }) =>
    new Promise((resolve, reject) => {
      const end = (error?: Error) => (error === undefined ? resolve({}) : reject(error));
      requests.push({ inputs: inputs.length, end });
    });
  const link: Pick<DaemonLink, 'request'> = { request: request as never };
  const sender = new InputSender({
    ...{ link: () => link as DaemonLink, recording: () => 'one', frame: () => 1 },
    received: () => undefined,
    failed: error => failures.push(error),
  });
  return { sender, requests, failures };
}

const settled = () => new Promise(resolve => setImmediate(resolve));

test('what waits behind a slow request is sent before `sent` resolves', async () => {
  const { sender, requests } = slowDaemon();
  expect(await sender.sent()).toBe(true);
  for (let click = 0; click < 3; click++) sender.send(WAIT, click);
  const sent: boolean[] = [];
  void sender.sent().then(isSent => sent.push(isSent));
  // It does not belong to what ends now.
  sender.send(WAIT, 3);
  requests[0]?.end();
  await settled();
  expect(requests.map(({ inputs }) => inputs)).toEqual([1, 2]);
  expect(sent).toEqual([]);
  requests[1]?.end();
  await settled();
  expect(sent).toEqual([true]);
  sender.send(WAIT, 4);
  expect(requests).toHaveLength(3);
});

test('input that was lost by an error is reported, and `sent` says so to those who wait only', async () => {
  const { sender, requests, failures } = slowDaemon();
  for (let click = 0; click < 2; click++) sender.send(WAIT, click);
  const waiting = sender.sent();
  requests[0]?.end(new Error('The desktop is gone.'));
  expect(await waiting).toBe(false);
  expect(failures).toMatchObject([{ message: 'The desktop is gone.' }]);
  expect(requests).toHaveLength(1);
  expect(await sender.sent()).toBe(true);
  sender.send(WAIT, 2);
  requests[1]?.end();
  expect(await sender.sent()).toBe(true);
});

test('input without a recording is dropped, and later input is sent', async () => {
  const requests: unknown[] = [];
  let recording: string | undefined;
  const request = async (_: string, asked: unknown) => void requests.push(asked);
  const link: Pick<DaemonLink, 'request'> = { request: request as never };
  const sender = new InputSender({
    ...{ link: () => link as DaemonLink, recording: () => recording, frame: () => 1 },
    ...{ received: () => undefined, failed: () => undefined },
  });
  sender.send(WAIT, 1);
  expect(await sender.sent()).toBe(true);
  recording = 'one';
  sender.send(WAIT, 2);
  await sender.sent();
  expect(requests).toEqual([{ recording: 'one', inputs: [{ event: WAIT, time: 2, frame: 1 }] }]);
});
