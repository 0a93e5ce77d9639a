// Demonstrations through the panel Record: the browser's own mouse and keyboard do scripted solutions. Each is judged, saved, and replayed on a
// fresh desktop.

import type { Frame } from 'playwright-core';
import { parseConfig } from '../../config/config.ts';
import type { Action } from '../../core/action.ts';
import { seed, taskId } from '../../core/ids.ts';
import { seeded } from '../../core/rng.ts';
import { systemClock } from '../../core/system-clock.ts';
import { NOT_REPEATED } from '../../person/demonstration.ts';
import { openRecordingDesktop } from '../../person/open-desktop.ts';
import type { RecordingDesktop } from '../../person/recording-options.ts';
import { eventsOf } from './hand.ts';
import type { BenchKind } from './keystrokes.ts';
import { type BenchPanels, pressButton, until, untilActing } from './page.ts';
import { PageHand } from './page-hand.ts';

export const DEMONSTRATIONS = 10;

/** A person looks until nothing moves any more. */
const STILL_MS: Readonly<Record<BenchKind, number>> = { pocket: 200, web: 500, docker: 700 };

interface ReplayedDemonstrations {
  readonly replayed: number;
  /** The tasks of the others, each with the reason. */
  readonly others: readonly string[];
}

/** Of so many tasks with a scripted solution, the easiest first. */
export async function demonstrationsReplayed(
  panels: BenchPanels,
  kind: BenchKind,
): Promise<ReplayedDemonstrations> {
  const { tasks } = await panels.runs.recordings.tasks({ kind });
  const config = parseConfig({ environments: { kind } });
  const clock = systemClock;
  const scripted = await openRecordingDesktop(
    { config, clock, random: seeded('demonstrations') },
    new AbortController().signal,
  );
  const ends: string[] = [];
  try {
    for (const { task } of tasks.filter(({ splits }) => splits.includes('train'))) {
      if (ends.length === DEMONSTRATIONS) break;
      const end = await demonstrated(panels, kind, task, scripted);
      if (end !== undefined) ends.push(end === REPLAYED ? end : `${task}: ${end}`);
    }
  } finally {
    await scripted.close();
  }
  const others = ends.filter(end => end !== REPLAYED);
  return { replayed: ends.length - others.length, others };
}

const REPLAYED = 'replayed';

/** Its result; undefined for a task without a scripted solution that a policy can express. */
async function demonstrated(
  panels: BenchPanels,
  kind: BenchKind,
  task: string,
  { solution }: RecordingDesktop,
): Promise<string | undefined> {
  const recording = () => panels.runs.recordings.now().recording;
  const frame = await panels.open(`#/record?task=${task}&kind=${kind}`);
  try {
    await untilActing(frame);
    const instance = { task: taskId(task), seed: seed(recording()?.seed ?? 0) };
    const actions = await solution?.(instance, new AbortController().signal);
    if (actions === undefined) {
      await pressButton(frame, 'Discard');
      await until('The return of the desktop', () => recording() === undefined);
      return undefined;
    }
    await acted(frame, kind, actions, () => recording()?.change ?? 0);
    if (recording()?.phase === 'acting')
      await pressButton(frame, actions.at(-1)?.kind === 'fail' ? 'Give up' : 'Finish');
    return await saved(frame, () => recording() === undefined);
  } finally {
    await panels.leave(frame);
  }
}

async function acted(
  frame: Frame,
  kind: BenchKind,
  actions: readonly Action[],
  change: () => number,
): Promise<void> {
  const hand = new PageHand(frame);
  await untilStill(frame, kind);
  for (const action of actions) {
    const events = eventsOf(action).filter(event => event.kind !== 'wait');
    const before = change();
    for (const event of events) await hand.do(event);
    if (events.length > 0) await until(`The effect of '${action.kind}'`, () => change() > before);
    await untilStill(frame, kind);
  }
}

async function untilStill(frame: Frame, kind: BenchKind): Promise<void> {
  await frame.waitForTimeout(STILL_MS[kind]);
  await frame.waitForFunction(ms => performance.now() - window.observed.drawnAt > ms, STILL_MS[kind]);
}

/** Saves a recording that ends. */
async function saved(frame: Frame, isReturned: () => boolean): Promise<string> {
  const status = frame.locator('.record-status');
  await frame.locator('.record-status[data-phase="judged"]').waitFor();
  if ((await status.getAttribute('data-success')) !== 'true') {
    await pressButton(frame, 'Discard');
    await until('The return of the desktop', isReturned);
    return 'not solved';
  }
  await pressButton(frame, 'Save');
  await frame.waitForFunction(
    () =>
      document.querySelector('.record-status[data-phase="saved"]') !== null ||
      document.querySelector('.record-side > .complaint:not([hidden])') !== null,
  );
  const text = (await frame.locator('.record-side').textContent()) ?? '';
  if ((await status.getAttribute('data-phase')) === 'saved')
    return text.includes(NOT_REPEATED) ? 'saved without a replay' : REPLAYED;
  await pressButton(frame, 'Discard');
  await until('The return of the desktop', isReturned);
  return 'not saved';
}
