import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../runtime/core/virtual-clock.ts';
import { Connection } from '../../../../runtime/environments/web/browser/connection.ts';
import { Tab } from '../../../../runtime/environments/web/browser/tab.ts';

const ADDRESS = 'http://silent.test/';

function openTab() {
  const [input, output, clock] = [new PassThrough(), new PassThrough(), new VirtualClock()];
  const session = new Connection({ input, output, clock }).session('tab');
  const tab = new Tab({ session, target: 'tab', clock, dialogOpened: () => undefined });
  return { clock, output, session, tab };
}

function navigate(url: string) {
  const { clock, output, tab } = openTab();
  const failed = tab.navigate(url).catch(error => error.failure);
  return { clock, failed, output };
}

/** Steps back to a page of this address, then an event arrives. Returns whether the step is over within a second. */
async function isBackAfter(address: string, event: string, params: object): Promise<boolean> {
  const { clock, output, session, tab } = openTab();
  const reply = (id: number, result: object) =>
    output.write(`${JSON.stringify({ id, result, sessionId: 'tab' })}\0`);
  let isOver = false;
  void tab.move(-1).then(() => {
    isOver = true;
  });
  const entries = [address, ADDRESS].map((url, id) => ({ id, url }));
  reply(1, { currentIndex: 1, entries });
  await clock.run(100);
  reply(2, {});
  await clock.run(200);
  expect(isOver).toBe(false);
  session.emit(event, params);
  await clock.run(1000);
  return isOver;
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

const FRAME_EVENTS = [
  { event: 'Page.frameNavigated', params: { frame: { id: 'inner', parentId: 'tab', loaderId: 'next' } } },
  { event: 'Page.navigatedWithinDocument', params: { frameId: 'inner', navigationType: 'fragment' } },
];

test.each(FRAME_EVENTS)('a step back within a frame is over at its $event', async ({ event, params }) => {
  expect(await isBackAfter(ADDRESS, event, params)).toBe(true);
});

test.each(FRAME_EVENTS)('a step to another page ignores $event of a frame', async ({ event, params }) => {
  expect(await isBackAfter('http://other.test/', event, params)).toBe(false);
});
