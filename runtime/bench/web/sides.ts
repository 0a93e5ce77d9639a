// Compares several ways to click: they take turns, so that other load on the machine affects all of them.

import type { Random } from '../../core/rng.ts';
import { totalTime } from '../processor-time.ts';
import { median } from '../report.ts';
import { type ClickedPage, type ClickRun, clickAway } from './random-clicks.ts';

/** Clicks for some milliseconds. */
export type Side = (span: number, random: Random) => Promise<ClickRun>;

export interface SideResult {
  readonly stepsPerSecond: number;
  /** Processor time of all processes per step, and Node's part of it. */
  readonly processorMs: number;
  readonly nodeMs: number;
}

export interface Turns {
  readonly rounds: number;
  /** Milliseconds of a side in a round. */
  readonly span: number;
  readonly random: Random;
}

export const onPages =
  (pages: readonly ClickedPage[]): Side =>
  (span, random) =>
    clickAway(pages, span, random);

/** Medians over the rounds, after a shorter round that does not count. */
export async function takeTurns<Name extends string>(
  sides: Readonly<Record<Name, Side>>,
  { rounds, span, random }: Turns,
): Promise<Readonly<Record<Name, SideResult>>> {
  const names = Object.keys(sides) as Name[];
  const runs = new Map<Name, ClickRun[]>(names.map(name => [name, []]));
  for (const name of names) await sides[name](span / 2, random.fork('warm-up'));
  for (let round = 0; round < rounds; round++)
    for (const name of names) runs.get(name)?.push(await sides[name](span, random.fork(String(round))));
  const results = names.map(name => [name, resultOf(runs.get(name) ?? [])] as const);
  return Object.fromEntries(results) as Record<Name, SideResult>;
}

export const resultOf = (runs: readonly ClickRun[]): SideResult => ({
  stepsPerSecond: median(runs.map(({ steps, seconds }) => steps / seconds)),
  processorMs: median(runs.map(({ steps, processor }) => (1000 * totalTime(processor)) / steps)),
  nodeMs: median(runs.map(({ steps, processor }) => (1000 * (processor['node'] ?? 0)) / steps)),
});
