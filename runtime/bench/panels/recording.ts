// Measures the panel Record: from a key to the picture with its effect, on a live desktop.

import type { Page } from 'playwright-core';
import type { DesktopKind } from '../../protocol/desktop-kinds.ts';

const KEYS = 60;
/** A key that has no effect by then has none. */
const NO_EFFECT_MS = 5000;
/** A hand does not type faster. */
const PAUSE_MS = 120;
/** The elements before the first text field, at most. */
const MAX_TABS = 30;

interface RecordedTyping {
  readonly kind: DesktopKind;
  /** A task whose first screen has a text field. */
  readonly task: string;
}

export const RECORDED_TYPING: readonly RecordedTyping[] = [
  { kind: 'pocket', task: 'notes-write' },
  { kind: 'web', task: 'contact-send' },
];

/** Milliseconds from each letter to its picture. The page observes them (page-script.ts). */
export async function recordedTypingTimes(page: Page): Promise<readonly number[]> {
  await page.locator('.record-status[data-phase="acting"]').waitFor();
  await page.locator('.glass').click();
  await focusText(page);
  const times: number[] = [];
  for (let count = 0; count < KEYS; count++) {
    await page.waitForTimeout(PAUSE_MS);
    const time = await timeOfLetter(page, NO_EFFECT_MS);
    if (time === undefined) throw new Error(`Letter ${count + 1} had no effect on the screen. Try again.`);
    times.push(time);
  }
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  return times;
}

async function focusText(page: Page): Promise<void> {
  for (let count = 0; count < MAX_TABS; count++) {
    if ((await timeOfLetter(page, NO_EFFECT_MS / 5)) !== undefined) return;
    await page.keyboard.press('Tab');
    // Its focus ring is drawn before the next letter.
    await page.waitForTimeout(NO_EFFECT_MS / 5);
  }
  throw new Error('The task has no text field on its first screen. Choose another one.');
}

/** Undefined if the screen does not change. */
async function timeOfLetter(page: Page, timeout: number): Promise<number | undefined> {
  const known = await page.evaluate(() => window.observed.pictures.length);
  await page.keyboard.press('x');
  const changed = page.waitForFunction(before => window.observed.pictures.length > before, known, {
    timeout,
  });
  const isSeen = await changed.then(
    () => true,
    () => false,
  );
  return isSeen ? page.evaluate(at => window.observed.pictures[at], known) : undefined;
}
