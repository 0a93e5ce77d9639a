// Export, then import: what a format holds comes back equal, over random trajectories.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action } from '../../runtime/core/action.ts';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import { rewardOf } from '../../runtime/core/verdict.ts';
import { writeAgentNet } from '../../runtime/formats/agentnet/write.ts';
import { writeDart } from '../../runtime/formats/dart/write.ts';
import { writeOsworld } from '../../runtime/formats/osworld/write.ts';
import { type TrajectoryWriter, WriteRefusal } from '../../runtime/formats/written-files.ts';
import { episode, isUitars, type RandomEpisode, trimmed } from './arbitraries.ts';
import { filesOf, imported, memorySource, picture } from './sources.ts';

async function roundTrip(
  write: TrajectoryWriter,
  { trajectory, pictures, screen }: RandomEpisode,
): Promise<Trajectory> {
  const files = filesOf(write(trajectory, pictures, { screen, domainOf: () => 'domain' }));
  const { report, trajectories } = await imported(memorySource(files), { screen });
  const [found] = trajectories;
  if (found === undefined || trajectories.length > 1) throw new Error(JSON.stringify(report));
  expect(report.skipped).toEqual([]);
  return found;
}

const actionsOf = ({ steps }: Trajectory): readonly Action[] =>
  // The reason of an unreadable reply is the reader's own.
  steps.map(({ action }) => (action.kind === 'none' ? { kind: 'none', why: '' } : action));
const thoughtsOf = ({ steps }: Trajectory): readonly (string | undefined)[] =>
  steps.map(({ chosen }) => (chosen?.trace.kind === 'tokens' ? chosen.trace.thought : undefined));
const picturesOf = ({ frames }: Trajectory) =>
  frames.kind === 'png' ? frames.images.map(each => Buffer.from(each).toString('hex')) : [];

/** The fields that every format holds. */
function expectSame(found: Trajectory, { trajectory }: RandomEpisode): void {
  expect(actionsOf(found)).toEqual(actionsOf(trajectory));
  expect(found.instruction).toBe(trajectory.instruction);
  expect(found.outcome.kind).toBe(trajectory.outcome.kind);
  if (found.outcome.kind === 'judged' && trajectory.outcome.kind === 'judged')
    expect(found.outcome.ending).toBe(trajectory.outcome.ending);
  expect(found.instance.task).toBe(trajectory.instance.task);
}

const hex = (pictures: readonly Uint8Array[]) => pictures.map(each => Buffer.from(each).toString('hex'));

describe('OSWorld results', () => {
  test('hold everything: replies, pictures, score, seed and purpose', async () => {
    await fc.assert(
      fc.asyncProperty(episode(), async random => {
        const { trajectory, pictures } = random;
        const found = await roundTrip(writeOsworld(new Set()), random);
        expectSame(found, random);
        expect(found.steps).toEqual(trajectory.steps);
        expect(picturesOf(found)).toEqual(hex(trimmed(pictures)));
        expect(rewardOf(found.outcome)).toBe(rewardOf(trajectory.outcome));
        const { instance, mode, maxSteps, startedAt, endedAt } = trajectory;
        expect(found).toMatchObject({ instance, mode, maxSteps, startedAt, endedAt });
        expect(found.purpose).toBe(trajectory.purpose === 'evaluate' ? 'evaluate' : 'collect');
      }),
    );
  });
});

describe('AgentNet lines', () => {
  test('hold every action, the seed, the score and one picture for each turn', async () => {
    await fc.assert(
      fc.asyncProperty(episode(), async random => {
        const { trajectory } = random;
        const found = await roundTrip(writeAgentNet, random);
        expectSame(found, random);
        expect(rewardOf(found.outcome)).toBe(rewardOf(trajectory.outcome));
        const { instance, startedAt, endedAt } = trajectory;
        expect(found).toMatchObject({ instance, startedAt, endedAt });
        expect(found.purpose).toBe(trajectory.purpose === 'evaluate' ? 'evaluate' : 'collect');
      }),
    );
  });
});

describe('DART messages', () => {
  test('hold every action of the grammar and the score', async () => {
    await fc.assert(
      fc.asyncProperty(episode(isUitars), async random => {
        const found = await roundTrip(writeDart, random);
        expectSame(found, random);
        expect(rewardOf(found.outcome)).toBe(rewardOf(random.trajectory.outcome));
      }),
    );
  });

  test('refuse an action without a spelling, with the step and the reason', () => {
    fc.assert(
      fc.property(
        episode(each => !isUitars(each)),
        ({ trajectory, pictures, screen }) => {
          const write = () => writeDart(trajectory, pictures, { screen, domainOf: () => 'x' });
          expect(write).toThrow(WriteRefusal);
          expect(write).toThrow(
            /^Step \d+ cannot be written in the grammar of UI-TARS: .+\. Export it as osworld/s,
          );
        },
      ),
    );
  });
});

describe.each([
  ['AgentNet lines', writeAgentNet],
  ['DART messages', writeDart],
] as const)('%s', (_, write) => {
  test('keep the picture before each turn, and the last one', async () => {
    await fc.assert(
      fc.asyncProperty(episode(isUitars), async random => {
        const { trajectory, pictures } = random;
        const single = {
          ...random,
          trajectory: { ...trajectory, steps: trajectory.steps.map(({ action }) => ({ action, meant: [] })) },
        };
        const found = await roundTrip(write, single);
        expect(picturesOf(found)).toEqual(hex(trimmed(pictures)));
      }),
    );
  });

  test('keep the thought of each reply', async () => {
    await fc.assert(
      fc.asyncProperty(
        episode(each => isUitars(each) && each.kind !== 'none'),
        async random => {
          const single = {
            ...random,
            trajectory: {
              ...random.trajectory,
              steps: random.trajectory.steps.filter(({ chosen }) => chosen?.trace.kind !== 'same-turn'),
            },
            pictures: [],
          };
          fc.pre(single.trajectory.steps.length > 0);
          const found = await roundTrip(write, single);
          expect(thoughtsOf(found)).toEqual(thoughtsOf(single.trajectory));
        },
      ),
    );
  });

  test('written again from the import, the files are the same', async () => {
    await fc.assert(
      fc.asyncProperty(episode(isUitars), async random => {
        const { screen } = random;
        const first = await roundTrip(write, random);
        const images = first.frames.kind === 'png' ? first.frames.images : [];
        const second = await roundTrip(write, { trajectory: first, pictures: images, screen });
        expect(second.steps).toEqual(first.steps);
        expect(picturesOf(second)).toEqual(picturesOf(first));
        expect(second.instruction).toBe(first.instruction);
      }),
    );
  });
});

test('a number from 0 to 1 times the size of the screen is the same pixel again', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8000 }).chain(width =>
        fc.integer({ min: 1, max: 8000 }).chain(height =>
          fc.record({
            screen: fc.constant({ width, height }),
            at: fc.record({ x: fc.nat(width - 1), y: fc.nat(height - 1) }),
          }),
        ),
      ),
      async ({ screen, at }) => {
        const [random] = fc.sample(episode(), 1);
        if (random === undefined) throw new Error('no sample');
        const trajectory: Trajectory = {
          ...random.trajectory,
          steps: [{ action: { kind: 'click', at }, meant: [] }],
        };
        const found = await roundTrip(writeAgentNet, { trajectory, pictures: [picture(screen)], screen });
        expect(actionsOf(found)).toEqual([{ kind: 'click', at }]);
      },
    ),
  );
});
