// The input that the panel Record sends from Chromium: keys, text and clicks.

import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Recording } from '../../runtime/person/recording.ts';
import { hasChromium } from './chromium.ts';
import { GLASS, recordPanel } from './record-panel.ts';

describe.skipIf(!hasChromium)('the panel Record', () => {
  const { shown, acting } = recordPanel();

  /** Holds the input of all recordings back until the returned function is called. */
  function holdInput(after: (recording: Recording) => Promise<unknown> = async () => undefined): () => void {
    let go: () => void = () => undefined;
    const gate = new Promise<void>(resolve => {
      go = resolve;
    });
    const { input } = Recording.prototype;
    const held = vi.spyOn(Recording.prototype, 'input').mockImplementation(async function (
      this: Recording,
      inputs,
    ) {
      await gate;
      await input.call(this, inputs);
      await after(this);
      return this.state;
    });
    onTestFinished(() => held.mockRestore());
    return go;
  }

  test('the keyboard goes to the desktop after a click, and returns after two Escapes', async () => {
    const { page, sent } = await shown('#/record?task=notes-write');
    await acting(page);
    const captured = () => page.locator('.record').getAttribute('data-captured');
    await page.locator(GLASS).click();
    await expect.poll(captured).toBe('true');
    await page.keyboard.press('Control+s');
    // In one task of the page: on a busy machine, two presses may be too far apart.
    await page.locator(GLASS).evaluate(glass => {
      for (const _ of [1, 2])
        glass.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
    });
    await expect.poll(captured).toBe('false');
    await expect
      .poll(() => sent.filter(({ kind }) => kind === 'keys'))
      .toEqual([
        { kind: 'keys', keys: ['ctrl', 's'] },
        { kind: 'keys', keys: ['esc'] },
      ]);
    // The stage is in the order of the Tab key, and its name says how to leave it.
    await page.getByRole('textbox', { name: 'Live desktop' }).focus();
    await expect.poll(captured).toBe('true');
  });

  test('what waits behind a slow desktop is sent before the demonstration is judged', async () => {
    const { page, sent } = await shown('#/record?task=notes-write');
    await acting(page);
    const go = holdInput();
    const presses = () => sent.filter(({ kind }) => kind === 'press').length;
    await page.locator(GLASS).click({ position: { x: 5, y: 5 } });
    await expect.poll(presses).toBe(1);
    await page.locator(GLASS).click({ position: { x: 200, y: 5 } });
    await page.getByRole('button', { name: 'Finish', exact: true }).click();
    // After the end of the demonstration.
    await page.locator(GLASS).click({ position: { x: 5, y: 200 } });
    go();
    await page.locator('.record-status[data-phase="judged"]').waitFor();
    expect(presses()).toBe(2);
  });

  test('input that ends the episode before Finish is sent is no error', async () => {
    const { page, sent } = await shown('#/record?task=notes-write');
    await acting(page);
    const go = holdInput(recording => recording.finish('finished', undefined));
    await page.locator(GLASS).click({ position: { x: 5, y: 5 } });
    await expect.poll(() => sent.length).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Finish', exact: true }).click();
    go();
    await page.locator('.record-status[data-phase="judged"]').waitFor();
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await page.getByRole('heading', { name: 'Record a demonstration' }).waitFor();
    expect(await page.locator('#mishap').isVisible()).toBe(false);
  });

  test('the menu of keys sends a key only when one is chosen', async () => {
    const { page, sent } = await shown('#/record?task=notes-write');
    await acting(page);
    const menu = page.getByRole('combobox', { name: 'Send a key' });
    const isOpen = (expected: boolean) =>
      expect.poll(() => menu.getAttribute('aria-expanded')).toBe(String(expected));
    await menu.focus();
    for (const key of ['Shift', 'w', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    await isOpen(true);
    await page.keyboard.press('Escape');
    await isOpen(false);
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    await isOpen(true);
    await page.keyboard.press('Tab');
    await isOpen(false);
    await page.keyboard.press('Shift+Tab');
    await menu.focus();
    for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    await isOpen(true);
    await page.keyboard.press('Enter');
    await expect
      .poll(() => sent.filter(({ kind }) => kind === 'keys'))
      .toEqual([{ kind: 'keys', keys: ['alt', 'tab'] }]);
  });

  test('text of an input method and of the clipboard arrives as text', async () => {
    const { page, sent } = await shown('#/record?task=notes-write');
    await acting(page);
    await page.locator(GLASS).click();
    const session = await page.context().newCDPSession(page);
    await session.send('Input.imeSetComposition', { text: 'か', selectionStart: 1, selectionEnd: 1 });
    await session.send('Input.insertText', { text: '漢' });
    await page.keyboard.type('é');
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.setData('text/plain', 'two words');
      document.querySelector('.glass').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    })()`);
    await expect
      .poll(() => sent.flatMap(event => (event.kind === 'text' ? event.text : [])))
      .toEqual(['漢', 'é', 'two words']);
  });

  test('a click with a modifier key is refused with the reason, since no agent has it', async () => {
    const { page, sent } = await shown('#/record?task=notes-write');
    await acting(page);
    await page.locator(GLASS).click({ modifiers: ['Shift'] });
    await page.getByText('A click with a modifier key was not sent').waitFor();
    await page.locator(GLASS).click();
    await expect.poll(() => sent.filter(({ kind }) => kind === 'press')).toHaveLength(1);
  });
});
