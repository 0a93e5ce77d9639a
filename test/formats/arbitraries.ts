// Random trajectories for the laws of the formats.

import fc from 'fast-check';
import { type Action, NOTCHES } from '../../runtime/core/action.ts';
import { seed, taskId, trajectoryId, version } from '../../runtime/core/ids.ts';
import type { Size } from '../../runtime/core/screen.ts';
import type { Step } from '../../runtime/core/step.ts';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import type { Outcome } from '../../runtime/core/verdict.ts';
import { IMPORTED_SERVER } from '../../runtime/formats/steps.ts';
import { action, size } from '../core/arbitraries.ts';
import { picture } from './sources.ts';

export interface RandomEpisode {
  readonly trajectory: Trajectory;
  readonly pictures: readonly Uint8Array[];
  readonly screen: Size;
}

/** Without headings and labels of the grammars, which would end a section. */
const thought = fc.string({ maxLength: 40 }).map(text => text.replaceAll(/[#`\s:：<>\\]+/g, ' ').trim());
const name = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/);
const text = fc.string({ maxLength: 60, unit: 'grapheme' });

const reply = (raw: string, thoughtText: string): NonNullable<Step['chosen']> => ({
  version: version(0),
  trace: {
    ...{ kind: 'tokens', tokens: [], estimator: 'none', finish: 'stop', raw },
    ...(thoughtText !== '' && { thought: thoughtText }),
    defects: [],
    served: IMPORTED_SERVER,
  },
});

/** Turns of one to three actions. */
const turn = (actions: fc.Arbitrary<Action>): fc.Arbitrary<readonly Step[]> =>
  fc
    .record({
      some: fc.array(actions, { minLength: 1, maxLength: 3 }),
      words: fc.option(thought, { nil: undefined }),
    })
    .map(({ some, words }) =>
      some.map((each, index): Step => {
        if (words === undefined) return { action: each, meant: [] };
        const chosen =
          index === 0 ? reply(words, words) : { version: version(0), trace: { kind: 'same-turn' as const } };
        return { action: each, meant: [], chosen };
      }),
    );

const judged = (last: Action | undefined, score: number): Outcome => ({
  kind: 'judged',
  ending: last?.kind === 'finished' || last?.kind === 'fail' ? last.kind : 'capped',
  verdict: { score, why: 'The test says so.' },
});

const broken: Outcome = {
  kind: 'broken',
  failure: { boundary: 'task', thing: 'import', message: 'no score' },
};

/** `holds` excludes actions that a format cannot write. */
export const episode = (holds: (each: Action) => boolean = () => true): fc.Arbitrary<RandomEpisode> =>
  size.chain(screen =>
    fc
      .record({
        turns: fc.array(turn(action(screen).filter(holds)), { minLength: 1, maxLength: 5 }),
        id: name,
        task: name,
        number: fc.nat(0xffff),
        instruction: text,
        score: fc.option(fc.constantFrom(0, 0.25, 1), { nil: undefined }),
        /** Which pictures are missing. */
        gaps: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 16, maxLength: 16 }),
        hasPictures: fc.boolean(),
        purpose: fc.constantFrom('train' as const, 'evaluate' as const, 'collect' as const),
        startedAt: fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2026, 0, 1) }),
        took: fc.nat(1_000_000),
      })
      .map(random => {
        const steps = random.turns.flat();
        const { id, task, number, instruction, score, purpose, startedAt, took } = random;
        const pictures = random.hasPictures
          ? Array.from({ length: steps.length + 1 }, (_, index) =>
              // The first one gives the size of the screen.
              index > 0 && random.gaps[index] === 0 ? new Uint8Array() : picture(screen, index),
            )
          : [];
        return {
          screen,
          pictures,
          trajectory: {
            id: trajectoryId(id),
            instance: { task: taskId(task), seed: seed(number) },
            ...{ instruction, purpose, mode: 'screenshot', maxSteps: 100 },
            provenance: { kind: 'rollout' },
            steps,
            frames: { kind: 'png', images: pictures },
            outcome: score === undefined ? broken : judged(steps.at(-1)?.action, score),
            ...{ startedAt, endedAt: startedAt + took },
          } satisfies Trajectory,
        };
      }),
  );

/** Actions without a spelling in the grammar of UI-TARS. */
export const isUitars = (each: Action): boolean =>
  each.kind !== 'middle_click' &&
  each.kind !== 'triple_click' &&
  (each.kind !== 'scroll' || each.notches === NOTCHES);

/** Without missing pictures at the end, which nothing distinguishes from pictures that do not exist. */
export const trimmed = (pictures: readonly Uint8Array[]): readonly Uint8Array[] => {
  const last = pictures.findLastIndex(({ length }) => length > 0);
  return pictures.slice(0, last + 1);
};
