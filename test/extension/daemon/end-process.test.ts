// The end of a process that exits, hangs, or exits late.

import { expect, test } from 'vitest';
import { type EndableProcess, endProcess } from '../../../extension/daemon/end-process.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';

type SignalName = Parameters<EndableProcess['signal']>[0];

/** A process that ends at the first of these signals. */
class ScriptedProcess implements EndableProcess {
  readonly signals: SignalName[] = [];
  readonly #obeys: readonly SignalName[];
  hasExited = false;

  constructor(...obeys: readonly SignalName[]) {
    this.#obeys = obeys;
  }

  isRunning(): boolean {
    return !this.hasExited;
  }

  signal(name: SignalName): void {
    this.signals.push(name);
    if (this.#obeys.includes(name)) this.hasExited = true;
  }
}

async function ended(scripted: ScriptedProcess, mayKill: () => boolean) {
  const clock = new VirtualClock();
  const asked: number[] = [];
  const result = endProcess(scripted, {
    ...{ clock, timeoutMs: 60_000 },
    mayKill: async () => {
      asked.push(clock.now());
      return mayKill();
    },
  });
  await clock.run();
  return { hasEnded: await result, asked, signals: scripted.signals };
}

test('a process that exits is not killed', async () => {
  const result = await ended(new ScriptedProcess('SIGTERM'), () => true);
  expect(result).toEqual({ hasEnded: true, asked: [], signals: ['SIGTERM'] });
});

test('a process that hangs is killed if the user agrees', async () => {
  const result = await ended(new ScriptedProcess('SIGKILL'), () => true);
  expect(result).toEqual({ hasEnded: true, asked: [60_000], signals: ['SIGTERM', 'SIGKILL'] });
});

test('a process that hangs stays if the user declines', async () => {
  const result = await ended(new ScriptedProcess('SIGKILL'), () => false);
  expect(result).toEqual({ hasEnded: false, asked: [60_000], signals: ['SIGTERM'] });
});

test.each([true, false])(
  'a process that exits during the question is not killed (answer %s)',
  async answer => {
    const scripted = new ScriptedProcess();
    const result = await ended(scripted, () => {
      scripted.hasExited = true;
      return answer;
    });
    expect(result).toEqual({ hasEnded: true, asked: [60_000], signals: ['SIGTERM'] });
  },
);
