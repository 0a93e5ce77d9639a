// Measures the panel Record: from a key to the picture with its effect, on a desktop of its own or on one of a run that trains.

import type { Frame } from 'playwright-core';
import { parseConfig } from '../../config/config.ts';
import type { DesktopKind } from '../../protocol/desktop-kinds.ts';
import { type BenchPanels, pressButton, until, untilActing } from './page.ts';

const KEYS = 60;
/** A key that has no effect by then has none. */
const NO_EFFECT_MS = 5000;
/** A hand does not type faster. */
const PAUSE_MS = 120;
/** The elements before the first text field, at most. */
const MAX_TABS = 30;

/** Guests need machines that a benchmark does not have, and nobody types into stored trajectories. */
export type BenchKind = Exclude<DesktopKind, 'guest' | 'offline'>;

/** Tasks whose first screen has a text field, in every instance. */
const TASKS: Readonly<Record<BenchKind, string>> = {
  pocket: 'notes-add-line',
  web: 'contact-send',
  docker: 'note-write',
};

/** Of the training from which one is taken over. */
const DESKTOPS: Readonly<Record<BenchKind, number>> = { pocket: 8, web: 2, docker: 2 };

/** Milliseconds from each letter to its picture, on a desktop of the daemon. */
export async function recordedTyping(panels: BenchPanels, kind: BenchKind): Promise<readonly number[]> {
  const frame = await panels.open(`#/record?task=${TASKS[kind]}&kind=${kind}`);
  await untilActing(frame);
  const times = await typingTimes(frame);
  await pressButton(frame, 'Discard');
  await frame.getByRole('heading', { name: 'Record a demonstration' }).waitFor();
  await panels.leave(frame);
  return times;
}

/** The same on a desktop that a person takes over, while the run trains on the others. */
export async function takenOverTyping(panels: BenchPanels, kind: BenchKind): Promise<readonly number[]> {
  const { runs } = panels;
  const run = await runs.start(
    parseConfig({
      ...{ seed: 'taken over', minutes: 60, demonstrations: 0, preset: 'scratch' },
      suite: { tasks: [TASKS[kind]] },
      environments: { kind, desktops: DESKTOPS[kind] },
      ...(kind === 'pocket' && { exploring: { firstSeconds: 0 } }),
      evaluation: { everySeconds: 3600, instances: 1, lastInstances: 1, desktops: 1 },
    }),
  );
  try {
    const desktops = await panels.open('#/desktops?desktop=d0');
    await desktops.locator('.close-up .use[data-use="playing"]').waitFor();
    await pressButton(desktops, 'Take over');
    const frame = await panels.follow(desktops, 'record');
    await untilActing(frame);
    // The agent may have left the text field.
    const change = () => runs.recordings.now().recording?.change ?? 0;
    const before = change();
    await pressButton(frame, 'Start over');
    await until('The restart of the taken-over desktop', () => change() > before);
    const times = await typingTimes(frame);
    await pressButton(frame, 'Give back');
    // In VS Code the panel Desktops still shows this desktop in full size.
    const returned = await panels.follow(frame, 'desktops');
    await returned.locator('.tile, .close-up').first().waitFor();
    await panels.leave(frame);
    return times;
  } finally {
    await runs.stop(run);
  }
}

/** The frame observes them (page-script.ts). */
async function typingTimes(frame: Frame): Promise<readonly number[]> {
  await frame.locator('.glass').focus();
  await focusText(frame);
  const times: number[] = [];
  for (let count = 0; count < KEYS; count++) {
    await frame.waitForTimeout(PAUSE_MS);
    const time = await timeOfLetter(frame, NO_EFFECT_MS);
    if (time === undefined) throw new Error(`Letter ${count + 1} had no effect on the screen. Try again.`);
    times.push(time);
  }
  return times;
}

async function focusText(frame: Frame): Promise<void> {
  for (let count = 0; count < MAX_TABS; count++) {
    // The first picture can be the late effect of Tab.
    const isTyped = async () => (await timeOfLetter(frame, NO_EFFECT_MS / 5)) !== undefined;
    if ((await isTyped()) && (await isTyped())) return;
    await frame.page().keyboard.press('Tab');
    // Its focus ring is drawn before the next letter.
    await frame.waitForTimeout(NO_EFFECT_MS / 5);
  }
  throw new Error('The task has no text field on its first screen. Choose another one.');
}

/** Undefined if the screen does not change. */
async function timeOfLetter(frame: Frame, timeout: number): Promise<number | undefined> {
  const known = await frame.evaluate(() => window.observed.pictures.length);
  await frame.page().keyboard.press('x');
  const changed = frame.waitForFunction(before => window.observed.pictures.length > before, known, {
    timeout,
  });
  const isSeen = await changed.then(
    () => true,
    () => false,
  );
  return isSeen ? frame.evaluate(at => window.observed.pictures[at], known) : undefined;
}
