// Reports of failing and recovered work, each once.

import { expect, test } from 'vitest';
import { FailureReport } from '../../runtime/core/failure-report.ts';

function reported() {
  const reports: string[] = [];
  const report = new FailureReport(error => reports.push(error?.message ?? 'works again'));
  /** A call that fails, until it is settled. */
  const failing = (why: string) => {
    let resolve: () => void = () => undefined;
    let reject: (reason: Error) => void = () => undefined;
    const promise = new Promise<void>((resolved, rejected) => {
      resolve = resolved;
      reject = rejected;
    });
    const call = report.around(async failed => {
      failed(new Error(why));
      failed(new Error(why));
      await promise;
    });
    return { call, resolve: () => resolve(), reject: (reason: Error) => reject(reason) };
  };
  return { reports, failing, succeed: () => report.around(async () => undefined) };
}

test('concurrent failures are reported once, and the recovery with the last of them', async () => {
  const { reports, failing, succeed } = reported();
  const [one, other] = [failing('one'), failing('other')];
  await succeed();
  one.resolve();
  await one.call;
  expect(reports).toEqual(['one']);
  other.resolve();
  await other.call;
  await succeed();
  expect(reports).toEqual(['one', 'works again']);
});

test('after the last failing call rejects, the next success of any call is the recovery', async () => {
  const { reports, failing, succeed } = reported();
  for (const why of ['one', 'other']) {
    const { call, reject } = failing(why);
    reject(new Error('stopped'));
    await expect(call).rejects.toThrow('stopped');
  }
  expect(reports).toEqual(['one']);
  await succeed();
  await succeed();
  expect(reports).toEqual(['one', 'works again']);
});
