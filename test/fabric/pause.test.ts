import { expect, test } from 'vitest';
import type { Command } from '../../runtime/core/command.ts';
import { runId } from '../../runtime/core/ids.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { EmbeddedLog } from '../../runtime/fabric/embedded/log.ts';
import { Pause } from '../../runtime/fabric/pause.ts';

const RUN = runId('r');

function pausing() {
  const clock = new VirtualClock();
  const commands = new EmbeddedLog<Command>('commands');
  const pause = new Pause(commands, RUN, clock);
  const stop = new AbortController();
  const following = pause.follow(stop.signal);
  const say = async (kind: 'pause' | 'resume' | 'stop', run = RUN) => {
    await commands.append({ kind, run });
    await clock.run(clock.now());
  };
  return { clock, commands, pause, stop, following, say };
}

test('the switch is on from a pause to a resume, and measures its total time', async () => {
  const { clock, pause, say, stop, following } = pausing();
  expect(pause.isOn).toBe(false);
  await say('pause');
  await clock.run(100);
  await say('pause');
  expect([pause.isOn, pause.sample()]).toEqual([true, 100]);
  await say('resume');
  await clock.run(1000);
  await say('resume');
  expect([pause.isOn, pause.sample()]).toEqual([false, 100]);
  await say('pause');
  await clock.run(1050);
  expect(pause.sample()).toBe(150);
  stop.abort();
  await following.catch(() => undefined);
});

test('the signal aborts when a pause begins and when it ends, not on a repeated command', async () => {
  const { pause, say } = pausing();
  const before = pause.changed;
  await say('resume');
  expect(before.aborted).toBe(false);
  await say('pause');
  const during = pause.changed;
  await say('pause');
  expect([before.aborted, during.aborted]).toEqual([true, false]);
  await say('resume');
  expect([during.aborted, pause.changed.aborted]).toEqual([true, false]);
});

test.each(['pause', 'stop'] as const)('a sleep ends at its time or with a pause: %s', async kind => {
  const { clock, pause, say } = pausing();
  let endedAt: number | undefined;
  void pause.sleep(1000, new AbortController().signal).then(() => {
    endedAt = clock.now();
  });
  await clock.run(400);
  await say(kind);
  await clock.run(2000);
  expect(endedAt).toBe(kind === 'pause' ? 400 : 1000);
});

test('commands for other runs have no effect', async () => {
  const { pause, say } = pausing();
  await say('pause', runId('other'));
  expect(pause.isOn).toBe(false);
});

test('a late follower reads the earlier commands', async () => {
  const { clock, commands, say } = pausing();
  await say('pause');
  const late = new Pause(commands, RUN, clock);
  void late.follow(new AbortController().signal);
  await clock.run(clock.now());
  expect(late.isOn).toBe(true);
});
