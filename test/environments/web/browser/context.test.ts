import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { WebBrowser } from '../../../../runtime/environments/web/browser/browser.ts';
import type { WebContext } from '../../../../runtime/environments/web/browser/context.ts';
import { expectNamed } from '../../../named-values.ts';
import { temporaryFolder } from '../../../temporary.ts';
import { describeWithBrowser, launch, openSite, SMALL, valueIn } from './chromium.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

describeWithBrowser('an isolated context of a real browser', () => {
  let browser: WebBrowser;
  let folder: string;
  const opened: WebContext[] = [];
  const open = async (): Promise<WebContext> => {
    const context = await openSite(browser, folder);
    opened.push(context);
    return context;
  };

  beforeAll(async () => {
    browser = await launch();
    folder = temporaryFolder('site');
    const page = (name: string, body: string) => writeFileSync(join(folder, name), `<!doctype html>${body}`);
    page(
      'index.html',
      '<title>first</title><a id=next href=next.html>next</a><input id=one type=file><input id=many type=file multiple>',
    );
    page('next.html', '<title>second</title>');
    page('alert.html', '<title>alert</title><script>alert("at load")</script>');
    page('field.html', '<title>field</title><body style="height: 2000px"><input id=field value=text>');
  });
  afterEach(async () => {
    for (const context of opened.splice(0)) await context.close();
  });
  afterAll(() => browser.close());

  test('shares no cookies and no storage with another', async () => {
    const [one, other] = [await open(), await open()];
    await valueIn(one.front, 'document.cookie = "user=ada"; localStorage.setItem("k", "v")');
    const state = '[document.cookie, localStorage.length]';
    expect(await valueIn(one.front, state)).toEqual(['user=ada', 1]);
    expect(await valueIn(other.front, state)).toEqual(['', 0]);
  });

  test('is not kept by its browser after it closed', async () => {
    const weak = await (async () => new WeakRef(await openSite(browser, folder)))();
    await weak.deref()?.close();
    // What the engine remembers of the last call ends with the next turns.
    for (let turn = 0; turn < 20 && weak.deref() !== undefined; turn++) {
      await new Promise(resolve => setImmediate(resolve));
      collectGarbage();
    }
    expect(weak.deref()).toBeUndefined();
  });

  test('has its size, the focus, light colours, UTC and English', async () => {
    const [one, other] = [await open(), await open()];
    for (const { front } of [one, other])
      expect(
        await valueIn(
          front,
          `[innerWidth, innerHeight, devicePixelRatio, document.hasFocus(), matchMedia('(prefers-color-scheme: light)').matches,
            Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.language, Intl.NumberFormat().resolvedOptions().locale]`,
        ),
      ).toEqual([SMALL.width, SMALL.height, 1, true, true, 'UTC', 'en-US', 'en-US']);
  });

  test('shows scroll bars', async () => {
    const context = await open();
    await context.open('http://site.test/field.html');
    expect(await valueIn(context.front, 'innerWidth > document.documentElement.clientWidth')).toBe(true);
  });

  test('goes back and forward, but not to the blank page before the first', async () => {
    const context = await open();
    const title = () => valueIn(context.front, 'document.title');
    await context.goBack();
    expect(await title()).toBe('first');
    await context.open('http://site.test/next.html');
    await context.goBack();
    expect(await title()).toBe('first');
    await context.goForward();
    expect(await title()).toBe('second');
    await valueIn(context.front, 'document.title = "changed"');
    await context.reload();
    expect(await title()).toBe('second');
  });

  test('a page that cannot be loaded is a failure of the task', async () => {
    const context = await open();
    for (const [url, ...parts] of [
      ['http://site.test/none.html', 'http://site.test/none.html', '404'],
      ['http://example.org/', "'example.org'"],
      ['file:///etc/passwd', 'file:///etc/passwd'],
      ['nonsense', 'nonsense'],
    ] as const) {
      const failure = await context.open(url).catch(error => error.failure);
      expect(failure).toMatchObject({ boundary: 'task', thing: url });
      expectNamed(`${failure.thing} ${failure.message}`, ...parts);
    }
  });

  test('a new tab comes to the front with the same size, and the tab before returns when it closes', async () => {
    const context = await open();
    const [first, before] = [context.front, context.frontTab];
    await valueIn(context.front, 'void open("next.html")');
    await expect.poll(() => context.frontTab).toBe(before + 1);
    await expect
      .poll(() => valueIn(context.front, '[document.title, innerWidth]'))
      .toEqual(['second', SMALL.width]);
    await context.switchTab(1);
    expect(context.front).toBe(first);
    await context.switchTab(-1);
    expect(context.front).not.toBe(first);
    await context.closeTab();
    expect([context.front, context.frontTab]).toEqual([first, before + 4]);
    await context.closeTab();
    expect(await valueIn(context.front, 'document.title')).toBe('first');
  });

  test('a tab can close itself', async () => {
    const context = await open();
    const first = context.front;
    await valueIn(first, 'window.other = open("next.html"); undefined');
    await expect.poll(() => context.front === first).toBe(false);
    await valueIn(first, 'other.close()');
    await expect.poll(() => context.front === first).toBe(true);
  });

  test('a page cannot open tabs without end', async () => {
    const context = await open();
    // A slow machine opens a few before the deadline of a command.
    for (let round = 0; round < 10; round++)
      await valueIn(context.front, 'for (let i = 0; i < 4; i++) open("about:blank"); 0');
    expect(context.frontTab).toBe(16);
    expect(await valueIn(context.front, '1 + 1')).toBe(2);
  });

  test('a dialog of a script waits for its answer', async () => {
    const context = await open();
    const answers: unknown[] = [];
    const call = async (script: string) => {
      const work = valueIn(context.front, script).then(answer => answers.push(answer));
      expect(await context.unlessInterrupted(work)).toBeUndefined();
      return work;
    };
    const confirmed = call('confirm("Delete?")');
    await expect.poll(() => context.dialog).toEqual({ kind: 'confirm', message: 'Delete?', text: '' });
    await context.answer({ accept: true });
    await confirmed;
    const prompted = call('prompt("Name", "Ada")');
    await expect.poll(() => context.dialog).toEqual({ kind: 'prompt', message: 'Name', text: 'Ada' });
    await context.answer({ accept: true, text: 'Grace' });
    await prompted;
    const kept = call('prompt("Name", "Ada")');
    await expect.poll(() => context.dialog?.kind).toBe('prompt');
    await context.answer({ accept: true });
    await kept;
    expect(answers).toEqual([true, 'Grace', 'Ada']);
    expect(context.dialog).toBeUndefined();
    await context.answer({ accept: true });
  });

  test('a page that shows a dialog while it loads counts as open', async () => {
    const context = await open();
    await context.open('http://site.test/alert.html');
    expect(context.dialog).toMatchObject({ kind: 'alert', message: 'at load' });
    await context.open('http://site.test/next.html');
    expect([context.dialog, await valueIn(context.front, 'document.title')]).toEqual([undefined, 'second']);
  });

  test('a page cannot keep a set-up step from leaving it', async () => {
    const context = await open();
    await valueIn(context.front, 'onbeforeunload = event => event.preventDefault()');
    await context.open('http://site.test/next.html');
    expect(await valueIn(context.front, 'document.title')).toBe('second');
  });

  test('a page can ask before its tab closes', async () => {
    const context = await open();
    const first = context.front;
    await valueIn(first, 'void open("next.html")');
    await expect.poll(() => valueIn(context.front, 'document.title')).toBe('second');
    await valueIn(context.front, 'onbeforeunload = event => event.preventDefault()');
    await context.closeTab();
    expect(context.dialog).toMatchObject({ kind: 'beforeunload', message: '' });
    await context.answer({ accept: true });
    await expect.poll(() => context.front === first).toBe(true);
  });

  test('a file chooser takes files, or is cancelled', async () => {
    const context = await open();
    const files = ['a.txt', 'b.txt'].map(name => join(folder, name));
    for (const file of files) writeFileSync(file, `text of ${file.at(-5)}`);
    await valueIn(context.front, 'one.click()');
    await expect.poll(() => context.dialog).toEqual({ kind: 'files' });
    await context.answer({ accept: true, files: files.slice(0, 1) });
    expect(await valueIn(context.front, 'one.files[0].text()')).toBe('text of a');
    await valueIn(context.front, 'many.click()');
    await expect.poll(() => context.dialog).toEqual({ kind: 'files' });
    await context.answer({ accept: true, files });
    expect(await valueIn(context.front, '[...many.files].map(file => file.name)')).toEqual([
      'a.txt',
      'b.txt',
    ]);
    await valueIn(context.front, 'one.oncancel = () => { document.title = "cancelled" }; one.click()');
    await expect.poll(() => context.dialog?.kind).toBe('files');
    await context.answer({ accept: false });
    expect(await valueIn(context.front, '[document.title, one.files.length]')).toEqual(['cancelled', 1]);
    expect(context.dialog).toBeUndefined();
  });

  test('a file chooser of a frame that was removed takes any answer', async () => {
    const context = await open();
    for (const accept of [false, true]) {
      await valueIn(
        context.front,
        `new Promise(resolve => { const frame = document.createElement('iframe'); frame.onload = resolve;
          frame.srcdoc = '<input type=file>'; document.body.append(frame); }).then(() => 0)`,
      );
      await valueIn(context.front, 'frames[0].document.querySelector("input").click()');
      await expect.poll(() => context.dialog?.kind).toBe('files');
      await valueIn(context.front, 'document.querySelector("iframe").remove()');
      await context.answer({ accept, files: [join(folder, 'next.html')] });
      expect(context.dialog).toBeUndefined();
    }
  });

  test('a file chooser gives its files to a field that is in no document', async () => {
    const context = await open();
    await valueIn(
      context.front,
      `{ const field = document.createElement('input'); field.type = 'file';
         field.onchange = () => { document.title = field.files[0].name }; field.click(); }`,
    );
    await expect.poll(() => context.dialog?.kind).toBe('files');
    await context.front.send('HeapProfiler.collectGarbage');
    await context.answer({ accept: true, files: [join(folder, 'next.html')] });
    expect(await valueIn(context.front, 'document.title')).toBe('next.html');
  });

  test('downloads go to a folder of the context, under a name without folders', async () => {
    const [context, other] = [await open(), await open()];
    await valueIn(
      context.front,
      `{ const link = document.createElement('a'); link.href = URL.createObjectURL(new Blob(['1,2']));
         link.download = '../../data.csv'; link.click(); }`,
    );
    await expect.poll(async () => (await context.downloads()).length).toBe(1);
    const [download] = await context.downloads();
    expect(download).toMatchObject({
      complete: true,
      url: expect.stringMatching(/^blob:http:\/\/site\.test\//),
    });
    expect(download?.name).not.toMatch(/[/\\]/);
    expect(readFileSync(download?.path ?? '', 'utf8')).toBe('1,2');
    expect(await other.downloads()).toEqual([]);
    writeFileSync(join(folder, 'table.bin'), 'bytes');
    await valueIn(other.front, 'void open("table.bin")');
    await expect.poll(() => other.downloads()).toMatchObject([{ name: 'table.bin', complete: true }]);
    expect(await context.downloads()).toHaveLength(1);
  });

  test('collects the console of all tabs', async () => {
    const context = await open();
    await valueIn(context.front, 'console.log("from", 1); setTimeout(() => { throw new Error("late") })');
    await valueIn(context.front, 'void open("next.html")');
    await expect.poll(() => valueIn(context.front, 'document.title')).toBe('second');
    await valueIn(context.front, 'console.warn("from 2")');
    await expect.poll(() => context.console().length).toBe(3);
    expect(context.console().map(({ level }) => level)).toEqual(['log', 'error', 'warning']);
    expectNamed(
      context
        .console()
        .map(({ text }) => text)
        .join('\n'),
      'from 1',
      'Error: late',
      'from 2',
    );
  });

  test('denies permissions, except to copy', async () => {
    const context = await open();
    // The API exists only on secure pages, and this name counts as one.
    context.serve('site.localhost', folder);
    await context.open('http://site.localhost/');
    const states = `Promise.all(['geolocation', 'notifications', 'camera', 'clipboard-read', 'clipboard-write'].map(async name =>
      (await navigator.permissions.query({ name })).state))`;
    expect(await valueIn(context.front, states)).toEqual(['denied', 'denied', 'denied', 'denied', 'granted']);
  });

  test('keeps the frames of other sites in the same target', async () => {
    const context = await open();
    context.serve('other.example', folder);
    await valueIn(
      context.front,
      `new Promise(resolve => { const frame = document.createElement('iframe'); frame.onload = resolve;
        frame.src = 'http://other.example/next.html'; document.body.append(frame); }).then(() => 0)`,
    );
    const { frameTree } = await context.front.send('Page.getFrameTree');
    expect(frameTree.childFrames?.map(({ frame }) => frame.url)).toEqual(['http://other.example/next.html']);
  });

  test('closes while a dialog is open', async () => {
    const context = await open();
    const work = valueIn(context.front, 'alert("wait")').catch(error => error.failure);
    await expect.poll(() => context.dialog?.kind).toBe('alert');
    await context.close();
    await context.close();
    expect(await work).toMatchObject({ boundary: 'environment' });
  });
});
