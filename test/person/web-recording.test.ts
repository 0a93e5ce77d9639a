// Demonstrations on web desktops: the raw events of scripted solutions become demonstrations that solve their tasks again, from which the
// built-in policy learns, and which export as conversations.

import { describe, expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../runtime/config/config.ts';
import { pngSize } from '../../runtime/core/png.ts';
import type { StoredSuccess } from '../../runtime/core/stored-success.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import { SuccessReplay } from '../../runtime/discovery/replay/success-replay.ts';
import { WEB } from '../../runtime/environments/web/tasks/suite.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import { conversationsOf } from '../../runtime/formats/chat/conversations.ts';
import type { RecordingDesktop } from '../../runtime/person/recording-options.ts';
import { missingBrowser } from '../environments/web/missing-browser.ts';
import { recordedByHand } from './by-hand.ts';
import { actedLive, openForTest } from './real-desktops.ts';

const COUNT = 10;
const CONFIG = parseConfig({ environments: { kind: 'web' } });

/** The lessons of a run that trains. */
const lessonsOf = async (trajectory: Trajectory, part?: StoredSuccess['part']) => {
  const { mode } = CONFIG;
  const replay = new SuccessReplay({ suite: WEB, mode, fabric: embeddedFabric(), clock: systemClock });
  const { instruction } = trajectory;
  const success = { trajectory, isMember: true, since: 1, instruction, ...(part && { part }) };
  return (await replay.replay(success))?.steps ?? [];
};

describe.skipIf(missingBrowser !== undefined)('on web desktops', () => {
  test('ten demonstrations by the events of a hand succeed, teach the policy and export', async () => {
    const made = await recordedByHand(CONFIG, COUNT, onTestFinished);
    expect(made.map(({ phase, problem }) => problem ?? phase)).toEqual(made.map(() => 'saved'));
    expect(made.length).toBe(COUNT);
    for (const { kept, note } of made) {
      if (kept === undefined) throw new Error('A saved demonstration was not kept.');
      const { trajectory } = kept;
      if (note?.includes('policy learns from it.') === true)
        expect(await lessonsOf(trajectory)).toHaveLength(trajectory.steps.length);
      if (trajectory.frames.kind !== 'png') throw new Error('Web desktops keep their screens.');
      const { images } = trajectory.frames;
      expect(images).toHaveLength(trajectory.steps.length + 1);
      const [first = new Uint8Array()] = images;
      const { exchanges } = conversationsOf(trajectory, images, pngSize(first));
      expect(exchanges).toHaveLength(1);
    }
    expect(made.filter(({ note }) => note?.includes('policy learns from it.')).length).toBeGreaterThan(
      COUNT / 2,
    );
  });

  test('an agent acts live; a correction teaches from where the person began, and a success alone is one of the agent', async () => {
    const opened = await openForTest(CONFIG);
    const { saved, kept } = await actedLive({ config: CONFIG, opened, ...(await solvedByClicks(opened)) });
    const { trajectory, taught } = kept;
    if (saved.note?.includes('policy learns from it.') === true)
      expect(await lessonsOf(trajectory, taught)).toHaveLength(trajectory.steps.length - (taught?.from ?? 0));
  });
});

/** The first instance for training whose scripted solution begins with clicks. */
async function solvedByClicks({ solution }: RecordingDesktop) {
  for (const task of WEB.tasks('train')) {
    const instance = { task, seed: WEB.seed('train', 0) };
    const actions = (await solution?.(instance, new AbortController().signal)) ?? [];
    const done = actions.filter(({ kind }) => kind !== 'finished');
    if (done.length > 2 && done.slice(0, 2).every(({ kind }) => kind === 'click'))
      return { instance, actions: done };
  }
  throw new Error('No task begins with two clicks.');
}
