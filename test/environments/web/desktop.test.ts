// A web desktop with a real browser: set-up steps, getters, the rules of Desktop, and what a task may not do.

import { once } from 'node:events';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { key } from '../../../runtime/core/key.ts';
import { centre, type Screen } from '../../../runtime/core/screen.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import type { SetupStep } from '../../../runtime/core/task.ts';
import type { WebContext } from '../../../runtime/environments/web/browser/context.ts';
import type { Browsers } from '../../../runtime/environments/web/browsers.ts';
import { WebDesktop } from '../../../runtime/environments/web/desktop.ts';
import { webTasksFrom } from '../../../runtime/environments/web/tasks/from-folder.ts';
import { parseTask } from '../../../runtime/tasks/schema.ts';
import { INSTALLED_BROWSERS, NO_BROWSER, openBrowsers } from './browsers.ts';

if (INSTALLED_BROWSERS.length === 0) process.stderr.write(`${NO_BROWSER}\n`);

const PAGE = `<!doctype html><title>Notes</title><button onclick="add('one')">Add one</button><button onclick="fetch('http://example.org/').catch(() => add('blocked'))">Send</button>
<p id="list"></p><script>const add = text => { localStorage.notes = (localStorage.notes ?? '') + text; show(); };
const show = () => { list.textContent = localStorage.notes ?? ''; console.log('notes: ' + list.textContent); }; show();</script>`;

const TASK = {
  id: 'add-note',
  instruction: 'Add {what}.',
  config: [
    { type: 'serve', parameters: { host: 'notes.test', folder: 'site' } },
    { type: 'open', parameters: { url: 'http://notes.test/index.html' } },
  ],
  evaluator: {
    func: ['exact_match', 'exact_match'],
    result: [
      { type: 'storage', key: 'notes' },
      { type: 'dom', selector: '#list' },
    ],
    expected: [
      { type: 'rule', rules: { expected: '{what}' } },
      { type: 'rule', rules: { expected: ['{what}'] } },
    ],
  },
  dartboard: { tier: 1, vary: { what: ['one'] }, solution: [['click', 'button', 'Add one']] },
};

