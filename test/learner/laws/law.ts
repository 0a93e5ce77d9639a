// What a law of the port `Learner` is made of: its title, and a check of a fixture. Independent of the model.

import { expect } from 'vitest';
import { messageOf } from '../../../runtime/core/errors.ts';
import type {
  AdamSettings,
  Learner,
  LearnerCapabilities,
  TokenStep,
  TokenUpdate,
  UpdateReport,
  UpdateRow,
} from '../../../runtime/learner/learner.ts';

/** A fresh one for each law. */
export interface LearnerFixture {
  /** A new learner in a place of its own. All of them start from equal weights. */
  open(): Promise<Learner>;
  /** Ends a learner as a crash does: without `close`, with calls under way. Returns a learner in the same place. */
  reopen(learner: Learner): Promise<Learner>;
  /** At least two, that differ in their replies; one with at least two tokens; one with an image, if the learner takes images. */
  readonly steps: readonly TokenStep[];
  /** A learning rate so small that one step follows the gradient, and no decay. */
  readonly optimiser: AdamSettings;
  /** The largest difference of log-probabilities that should be equal. */
  readonly tolerance: number;
  /** What a learner holds beside its log-probabilities, as a value that can be compared. */
  contents?(learner: Learner): Promise<unknown>;
}

export type Ability = 'assesses' | 'hasReference' | 'clips' | 'publishes';
export type Abilities = Pick<LearnerCapabilities, Ability>;

export interface Law {
  readonly title: string;
  /** Without this ability, the law of its absence takes its place. */
  readonly needs?: Ability;
  readonly check: (fixture: LearnerFixture) => Promise<void>;
}

/** A signal that is never aborted. */
export const LIVE = new AbortController().signal;

export type WeightOf = (row: number, token: number) => number;

/** Weights of both signs that differ between rows and tokens. */
export const mixed: WeightOf = (row, token) => (row % 2 === 0 ? 1 : -0.5) / (1 + token);
/** Another direction than `mixed`: an optimiser with momentum differs from one without. */
export const opposed: WeightOf = (row, token) => (row % 2 === 0 ? -0.3 : 0.7) * (1 + (token % 2));

export const updateOf = (fixture: LearnerFixture, id: string, weightOf: WeightOf = mixed): TokenUpdate => ({
  id,
  rows: fixture.steps.map((step, row) => rowOf(step, row, weightOf)),
  optimiser: fixture.optimiser,
});

const rowOf = (step: TokenStep, row: number, weightOf: WeightOf): UpdateRow => ({
  step,
  weights: step.reply.map((_, token) => weightOf(row, token)),
  origin: {
    ...{ trajectory: `trajectory-${row}`, index: row, group: 'group-1', task: 'task-1', isSuccess: true },
    advantage: weightOf(row, 0),
    rollout: step.reply.map((_, token) => -0.5 - token / 8),
  },
});

/** Everything that a caller can observe of a learner. */
export interface Observed {
  readonly step: number;
  readonly present: readonly (readonly number[])[];
  readonly contents: unknown;
}

export async function observed(learner: Learner, fixture: LearnerFixture): Promise<Observed> {
  const { assesses } = learner.capabilities;
  return {
    step: learner.step,
    present: assesses ? await learner.assess(fixture.steps, 'present', LIVE) : [],
    contents: await fixture.contents?.(learner),
  };
}

export function expectEqual(actual: Observed, expected: Observed, { tolerance }: LearnerFixture): void {
  expect({ step: actual.step, contents: actual.contents }).toEqual({
    step: expected.step,
    contents: expected.contents,
  });
  expect(farthest(actual.present, expected.present)).toBeLessThanOrEqual(tolerance);
}

/** Reports of equal updates from equal states. */
export function expectEqualReports(actual: UpdateReport, expected: UpdateReport): void {
  expect(actual.step).toBe(expected.step);
  expect(actual.loss === undefined).toBe(expected.loss === undefined);
  if (actual.loss !== undefined) expect(actual.loss).toBeCloseTo(expected.loss ?? Number.NaN, 3);
}

type Table = readonly (readonly number[])[];

/** The largest difference; infinite for tables of different shapes. */
export function farthest(one: Table, other: Table): number {
  const lengths = (table: Table) => table.map(({ length }) => length).join();
  if (lengths(one) !== lengths(other)) return Infinity;
  const second = other.flat();
  const apart = one.flat().map((each, index) => Math.abs(each - (second[index] ?? Number.NaN)));
  return apart.some(Number.isNaN) ? Infinity : Math.max(0, ...apart);
}

/** The error has at least two sentences: what failed, and what to do. */
export async function expectClearRejection(call: Promise<unknown>): Promise<void> {
  const error = await rejectionOf(call);
  expect(error).toBeInstanceOf(Error);
  expect(messageOf(error)).toMatch(/^\S.{9,}[.!] \S.{4,}\.$/s);
}

/** The reason of a rejection; fails if the call resolves. */
export async function rejectionOf(call: Promise<unknown>): Promise<unknown> {
  const outcome = await call.then(
    value => ({ isRejected: false, value }),
    (value: unknown) => ({ isRejected: true, value }),
  );
  expect(outcome).toMatchObject({ isRejected: true });
  return outcome.value;
}
