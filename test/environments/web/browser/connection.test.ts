import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { BoundaryError } from '../../../../runtime/core/failure.ts';
import { VirtualClock } from '../../../../runtime/core/virtual-clock.ts';
import { Connection } from '../../../../runtime/environments/web/browser/connection.ts';

interface Sent {
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
  readonly sessionId?: string;
}

function connect() {
  const [input, output, clock] = [new PassThrough(), new PassThrough(), new VirtualClock()];
  const found = { hung: 0 };
  const connection = new Connection({
    ...{ input, output, clock },
    hung: () => {
      found.hung += 1;
    },
  });
  const sent = (): readonly Sent[] =>
    String(input.read() ?? '')
      .split('\0')
      .filter(Boolean)
      .map(text => JSON.parse(text));
  const reply = (message: object) => output.write(`${JSON.stringify(message)}\0`);
  return { connection, clock, sent, reply, found };
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    error => (error instanceof BoundaryError ? error.failure : error),
  );

describe('a connection to a browser', () => {
  test('matches replies with commands, in any order', async () => {
    const { connection, sent, reply } = connect();
    const tab = connection.session('tab');
    const [version, tree] = [connection.browser.send('Browser.getVersion'), tab.send('Page.getFrameTree')];
    // Commands of one turn are written together.
    await new Promise(resolve => setImmediate(resolve));
    const [first, second] = sent();
    expect(first).toEqual({ id: 1, method: 'Browser.getVersion', params: {} });
    expect(second).toEqual({ id: 2, method: 'Page.getFrameTree', params: {}, sessionId: 'tab' });
    reply({ id: 2, result: { frameTree: 'a tree' }, sessionId: 'tab' });
    reply({ id: 1, result: { product: 'Chrome' } });
    expect(await version).toEqual({ product: 'Chrome' });
    expect(await tree).toEqual({ frameTree: 'a tree' });
  });

  test('rejects a command with the error of the browser', async () => {
    const { connection, reply } = connect();
    const failed = failureOf(connection.browser.send('Browser.close'));
    reply({ id: 1, error: { code: -32000, message: 'Not allowed', data: 'by policy' } });
    expect(await failed).toMatchObject({
      boundary: 'environment',
      message: 'Browser.close failed: Not allowed by policy',
    });
  });

  test('a browser that answers neither a command nor the question for its version has hung', async () => {
    for (const [answered, hung] of [
      [[], 1],
      [[2], 0],
    ] as const) {
      const { connection, clock, reply, found } = connect();
      const failed = failureOf(connection.browser.send('Target.getTargets'));
      await clock.run(clock.now() + 11_000);
      expect(await failed).toMatchObject({ boundary: 'environment' });
      for (const id of answered) reply({ id, result: { product: 'Chrome' } });
      await new Promise(resolve => setImmediate(resolve));
      await clock.run(clock.now() + 6_000);
      expect(found.hung).toBe(hung);
    }
  });

  test('a page that does not answer is no reason to ask the browser', async () => {
    const { connection, clock, found } = connect();
    const failed = failureOf(connection.session('tab').send('Page.enable'));
    await clock.run(clock.now() + 40_000);
    expect(await failed).toMatchObject({ boundary: 'environment' });
    expect(found.hung).toBe(0);
  });

  test('rejects a command without a reply after 10 s, and ignores a late reply', async () => {
    const { connection, clock, reply } = connect();
    const failed = failureOf(connection.browser.send('Browser.close'));
    await clock.run(9000);
    const other = connection.browser.send('Browser.getVersion');
    await clock.run(10_600);
    expect(await failed).toMatchObject({ boundary: 'environment' });
    reply({ id: 1, result: {} });
    reply({ id: 2, result: { product: 'Chrome' } });
    expect(await other).toEqual({ product: 'Chrome' });
  });

  test('routes an event to the listeners of its session, in order', async () => {
    const { connection, reply } = connect();
    const [tab, other] = [connection.session('tab'), connection.session('other')];
    const seen: string[] = [];
    tab.on('Page.loadEventFired', ({ timestamp }) => seen.push(`tab ${timestamp}`));
    const remove = other.on('Page.loadEventFired', ({ timestamp }) => seen.push(`other ${timestamp}`));
    const done = new Promise<void>(resolve => other.on('Page.domContentEventFired', () => resolve()));
    reply({ method: 'Page.loadEventFired', params: { timestamp: 1 }, sessionId: 'other' });
    reply({ method: 'Page.loadEventFired', params: { timestamp: 2 }, sessionId: 'tab' });
    reply({ method: 'Page.domContentEventFired', params: {}, sessionId: 'other' });
    await done;
    remove();
    other.emit('Page.loadEventFired', { timestamp: 3 });
    expect(seen).toEqual(['other 1', 'tab 2']);
  });

  test('the end of a session rejects its commands, and no others', async () => {
    const { connection, reply } = connect();
    const tab = connection.session('tab');
    const [failed, version] = [
      failureOf(tab.send('Page.enable')),
      connection.browser.send('Browser.getVersion'),
    ];
    tab.end('the tab was closed.');
    expect(await failed).toMatchObject({
      boundary: 'environment',
      message: expect.stringContaining('the tab was closed.'),
    });
    expect(tab.isOpen).toBe(false);
    expect(await failureOf(tab.send('Page.enable'))).toMatchObject({ boundary: 'environment' });
    reply({ id: 2, result: { product: 'Chrome' } });
    expect(await version).toEqual({ product: 'Chrome' });
  });

  test('its end rejects everything, also later commands', async () => {
    const { connection, sent } = connect();
    const tab = connection.session('tab');
    const failures = [
      failureOf(tab.send('Page.enable')),
      failureOf(connection.browser.send('Browser.getVersion')),
    ];
    const reasons: string[] = [];
    tab.onEnd(reason => reasons.push(reason));
    connection.end('the browser ended with SIGKILL.');
    connection.end('again');
    for (const failure of await Promise.all(failures))
      expect(failure).toMatchObject({ boundary: 'environment' });
    expect(reasons).toEqual(['the browser ended with SIGKILL.']);
    sent();
    expect(await failureOf(connection.browser.send('Browser.getVersion'))).toMatchObject({
      message: expect.stringContaining('SIGKILL'),
    });
    expect(sent()).toEqual([]);
  });

  test('ignores messages that are no JSON or have no meaning', async () => {
    const { connection, reply } = connect();
    const version = connection.browser.send('Browser.getVersion');
    for (const message of [
      {},
      [],
      { id: 'x' },
      { id: 99, result: {} },
      { method: 7 },
      { method: 'Page.x', sessionId: 'no' },
    ])
      reply(message);
    reply({ id: 1, result: { product: 'Chrome' } });
    expect(await version).toEqual({ product: 'Chrome' });
  });
});