describe.skipIf(INSTALLED_BROWSERS.length === 0)('a web desktop', () => {
  let browsers: Browsers;
  let files: string;
  const desktops: WebDesktop[] = [];
  const servers: Server[] = [];

  beforeAll(async () => {
    const [browser] = INSTALLED_BROWSERS;
    if (browser === undefined) throw new Error(NO_BROWSER);
    browsers = openBrowsers(browser);
    files = await mkdtemp(join(tmpdir(), 'dartboard-tasks-'));
    await mkdir(join(files, 'site'));
    await writeFile(join(files, 'site', 'index.html'), PAGE);
    await writeFile(join(files, 'site', 'welcome.html'), "<!doctype html><script>alert('Welcome')</script>");
    await writeFile(join(files, 'add-note.json'), JSON.stringify(TASK));
  });
  afterAll(async () => {
    await Promise.all(desktops.map(desktop => desktop.close()));
    await browsers.close();
    for (const server of servers) server.close();
  });

  /** Returns the address of a new server. */
  async function serverWith(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  function open(
    allow: readonly string[] = [],
    openContext = browsers.openContext.bind(browsers),
  ): WebDesktop {
    const size = { width: 320, height: 240 };
    const id = `web-${desktops.length}` as WebDesktop['id'];
    const desktop = new WebDesktop(id, {
      browsers: { openContext },
      size,
      allow,
      miniwob: undefined,
      files,
      clock: systemClock,
    });
    desktops.push(desktop);
    return desktop;
  }

  const taskOf = async () => {
    const suite = await webTasksFrom(files);
    return suite.task('add-note', suite.seed('train', 0));
  };
  const SEED = 0 as Parameters<WebDesktop['reset']>[1];
  const button = ({ elements = [] }: Screen, name: string) => {
    const found = elements.find(each => each.role === 'button' && each.name === name);
    if (found === undefined) throw new Error(`no button ${name} in ${JSON.stringify(elements)}`);
    return { kind: 'click', at: centre(found.box) } as const;
  };

  test('a task of the user, with pages of its own, is judged by what the page keeps', async () => {
    const desktop = open();
    const task = await taskOf();
    const first = await desktop.reset(task, SEED);
    expect((await desktop.judge('finished')).score).toBe(0);
    await desktop.act(button(first, 'Add one'));
    expect(await desktop.judge('finished')).toMatchObject({ score: 1 });
    expect(await desktop.query({ type: 'console', match: 'notes: one' })).toEqual(['notes: one']);
    expect(await desktop.query({ type: 'url' })).toBe('http://notes.test/index.html');
  });

  test('the clock of a task stands still between actions', async () => {
    const desktop = open();
    const task = await taskOf();
    const clock = { type: 'clock', parameters: { step: 250, start: '2027-03-01T08:00:00Z' } };
    const first = await desktop.reset({ ...task, config: [clock, ...(task.config ?? [])] }, SEED);
    const date = { type: 'script', script: 'new Date().toISOString()' };
    expect(await desktop.query(date)).toBe('2027-03-01T08:00:00.000Z');
    await desktop.setup({
      type: 'script',
      parameters: { script: 'await new Promise(done => setTimeout(done, 1000))' },
    });
    expect(await desktop.query(date)).toMatch(/^2027-03-01T08:00:01/);
    await desktop.act(button(first, 'Add one'));
    expect((await desktop.judge('finished')).score).toBe(1);
  });

  test('equal instances begin equally: nothing of the last episode is left', async () => {
    const desktop = open();
    const task = await taskOf();
    const first = await desktop.reset(task, SEED);
    const pixels = Buffer.from(first.pixels.data);
    await desktop.act(button(first, 'Add one'));
    const again = await desktop.reset(task, SEED);
    expect(again.elements).toEqual(first.elements);
    expect(Buffer.from(again.pixels.data).equals(pixels)).toBe(true);
  });

  test('pages reach no network', async () => {
    const desktop = open();
    const screen = await desktop.reset(await taskOf(), SEED);
    await desktop.act(button(screen, 'Send'));
    expect(await desktop.query({ type: 'storage', key: 'notes' })).toBe('blocked');
  });

  test('an agent that left the pages of the task has not succeeded; a wrong script on them is an error', async () => {
    const desktop = open();
    const wrong = { type: 'script', script: 'noSuchVariable' };
    await desktop.reset(await taskOf(), SEED);
    await expect(desktop.query(wrong)).rejects.toThrow('noSuchVariable');
    await desktop.setup({ type: 'script', parameters: { script: "location.href = 'http://example.org/'" } });
    await desktop.look();
    expect(await desktop.query(wrong)).toBeNull();
    expect(await desktop.query({ type: 'storage', key: 'notes' })).toBeNull();
    expect(await desktop.judge('finished')).toMatchObject({ score: 0 });
  });

  test.each([
    { how: 'too', body: '<title>Moved</title>' },
    { how: 'also if that page opens a tab', body: "<script>open('about:blank')</script>" },
  ])('a wrong script is an error on a page that a server redirected to, $how', async ({ body }) => {
    const target = await serverWith((_, response) => {
      response.setHeader('content-type', 'text/html').end(`<!doctype html>${body}`);
    });
    const moved = await serverWith((_, response) => {
      response.writeHead(302, { location: target }).end();
    });
    const desktop = open(['127.0.0.1']);
    const config = [
      { type: 'allow', parameters: { hosts: ['127.0.0.1'] } },
      { type: 'open', parameters: { url: moved } },
    ];
    await desktop.reset({ ...(await taskOf()), config }, SEED);
    // Closes the tab in front, unless it is the last one.
    await desktop.act({ kind: 'hotkey', keys: [key('ctrl'), key('w')] });
    expect(await desktop.query({ type: 'url' })).toBe(target);
    await expect(desktop.query({ type: 'script', script: 'noSuchVariable' })).rejects.toThrow(
      'noSuchVariable',
    );
  });

  test.each([
    { type: 'storage', key: 'session' },
    { type: 'dom', selector: '#list li', property: 'count' },
    { type: 'dom', selector: '#list li' },
    { type: 'cookie', name: 'session' },
    { type: 'script', script: "document.querySelector('.warning')?.textContent ?? null" },
  ])(
    'a task that asks for something to be gone is not solved by a page that cannot be loaded: %o',
    async result => {
      const desktop = open();
      const task = await taskOf();
      const gone = result.property === 'count' ? 0 : result.type === 'dom' ? [] : null;
      const expected = { type: 'rule', rules: { expected: gone } };
      await desktop.reset({ ...task, evaluator: { func: 'exact_match', result, expected } }, SEED);
      expect(await desktop.judge('finished')).toMatchObject({ score: 1 });
      await desktop.setup({
        type: 'script',
        parameters: { script: "location.href = 'http://example.org/'" },
      });
      await desktop.look();
      expect(await desktop.judge('finished')).toMatchObject({
        score: 0,
        why: 'exact_match is 0: the agent left the pages of the task',
      });
    },
  );

  test('a script of a task that opens a dialog is an error of the task', async () => {
    expect(await stepError(...(TASK.config as SetupStep[]), script("confirm('Delete all?')"))).toContain(
      'set-up step script: the dialog "Delete all?" blocks the page. Let the page open none',
    );
    const desktop = open();
    await desktop.reset(await taskOf(), SEED);
    await expect(desktop.query({ type: 'script', script: "prompt('Name')" })).rejects.toMatchObject({
      failure: { boundary: 'task', message: expect.stringContaining('"Name" blocks the page') },
    });
  });

  const taskFailure = (thing: string, message: string) => ({
    failure: { boundary: 'task', thing, message: expect.stringContaining(message) },
  });

  test('a dialog that is open blocks every step and getter that reads the page', async () => {
    const desktop = open();
    await desktop.reset(await taskOf(), SEED);
    const blocked = (thing: string) => taskFailure(thing, 'the dialog "Welcome" blocks the page');
    const parameters = { url: 'http://notes.test/welcome.html', local: { notes: 'old' } };
    await expect(desktop.setup({ type: 'storage', parameters })).rejects.toMatchObject(
      blocked('set-up step storage'),
    );
    for (const getter of [
      { type: 'url' },
      { type: 'dom', selector: '#list' },
      { type: 'storage', key: 'notes' },
      { type: 'cookie', name: 'user' },
      { type: 'script', script: '1' },
    ])
      await expect(desktop.query(getter)).rejects.toMatchObject(blocked(`getter ${getter.type}`));
  });

  test.each([
    { name: 'a value that contains itself', value: '(() => { const a = {}; a.a = a; return a; })()' },
    { name: 'a promise that ends with its page', value: '(location.reload(), new Promise(() => {}))' },
  ])('a script of a task with $name is an error of the task', async ({ value }) => {
    const desktop = open();
    await desktop.reset(await taskOf(), SEED);
    await expect(desktop.query({ type: 'script', script: value })).rejects.toMatchObject(
      taskFailure('getter script', `Correct "(${value})"`),
    );
    await expect(desktop.setup(script(`return ${value}`))).rejects.toMatchObject(
      taskFailure('set-up step script', `Correct "return ${value}"`),
    );
  });

  test('a script of a task may open a tab', async () => {
    const desktop = open();
    await desktop.reset(await taskOf(), SEED);
    await desktop.setup(script("window.open('about:blank'); await 0"));
    expect(await desktop.query({ type: 'script', script: 'location.href' })).toBe('about:blank');
  });

  const script = (text: string): SetupStep => ({ type: 'script', parameters: { script: text } });
  const stepError = async (...config: SetupStep[]): Promise<string> => {
    const task = parseTask({ ...(await taskOf()), config }, 'test.json');
    return open().reset(task, SEED).then(String, String);
  };

  test('a task can neither serve other files of this machine nor allow hosts that the settings do not', async () => {
    expect(await stepError({ type: 'serve', parameters: { host: 'a.test', folder: '../' } })).toContain(
      'is outside of',
    );
    expect(await stepError({ type: 'serve', parameters: { host: 'a.test:8080', folder: 'site' } })).toContain(
      'without a port',
    );
    expect(await stepError({ type: 'allow', parameters: { hosts: ['example.org'] } })).toContain(
      'environments.web.allow',
    );
    expect(await stepError({ type: 'open', parameters: { url: 'file:///etc/passwd' } })).toContain(
      'no address of a web page',
    );
    expect(
      await stepError({ type: 'upload_file', parameters: { files: [{ name: '../x', text: '' }] } }),
    ).toContain('files.0.name');
    expect(await stepError({ type: 'launch' })).toContain('unknown set-up step');
  });

  test.each([
    [['localhost'], 'localhost:8080', true],
    [['localhost:8080'], 'localhost:8080', true],
    [['localhost:8080'], 'localhost', false],
    [['localhost:8080'], 'localhost:80', false],
    [['Example.org'], 'example.org', true],
    [['example.org'], 'Example.org', true],
    [['*.example.org'], 'a.example.org', true],
    [['*.example.org'], 'example.org', false],
  ])('settings with %j allow a task to reach %s: %s', async (allow, host, isAllowed) => {
    const desktop = open(allow);
    await desktop.reset(await taskOf(), SEED);
    const step = { type: 'allow', parameters: { hosts: [host] } };
    const error = await desktop.setup(step).then(() => '', String);
    expect(error).toEqual(isAllowed ? '' : expect.stringContaining('environments.web.allow'));
  });

  test('an unknown parameter of a step or a getter is named', async () => {
    const storage = { url: 'http://notes.test/index.html', locale: { notes: 'old' } };
    expect(await stepError({ type: 'storage', parameters: storage })).toContain('locale');
    const desktop = open();
    await desktop.reset(await taskOf(), SEED);
    await expect(desktop.query({ type: 'storage', key: 'notes', url: 'http://notes.test' })).rejects.toThrow(
      /getter storage.*url/s,
    );
  });

  test('cookies, storage, scripts and files are prepared before the agent starts', async () => {
    const desktop = open();
    const config = [
      ...(TASK.config.slice(0, 1) as SetupStep[]),
      {
        type: 'cookies',
        parameters: { cookies: [{ name: 'user', value: 'Ann', url: 'http://notes.test/' }] },
      },
      { type: 'storage', parameters: { url: 'http://notes.test/index.html', local: { notes: 'old ' } } },
      ...(TASK.config.slice(1) as SetupStep[]),
      { type: 'script', parameters: { script: "await 0; document.title = 'Ready'" } },
    ];
    await desktop.reset(parseTask({ ...(await taskOf()), config }, 'test.json'), SEED);
    expect(await desktop.query({ type: 'cookie', name: 'user' })).toBe('Ann');
    expect(await desktop.query({ type: 'dom', selector: '#list' })).toEqual(['old']);
    expect(await desktop.query({ type: 'script', script: 'document.title' })).toBe('Ready');
    expect(await desktop.query({ type: 'dom', selector: 'button', property: 'count' })).toBe(2);
  });

  test.each([
    { wrong: { url: 'notes.test' }, part: 'cookies.0.url' },
    { wrong: { name: 'a;b' }, part: 'Correct [{"name":"a;b"' },
  ])('a wrong cookie is an error of the task: $wrong', async ({ wrong, part }) => {
    const desktop = open();
    await desktop.reset(await taskOf(), SEED);
    const cookies = [{ name: 'user', value: 'Ann', url: 'http://notes.test/', ...wrong }];
    await expect(desktop.setup({ type: 'cookies', parameters: { cookies } })).rejects.toMatchObject(
      taskFailure('set-up step cookies', part),
    );
  });

  test('the texts of pictures and formulas are read as those of other elements', async () => {
    const desktop = open();
    const script = "document.body.innerHTML = '<svg><text> 9\\n a</text></svg><math><mi>x</mi></math>'";
    const config = [...(TASK.config as SetupStep[]), { type: 'script', parameters: { script } }];
    await desktop.reset(parseTask({ ...(await taskOf()), config }, 'test.json'), SEED);
    expect(await desktop.query({ type: 'dom', selector: 'svg text' })).toEqual(['9 a']);
    expect(await desktop.query({ type: 'dom', selector: 'mi' })).toEqual(['x']);
  });

  test('a page that crashes breaks the episode, and the next one gets another page', async () => {
    const contexts: WebContext[] = [];
    const desktop = open([], async options => {
      const context = await browsers.openContext(options);
      contexts.push(context);
      return context;
    });
    const first = await desktop.reset(await taskOf(), SEED);
    // The renderer ends before it replies.
    contexts[0]?.front.send('Page.crash').catch(() => undefined);
    await contexts[0]?.crashed;
    await expect(desktop.act(button(first, 'Add one'))).rejects.toMatchObject({
      failure: { boundary: 'environment', message: 'the page crashed.' },
    });
    expect((await desktop.reset(await taskOf(), SEED)).elements).toEqual(first.elements);
    expect(contexts).toHaveLength(2);
  });

  test('calls do not overlap, and a closed desktop refuses them', async () => {
    const desktop = open();
    const first = await desktop.reset(await taskOf(), SEED);
    const running = desktop.act(button(first, 'Add one'));
    await expect(desktop.act(button(first, 'Add one'))).rejects.toThrow('two calls at the same time');
    await running;
    await desktop.close();
    await expect(desktop.reset(await taskOf(), SEED)).rejects.toThrow('closed');
  });
});
