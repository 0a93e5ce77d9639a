// The browser of a guest, over the debugging port of a real one.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { GuestBrowser } from '../../../runtime/environments/guest/guest-browser.ts';
import { runGetter } from '../../../runtime/environments/osworld/getters.ts';
import { runStep } from '../../../runtime/environments/osworld/steps.ts';
import { temporaryFolder } from '../../temporary.ts';
import { memoryMachine, taskRun } from '../osworld/memory-machine.ts';
import { INSTALLED_BROWSERS, NO_BROWSER } from '../web/browsers.ts';

const [installed] = INSTALLED_BROWSERS;
if (installed === undefined) process.stderr.write(`${NO_BROWSER}\n`);

const PAGE = `<!doctype html><title>Trip</title><body>
  <div class="city"> SEA </div><div class="city">NYC</div><p class="day">Fri, Dec 4</p>
  <form><input value="Ann"></form><h3>Other</h3><a id="go" href="/slow">More</a><div id="late"></div>
  <script>setTimeout(() => { document.getElementById('late').textContent = 'arrived'; }, 50);</script></body>`;

const SHOP = `<!doctype html><title>Shop</title><body>
  <b class="size">Small</b><b class="size">Large</b><b class="colour">Red</b>
  <ul class="for"><li class="catAllProducts"><span>Kids</span><span>12</span></li></ul>
  <ul class="what"><li class="catAllProducts"><span>Toys</span></li></ul>
  <div class="card"><h3>Ball</h3><h3>Red</h3></div><div class="card"><h3>Kite</h3></div>
  <script>const first = 'total';</script><p><i>Total: 7</i> euros</p><p>The total again</p></body>`;

