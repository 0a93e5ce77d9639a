// Trajectories that people trimmed, in each format: data that trains has the part to learn from, results have the whole.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Step } from '../../runtime/core/step.ts';
import { exportTrajectories } from '../../runtime/formats/export.ts';
import { stepsOfTurn } from '../../runtime/formats/steps.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../../runtime/protocol/daemon/exchange.ts';
import { BROKEN, trajectory } from '../data/trajectories.ts';
import { temporaryFolder } from '../temporary.ts';
import { picture } from './sources.ts';

const SCREEN = { width: 1920, height: 1080 };
const click = (x: number): Step => ({ action: { kind: 'click', at: { x, y: 500 } }, meant: [] });
/** The first step is a mistake. */
const STEPS: readonly Step[] = [
  click(100),
  click(1500),
  { action: { kind: 'finished', answer: '' }, meant: [] } as const,
];
const PICTURES = [0, 1, 2, 3].map(number => picture(SCREEN, number));
const PART = { from: 1, to: 3 };

async function exported(format: ExportFormat, { whole = false, part = PART, steps = STEPS } = {}) {
  const folder = temporaryFolder('export');
  async function* items() {
    const one = trajectory('t', { steps });
    yield { kind: 'trajectory', trajectory: one, pictures: PICTURES, part } as const;
  }
  const report = await exportTrajectories({
    ...{ format, folder, whole, screen: SCREEN, domainOf: () => 'x', trajectories: items() },
  });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(each => each.isFile());
  const text = files
    .filter(({ name }) => /\.jsonl?$/.test(name))
    .map(({ name, parentPath }) => readFileSync(join(parentPath, name), 'utf8'))
    .join('\n');
  return { ...report.counts, skipped: report.skipped, text, files: files.map(({ name }) => name) };
}

/** The position of a click in each format. */
const CLICKS: Readonly<Record<ExportFormat, (x: number) => RegExp>> = {
  osworld: x => new RegExp(`"x":\\s*${x}\\b|click\\(${x}\\b`),
  dart: x => new RegExp(`\\(${x === 100 ? '10[01]' : '15[01]\\d'},`),
  agentnet: x => new RegExp(x === 100 ? '0\\.05' : '0\\.78'),
  trl: x => new RegExp(`\\(${x === 100 ? '10[01]' : '15[01]\\d'},`),
  'llama-factory': x => new RegExp(`\\(${x === 100 ? '10[01]' : '15[01]\\d'},`),
};
const TRAINING = EXPORT_FORMATS.filter(format => format !== 'osworld');

test('an episode over a stored trajectory is written if all its actions are those of the expert', async () => {
  const matched = (scores: readonly number[]) =>
    STEPS.map((each, step) => ({ ...each, match: { step, score: scores[step] ?? 1 } }));
  expect(await exported('osworld', { steps: matched([1, 1, 1]) })).toMatchObject({ trajectories: 1 });
  expect(await exported('osworld', { steps: matched([1, 0.5, 1]) })).toMatchObject({
    ...{ trajectories: 0, skipped: [{ why: expect.stringMatching(/its step 2 differs from the expert's/) }] },
  });
});

describe.each(TRAINING)('%s', format => {
  test('has the part to learn from, with the screens of its steps', async () => {
    const { trajectories, trimmed, text, files } = await exported(format);
    expect({ trajectories, trimmed }).toEqual({ trajectories: 1, trimmed: 1 });
    expect(text).toMatch(CLICKS[format](1500));
    expect(text).not.toMatch(CLICKS[format](100));
    const { files: all } = await exported(format, { whole: true });
    expect(all.length - files.length).toBe(1);
  });

  test('has all steps if they are asked for', async () => {
    const { trimmed, text } = await exported(format, { whole: true });
    expect(trimmed).toBe(0);
    for (const x of [100, 1500]) expect(text).toMatch(CLICKS[format](x));
  });

  test('a part without steps is skipped with the reason', async () => {
    const { trajectories, skipped } = await exported(format, { part: { from: 5, to: 7 } });
    expect(trajectories).toBe(0);
    expect(skipped).toEqual([{ trajectory: 't', why: expect.stringContaining('steps 6 to 7 of 3') }]);
  });
});

test.each(TRAINING)('an action that %s cannot hold is named by its step, from 1', async format => {
  const off = click(5000);
  const whyOf = async (...steps: readonly Step[]) =>
    (await exported(format, { steps, whole: true })).skipped[0]?.why;
  expect(await whyOf(click(100), off)).toMatch(/^Step 2 cannot be written/);
  const turn = stepsOfTurn({
    ...{ raw: '', thought: 'Both.' },
    reading: { kind: 'actions', actions: [click(100).action, off.action] },
  });
  expect(await whyOf(click(100), ...turn)).toMatch(/^Step 3 cannot be written/);
});

test.each(EXPORT_FORMATS)(
  'an episode that broke before its first step is skipped with the reason: %s',
  async format => {
    async function* items() {
      const one = trajectory('t', { steps: [], outcome: BROKEN });
      yield { kind: 'trajectory', trajectory: one, pictures: [] } as const;
    }
    const report = await exportTrajectories({
      ...{ format, folder: temporaryFolder('export'), screen: SCREEN, domainOf: () => 'x' },
      trajectories: items(),
    });
    expect(report.counts.trajectories).toBe(0);
    expect(report.skipped).toEqual([{ trajectory: 't', why: 'The trajectory has no step. Leave it out.' }]);
  },
);

test('a trim that leaves nothing out trims nothing', async () => {
  expect(await exported('trl', { part: { from: 0, to: 9 } })).toMatchObject({ trajectories: 1, trimmed: 0 });
});

test.each([false, true])('results of OSWorld are whole (%s)', async whole => {
  const { trajectories, trimmed, text, files } = await exported('osworld', { whole });
  expect({ trajectories, trimmed }).toEqual({ trajectories: 1, trimmed: 0 });
  for (const x of [100, 1500]) expect(text).toMatch(CLICKS.osworld(x));
  expect(files.filter(name => name.endsWith('.png'))).toHaveLength(4);
});
