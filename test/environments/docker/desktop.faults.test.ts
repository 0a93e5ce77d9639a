// A desktop whose container dies between two calls, or while it is reset, with simulated containers. desktop.test.ts uses real ones.

import { expect, test } from 'vitest';
import { desktopId, seed, taskId } from '../../../runtime/core/ids.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import type { Task } from '../../../runtime/core/task.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { ContainerHandle } from '../../../runtime/environments/docker/container-handle.ts';
import { DockerDesktop } from '../../../runtime/environments/docker/desktop.ts';
import { encodeFrame, frameDecoder, Warden } from '../../../runtime/environments/docker/warden.ts';
import { FakeHost } from './fake-host.ts';
import { Server } from './rfb/server.ts';
import { scriptedStream } from './scripted-stream.ts';

const TASK: Task = { id: taskId('any'), instruction: 'Do nothing.', evaluator: { func: 'infeasible' } };
const TREE =
  '"windows":[{"xid":7,"title":"Panel","box":[0,0,16,8],"inner":[0,0,16,8],"pid":1}],"nodes":[],"late":[],"busy":[],"active":7}';

/** Its warden serves a screen, and the hub as its only program. `reset` happens in place of a reset that succeeds. */
function containerOf(clock: VirtualClock, reset?: (container: ContainerHandle) => void): ContainerHandle {
  const container = new ContainerHandle(new FakeHost('here', clock, seeded(0)), 'any', async () => undefined);
  const inputs = new Map<number, (data: Uint8Array) => void>();
  const send = (kind: string, channel: number, data: Uint8Array): void =>
    emit(encodeFrame(kind, channel, new Uint8Array(data)));
  const { stream, emit } = scriptedStream(
    frameDecoder(({ kind, channel, bytes }) => {
      if (kind === 's') {
        const screen = new Server({ width: 16, height: 8 });
        inputs.set(channel, data => screen.write(data));
        screen.onData(data => send('d', channel, data));
      }
      if (kind === 'r')
        inputs.set(channel, data => {
          const id = Buffer.from(data).toString().trim();
          send('d', channel, Buffer.from(`{"id":${id},"still":true,${TREE}\n`));
        });
      if (kind === 'd') inputs.get(channel)?.(bytes);
      if (kind === 'a' && reset !== undefined) reset(container);
      else if (kind === 'a') send('a', 0, new Uint8Array(0));
    }),
  );
  container.connected(new Warden(stream, { thing: 'container', clock }));
  return container;
}

function desktopOn(clock: VirtualClock, first: ContainerHandle) {
  const taken: ContainerHandle[] = [];
  const next = async (): Promise<ContainerHandle> => {
    const container = containerOf(clock);
    taken.push(container);
    return container;
  };
  return { desktop: new DockerDesktop(desktopId('docker-1'), first, { next, clock }), taken };
}

/** Advances the clock until the work is done. */
async function finished<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  const [value] = await Promise.all([work, clock.run()]);
  return value;
}

test('a container that dies between two calls: the next call has the reason, and a reset takes another container', async () => {
  const clock = new VirtualClock();
  const first = containerOf(clock);
  const { desktop, taken } = desktopOn(clock, first);
  await finished(clock, desktop.reset(TASK, seed(0)));
  first.die('it ran out of memory');
  await clock.run();
  for (const call of [() => desktop.act({ kind: 'wait' }), () => desktop.judge('finished')])
    await expect(call()).rejects.toMatchObject({
      failure: {
        boundary: 'environment',
        message: 'its container is gone: it ran out of memory. Reset the desktop.',
      },
    });
  expect((await finished(clock, desktop.reset(TASK, seed(0)))).pixels).toMatchObject({ width: 8, height: 4 });
  expect(taken).toHaveLength(1);
  await desktop.close();
});

test('a container that dies while it is reset is replaced once, and the episode begins', async () => {
  const clock = new VirtualClock();
  const first = containerOf(clock, container => container.die('it ran out of memory'));
  const { desktop, taken } = desktopOn(clock, first);
  await finished(clock, desktop.reset(TASK, seed(0)));
  expect(taken).toEqual([]);
  expect((await finished(clock, desktop.reset(TASK, seed(0)))).pixels).toMatchObject({ width: 8, height: 4 });
  expect(taken).toHaveLength(1);
  expect((await finished(clock, desktop.look())).pixels).toMatchObject({ width: 8, height: 4 });
  await desktop.close();
});
