// When the screen of a window with a real browser has settled: the effects of a press are shown, and nothing endless is waited for.

import { describe, expect, test } from 'vitest';
import { ASK_BUSY } from '../../../runtime/environments/web/page/in-page/channel.ts';
import { INSTALLED_BROWSERS, NO_BROWSER } from './browsers.ts';
import { openedWindow } from './opened-window.ts';

if (INSTALLED_BROWSERS.length === 0) process.stderr.write(`${NO_BROWSER}\n`);

/** Whether work is unfinished that an input caused. */
const BUSY = `!window.dispatchEvent(new Event('${ASK_BUSY}', { cancelable: true }))`;

describe.skipIf(INSTALLED_BROWSERS.length === 0).each(INSTALLED_BROWSERS)('$kind browser', browser => {
  const { act, at, click, look, named, open, screen, valueIn, window } = openedWindow(browser);

  const reactions = [
    ...[
      'timeout',
      'chain',
      'frames',
      'idle',
      'fetch',
      'body',
      'request',
      'transition',
      'message',
      'interval',
    ],
    ...['picture', 'apart', 'await', 'worker', 'work'],
    // It cancels all timers, also those of others.
    'cancel',
  ];
  test.each(reactions)('the screen after a press shows its effect: %s', async name => {
    await open('reactions.html');
    await click('button', name);
    expect(named('label')).toContain(`${name} done`);
  });

  test('the end of a transition is waited for while the page is busy', async () => {
    await open('reactions.html');
    const busy = 'for (const end = performance.now() + 12; performance.now() < end;);';
    await valueIn(`void setInterval(() => { ${busy} }, 30)`);
    for (let milliseconds = 40; milliseconds < 100; milliseconds += 7) {
      await valueIn("void (fade.style = 'transition: none', fade.offsetWidth, out.textContent = 'start')");
      await valueIn(`void (fade.style.transition = 'width ${milliseconds}ms linear')`);
      await act({ kind: 'wait' });
      await click('button', 'transition');
      expect(named('label'), `${milliseconds} ms`).toContain('transition done');
    }
  });

  test('an endless reaction is not waited for again', async () => {
    await open('reactions.html');
    await click('button', 'endless');
    expect(named('label')).toContain('endless begun');
    await click('button', 'timeout');
    expect(named('label')).toContain('timeout done');
  });

  test('a reaction that renews itself is not waited for again', async () => {
    await open('reactions.html');
    await click('button', 'loop');
    expect(named('label')).toContain('loop begun');
    // Longer than a link of the chain: the next one begins meanwhile.
    await valueIn('new Promise(resolve => setTimeout(resolve, 500))');
    expect(await valueIn(BUSY)).toBe(false);
  });

  test('a page whose tasks never end is shown, again and again', async () => {
    await open('reactions.html');
    await click('button', 'tasks');
    expect(named('label')).toContain('tasks begun');
    await click('button', 'timeout');
    expect(named('button')).toContain('timeout');
  });

  test('a worker that does not answer is not waited for again', async () => {
    await open('reactions.html');
    await click('button', 'silent');
    expect(named('label')).toContain('silent begun');
    await click('button', 'timeout');
    expect(named('label')).toContain('timeout done');
  });

  test('a lazy image far off the screen is not waited for', async () => {
    await open('reactions.html');
    for (const type of ['mousePressed', 'mouseReleased'] as const)
      await window().context.front.send('Input.dispatchMouseEvent', {
        type,
        ...at('button', 'lazy'),
        button: 'left',
        clickCount: 1,
      });
    expect(await valueIn('out.textContent')).toBe('lazy begun');
    expect(await valueIn(BUSY)).toBe(false);
  });

  test('a screen that did not change is the last picture, and one that changed is another', async () => {
    await open('inner.html');
    const first = screen().pixels;
    await look();
    expect(screen().pixels).toBe(first);
    await click('button', 'Inside');
    expect(screen().pixels.data).not.toEqual(first.data);
  });

  test('a timeout of several seconds is not waited for', async () => {
    await open('reactions.html');
    await click('button', 'late');
    expect(named('label')).toContain('start');
  });

  test('a page that a press opens is loaded first, also after a while', async () => {
    await open('reactions.html');
    await click('button', 'navigate');
    expect(named('button')).toContain('Inside');
    await window().close();
    await open('reactions.html');
    await click('button', 'later page');
    expect(named('button')).toContain('Inside');
  });

  test('a page that a press opens in a frame is loaded first', async () => {
    await open('reacting-frames.html');
    await click('button', 'open in frame');
    expect(named('button')).toContain('Inside');
  });

  test('a reaction in a frame of another origin is waited for', async () => {
    await open('reacting-frames.html');
    await click('button', 'In frame');
    expect(named('button')).toContain('In frame done');
  });
});