describe.skipIf(installed === undefined)('the browser of a guest', () => {
  let server: Server;
  let site: string;
  let child: ChildProcess;
  let browser: GuestBrowser;

  beforeAll(async () => {
    server = createServer((request, response) => {
      response.setHeader('content-type', 'text/html');
      const next = '<title>Next</title><b id="x" data-n="7">next page</b>';
      if (request.url === '/slow') setTimeout(() => response.end(next), 300);
      else response.end(request.url === '/next' ? next : request.url === '/shop' ? SHOP : PAGE);
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    child = spawn(installed?.path ?? '', [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', 'about:blank'],
      `--user-data-dir=${temporaryFolder('guest-browser')}`,
    ]);
    const port = await new Promise<string>(resolve =>
      child.stderr?.on('data', data => {
        const [, found] = /ws:\/\/127\.0\.0\.1:(\d+)/.exec(String(data)) ?? [];
        if (found !== undefined) resolve(found);
      }),
    );
    browser = new GuestBrowser({ url: `http://127.0.0.1:${port}`, clock: systemClock });
  });
  afterAll(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    server.closeAllConnections();
    server.close();
  });

  test('opens, lists and closes tabs, as the set-up steps of a task', async () => {
    const run = taskRun({ ...memoryMachine(), browser });
    await runStep(run, {
      type: 'chrome_open_tabs',
      parameters: { urls_to_open: [`${site}/`, `${site}/next`] },
    });
    expect(await browser.tabs()).toEqual(
      expect.arrayContaining([
        { title: 'Trip', url: `${site}/` },
        { title: 'Next', url: `${site}/next` },
      ]),
    );
    expect((await browser.tabs()).map(({ url }) => url)).not.toContain('about:blank');
    await runStep(run, { type: 'chrome_close_tabs', parameters: { urls_to_close: [`${site}/next`] } });
    expect(await browser.tabs()).toEqual([{ title: 'Trip', url: `${site}/` }]);
  });

  test('reads the values of elements of the page in front', async () => {
    const address = `${site}/`.replace('http://', '');
    const tree = `<desktop><application name="Google Chrome"><entry name="Address and search bar">${address}</entry></application></desktop>`;
    const run = taskRun({ ...memoryMachine({ tree }), browser });
    const parse = { type: 'active_tab_html_parse', goto_prefix: 'http://' };
    expect(
      await runGetter(run, {
        ...{ ...parse, category: 'class', class_singleObject: { day: 'time', none: 'none' } },
        class_multiObject: { city: { 0: 'start', 1: 'end' } },
      }),
    ).toEqual({ start: 'SEA', end: 'NYC', time: 'Fri, Dec 4', none: '' });
    expect(
      await runGetter(run, { ...parse, category: 'xpath', xpathObject: { '/html/body/div[2]': 'end' } }),
    ).toEqual({ end: 'NYC' });
    expect(
      await runGetter(run, { ...parse, category: 'input', inputObject: { '/html/body/form/input': 'name' } }),
    ).toEqual({ name: 'Ann' });
    expect(await runGetter(run, { ...parse, goto_prefix: 'https://', category: 'class' })).toEqual({});
    expect(await runGetter(run, { type: 'active_tab_info', goto_prefix: 'http://' })).toMatchObject({
      title: 'Trip',
      url: `${site}/`,
    });
  });

  test('visits a page for its values and as a PDF, and closes its tab', async () => {
    const run = taskRun({ ...memoryMachine(), browser });
    const before = await browser.tabs();
    const infos = [
      { action: 'inner_text', selector: '#x' },
      { action: 'attribute', selector: '#x', attribute: 'data-n' },
    ];
    const info = { type: 'info_from_website', url: `${site}/next`, infos, backups: ['backup'] };
    expect(await runGetter(run, info)).toEqual(['next page', '7']);
    expect(await runGetter(run, { ...info, url: 'http://127.0.0.1:1/' })).toEqual(['backup']);
    const follow = { action: 'click_and_attribute', selector: ['#go', '#x'], attribute: 'data-n' };
    expect(await runGetter(run, { ...info, url: `${site}/`, infos: [follow] })).toEqual(['7']);
    const pdf = await browser.printPdf(`${site}/`);
    expect(new TextDecoder().decode(pdf.subarray(0, 5))).toBe('%PDF-');
    expect(await browser.tabs()).toEqual(before);
  });

  test('reads a page as OSWorld does: surplus entries, first elements, labels and wrong selectors', async () => {
    const address = `${site}/shop`.replace('http://', '');
    const tree = `<desktop><application name="Google Chrome"><entry name="Address and search bar">${address}</entry></application></desktop>`;
    const run = taskRun({ ...memoryMachine({ tree }), browser });
    await browser.openTab(`${site}/shop`);
    const read = (category: string, wanted: object) =>
      runGetter(run, { type: 'active_tab_html_parse', goto_prefix: 'http://', category, ...wanted });
    // The surplus is in the first of two groups.
    expect(await read('class&url', { class_multiObject: { size: ['small'], colour: ['red'] } })).toEqual({
      ...{ small: true, red: true, is_other_exist: true },
    });
    const groups = { size: ['Small', 'is_other_exist'], colour: ['Red', 'is_other_exist'] };
    expect(await read('class', { class_multiObject_search_exist: groups })).toEqual({
      ...{ Small: true, Red: true, is_other_exist: true },
    });
    expect(await read('class&url', { class_multiObject_li: { for: ['kids'], what: ['toys'] } })).toEqual({
      ...{ kids: true, toys: true, is_other_exist: false },
    });
    expect(
      await read('class', { class_multiObject_only_child: { card: { 0: 'first', 1: 'second' } } }),
    ).toEqual({ first: 'Ball', second: 'Kite' });
    expect(await read('label', { labelObject: { total: 'sum' } })).toEqual({ sum: 'Total: 7' });
    expect(await read('class', { class_singleObject: { '2col': 'none', size: 'size' } })).toEqual({
      ...{ none: '', size: 'Small' },
    });
    expect(await read('xpath', { xpathObject: { '/html/body/b[': 'none' } })).toEqual({ none: '' });
    await browser.closeTab(url => url === `${site}/shop`);
  });
});

/** A clock whose sleeps end at once. Deadlines, which have a signal, take real time: a reply comes before them. */
const hurried = () => {
  let now = 0;
  return {
    now: () => now,
    sleep: async (ms: number, signal?: AbortSignal) => {
      if (signal !== undefined) return systemClock.sleep(ms, signal);
      now += ms;
    },
  };
};

test('a browser that was just launched is waited for', async () => {
  let questions = 0;
  const server = createServer((request, response) => {
    questions += 1;
    if (questions < 3) request.socket.destroy();
    else response.end('[]');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  await new GuestBrowser({ url: `http://127.0.0.1:${port}`, clock: hurried() }).started();
  expect(questions).toBe(3);
});

test('but not for ever', async () => {
  const clock = hurried();
  const browser = new GuestBrowser({ url: 'http://127.0.0.1:1', clock });
  await expect(browser.started()).rejects.toThrow('--remote-debugging-port');
  expect(clock.now()).toBeGreaterThan(60_000);
});

test('a page that closes while it loads is an error at once', async () => {
  const server = createServer((request, response) =>
    response.end(request.url?.startsWith('/json/new') ? '{"id":"1"}' : '[]'),
  );
  const sessions = new WebSocketServer({ server });
  sessions.on('connection', session =>
    session.on('message', data => {
      const { id, method } = JSON.parse(String(data));
      session.send(JSON.stringify({ id, result: {} }));
      if (method === 'Page.navigate') session.close();
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    sessions.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const browser = new GuestBrowser({ url: `http://127.0.0.1:${port}`, clock: systemClock });
  const closed = 'closed the page. Check the browser in the guest.';
  await expect(browser.visit('https://a.org', [])).rejects.toThrow(closed);
  await expect(browser.openTab('https://a.org')).rejects.toThrow(closed);
});

test('a guest that cannot be reached is no browser without tabs', async () => {
  const browser = new GuestBrowser({ url: 'http://no-such-host.invalid:9222', clock: systemClock });
  await expect(browser.tabs()).rejects.toThrow(/has no reply/);
  const dropped = Object.assign(new Error('Connect Timeout Error'), { code: 'UND_ERR_CONNECT_TIMEOUT' });
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed', { cause: dropped })));
  onTestFinished(() => void vi.unstubAllGlobals());
  await expect(browser.tabs()).rejects.toThrow(/has no reply to \/json\/list: Connect Timeout Error/);
});

async function answering(listener: RequestListener): Promise<GuestBrowser> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return new GuestBrowser({ url: `http://127.0.0.1:${port}`, clock: hurried() });
}

test.each([
  [
    'a browser that refuses the name of the guest',
    500,
    'Host header is specified and is not an IP address or localhost.',
    /\/json\/list answered 500 Host header .* or localhost\. Name the guest by its IP address\. Check the browser/,
  ],
  ['a proxy without a guest', 502, 'Bad Gateway', /answered 502 Bad Gateway\. Check the browser/],
  ['a reply without a text', 502, '', /answered 502\. Check the browser/],
  ['a page in place of a list', 200, '<h1>Sign in</h1>', /answered 200 <h1>Sign in<\/h1>\. Check/],
  ['an object in place of a list', 200, '{}', /\/json\/list answered no list of tabs\. Check/],
])('%s is an error, and no browser without tabs', async (_, status, text, message) => {
  const browser = await answering((_request, response) => response.writeHead(status).end(text));
  await expect(browser.tabs()).rejects.toThrow(message);
  await expect(browser.closeTab(() => true)).rejects.toThrow(message);
});

test('a tab that has closed itself is closed; one that the browser keeps is an error', async () => {
  let [status, lists] = [404, 0];
  const browser = await answering((request, response) => {
    if (request.url?.startsWith('/json/close')) return response.writeHead(status).end('No such target');
    lists += 1;
    const tabs = lists % 2 === 1 ? [{ id: '1', type: 'page', title: 'Trip', url: 'https://a.org' }] : [];
    return response.end(JSON.stringify(tabs));
  });
  expect(await browser.closeTab(() => true)).toBe(true);
  status = 500;
  await expect(browser.closeTab(() => true)).rejects.toThrow('/json/close/1 answered 500 No such target');
});

test('a browser that does not run has no tabs, and its faults say what to do', async () => {
  const browser = new GuestBrowser({ url: 'http://127.0.0.1:1', clock: systemClock });
  expect(await browser.tabs()).toEqual([]);
  await expect(browser.openTab('https://a.org')).rejects.toThrow(/Start it with --remote-debugging-port/);
});
