// The actions per minute that a world can train: the lowest limit of its trainer, its workers and its desktops, if none of them ever waits.
// Episodes and times have their mean length; a trial can draw shorter ones. Pure.

import type { SimulatedWorld, Spread } from './worlds.ts';

const MINUTE_MS = 60_000;

export interface Capacity {
  /** Trained actions per minute. */
  readonly trainer: number;
  readonly workers: number;
  readonly desktops: number;
}

export function capacityOf(world: SimulatedWorld): Capacity {
  const { desktops, workers, maxBatch, decides, updates, rollouts, groups, ends, maxSteps } = world;
  // An episode ends by a decision, which is no action on its desktop, or at its step limit.
  const finishes = 1 - (1 - ends) ** maxSteps;
  const decisions = finishes / ends;
  const ofUpdate = rollouts * groups * decisions;
  const batch = Math.min(maxBatch, desktops / workers);
  const act = mean(world.act) + world.hangs.share * mean(world.hangs.lasts);
  const decision = decides.batch + decides.request;
  const episode = mean(world.reset) + mean(world.judge) + (decisions - finishes) * act + decisions * decision;
  return {
    trainer: (MINUTE_MS * ofUpdate) / (updates.update + ofUpdate * updates.step),
    workers: (MINUTE_MS * workers * batch) / (decides.batch + batch * decides.request),
    desktops: (MINUTE_MS * desktops * decisions) / episode,
  };
}

export const lowestCapacity = (world: SimulatedWorld): number =>
  Math.min(...Object.values(capacityOf(world)));

/** Of a log-normal duration. */
const mean = ({ median, spread }: Spread): number => median * Math.exp(spread ** 2 / 2);
