import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../runtime/core/virtual-clock.ts';
import { Connection } from '../../../../runtime/environments/web/browser/connection.ts';
import { Tab } from '../../../../runtime/environments/web/browser/tab.ts';

const ADDRESS = 'http://silent.test/';

function navigate(url: string) {
  const [input, output, clock] = [new PassThrough(), new PassThrough(), new VirtualClock()];
  const session = new Connection({ input, output, clock }).session('tab');
  const tab = new Tab({ session, target: 'tab', clock, dialogOpened: () => undefined });
  const failed = tab.navigate(url).catch(error => error.failure);
  return { clock, failed, output };
}

/** Opens a page that gets no reply for 31 s. */
async function navigateInVain(url = ADDRESS) {
  const opened = navigate(url);
  await opened.clock.run(31_000);
  return opened;
}

test('a server that does not answer is an error of the task, with its address', async () => {
  const { failed, output } = await navigateInVain();
  const history = { currentIndex: 0, entries: [] };
  output.write(`${JSON.stringify({ id: 2, result: history, sessionId: 'tab' })}\0`);
  expect(await failed).toEqual({
    boundary: 'task',
    thing: ADDRESS,
    message: 'The server did not answer within 30 s. Check the address and the server.',
  });
});

test('if the browser does not reply either, the error is one of the environment', async () => {
  const { clock, failed } = await navigateInVain();
  await clock.run(clock.now() + 11_000);
  expect(await failed).toMatchObject({ boundary: 'environment' });
});

test('an error that the browser returns is one of the environment', async () => {
  const { clock, failed, output } = navigate(ADDRESS);
  output.write(`${JSON.stringify({ id: 1, error: { message: 'No frame.' }, sessionId: 'tab' })}\0`);
  await clock.run(11_000);
  expect(await failed).toMatchObject({
    boundary: 'environment',
    message: 'Page.navigate failed: No frame.',
  });
});

test('an address without a server that gets no reply is an error of the environment', async () => {
  const { clock, failed } = await navigateInVain('data:text/html,');
  await clock.run(clock.now() + 11_000);
  expect(await failed).toMatchObject({
    boundary: 'environment',
    message: expect.stringContaining('Page.navigate has no result'),
  });
});
