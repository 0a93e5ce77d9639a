// Trajectories that DART wrote. They lie beside the project where it is developed; users do not have them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Action } from '../../runtime/core/action.ts';
import { writeDart } from '../../runtime/formats/dart/write.ts';
import { DEFAULT_SCREEN } from '../../runtime/formats/episode.ts';
import { openSource } from '../../runtime/formats/source/open.ts';
import { FOLDER, files } from '../agents/recorded-trajectories.ts';
import { filesOf, imported, memorySource } from './sources.ts';

/** By the first eight digits of the task. */
const EXPECTED: Readonly<
  Record<string, { readonly steps: number; readonly instruction: string; readonly first: Action }>
> = {
  '030eeff7': {
    steps: 9,
    instruction: "Can you enable the 'Do Not Track' feature in Chrome to enhance my online privacy?",
    // (1908, 89) of 1932 × 1092.
    first: { kind: 'click', at: { x: 1896, y: 88 } },
  },
  '57242fad': {
    steps: 7,
    instruction:
      'Please help me create a new python file named "test.py" via VS Code and save it at "/home/user/Desktop".',
    first: { kind: 'click', at: { x: 85, y: 74 } },
  },
  '7767eef2': {
    // 13 turns; one has two actions.
    steps: 14,
    instruction: "Please help change GIMP's theme from dark to light.",
    first: { kind: 'wait' },
  },
};

const options = { domainOf: () => 'chrome', screen: DEFAULT_SCREEN };

// Users of the project do not have the recordings: their tests say so and pass.
if (files.length === 0) test.skip(`skipped, there are no recorded trajectories in ${FOLDER}`, () => {});

test.each(files)('%s is imported with all steps, and exported back', async file => {
  const { report, trajectories } = await imported(await openSource(join(FOLDER, file)));
  const [trajectory] = trajectories;
  if (trajectory === undefined) throw new Error(JSON.stringify(report.skipped));
  const { steps, instruction, first } = EXPECTED[file.slice(0, 8)] ?? { steps: 0, instruction: '' };

  expect(report.counts).toMatchObject({ stored: 1, known: 0, skipped: 0 });
  expect(trajectory.steps).toHaveLength(steps);
  expect(trajectory.steps.filter(({ action }) => action.kind === 'none')).toEqual([]);
  expect(trajectory.steps[0]?.action).toEqual(first);
  expect(trajectory.steps.at(-1)?.action).toMatchObject({ kind: 'finished' });
  expect(trajectory.instruction).toBe(instruction);
  expect(trajectory.instance.task).toBe(file.split('_trace')[0]);
  expect(new Date(trajectory.startedAt).toISOString()).toBe('2025-09-25T07:36:27.000Z');
  // The pictures are not beside the file, and it has no score.
  expect(trajectory.frames).toEqual({ kind: 'png', images: [] });
  expect(report.trajectories[0]?.notes).toEqual([
    expect.stringMatching(
      /^The picture 'image_0000\.png' is missing\. The same holds for \d+ more pictures\.$/,
    ),
  ]);
  expect(trajectory.outcome.kind).toBe('broken');

  const written = filesOf(writeDart(trajectory, [], options));
  const again = await imported(memorySource(written));
  expect(again.trajectories).toHaveLength(1);
  expect(again.trajectories[0]).toEqual({
    ...trajectory,
    id: again.trajectories[0]?.id,
    outcome: again.trajectories[0]?.outcome,
    provenance: again.trajectories[0]?.provenance,
  });
  // The replies are the same, character by character.
  const repliesIn = (text: string) =>
    JSON.parse(text).flatMap((each: { role: string; content: { text: string }[] }) =>
      each.role === 'assistant' ? each.content.map(part => part.text) : [],
    );
  const bytes = written.find(({ place }) => place.endsWith('final_messages.json'))?.bytes;
  expect(repliesIn(new TextDecoder().decode(bytes))).toEqual(
    repliesIn(readFileSync(join(FOLDER, file), 'utf8')),
  );
});
