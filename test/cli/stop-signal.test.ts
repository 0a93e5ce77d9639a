import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { endOnBrokenPipe } from '../../runtime/cli/stop-signal.ts';

test('a full disk under the output ends nothing, and the exit code reports it', () => {
  const before = process.exitCode;
  onTestFinished(() => {
    process.exitCode = before;
  });
  const output = new EventEmitter();
  endOnBrokenPipe(output);
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  for (const _ of [1, 2]) output.emit('error', full);
  expect(process.exitCode).toBe(1);
});
