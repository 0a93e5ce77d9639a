import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../runtime/core/virtual-clock.ts';
import { Connection } from '../../../../runtime/environments/web/browser/connection.ts';
import { Tab } from '../../../../runtime/environments/web/browser/tab.ts';

const ADDRESS = 'http://silent.test/';

/** Opens a page whose server is silent for 31 s. */
async function navigate() {
  const [input, output, clock] = [new PassThrough(), new PassThrough(), new VirtualClock()];
  const session = new Connection({ input, output, clock }).session('tab');
  const tab = new Tab({ session, target: 'tab', clock, dialogOpened: () => undefined });
  const failed = tab.navigate(ADDRESS).catch(error => error.failure);
  await clock.run(31_000);
  return { clock, failed, output };
}

test('a server that does not answer is an error of the task, with its address', async () => {
  const { failed, output } = await navigate();
  const history = { currentIndex: 0, entries: [] };
  output.write(`${JSON.stringify({ id: 2, result: history, sessionId: 'tab' })}\0`);
  expect(await failed).toEqual({
    boundary: 'task',
    thing: ADDRESS,
    message: 'The server did not answer within 30 s. Check the address and the server.',
  });
});

test('a browser that does not reply either is not one of the task', async () => {
  const { clock, failed } = await navigate();
  await clock.run(clock.now() + 11_000);
  expect(await failed).toMatchObject({ boundary: 'environment' });
});
