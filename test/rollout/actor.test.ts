// Many episodes at once, decided in one go.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Action } from '../../runtime/contracts/action.ts';
import type { Desktop } from '../../runtime/contracts/desktop.ts';
import { desktopId, seed } from '../../runtime/contracts/ids.ts';
import { isInfeasible, type Task } from '../../runtime/contracts/task.ts';
import type { Ending } from '../../runtime/contracts/verdict.ts';
import { seeded } from '../../runtime/contracts/world.ts';
import { PocketDesktop } from '../../runtime/environments/pocket/desktop.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import type { Session } from '../../runtime/graph/session.ts';
import { actionOf, type Choices } from '../../runtime/policy/act.ts';
import { SLOTS } from '../../runtime/policy/kinds.ts';
import { assessingProgram, decidingProgram } from '../../runtime/policy/programs.ts';
import type { Sample } from '../../runtime/policy/sample.ts';
import { Actor, type ActorOptions, type Played } from '../../runtime/rollout/actor.ts';
import type { EpisodeOptions } from '../../runtime/rollout/episode.ts';
import { openWith, row, SHAPE, sampleFeeds, weightsOf } from '../policy/running.ts';

const OPTIONS: ActorOptions = { temperature: 1, exploration: 0, pixels: SHAPE.pixels };
const WEIGHTS = weightsOf('actor');

let session: Session;
let assessing: Session;
/** How many rows each run had. */
const sizes: number[] = [];

beforeAll(async () => {
  const inner = await openWith(decidingProgram(SHAPE), WEIGHTS);
  session = {
    run: feeds => {
      sizes.push(feeds['valid']?.dims[0] ?? 0);
      return inner.run(feeds);
    },
    read: () => inner.read(),
    write: state => inner.write(state),
    close: () => inner.close(),
  };
  assessing = await openWith(assessingProgram(SHAPE), WEIGHTS);
});
afterAll(() => Promise.all([session.close(), assessing.close()]));

/** A desktop that counts what was asked of it. */
class Counted extends PocketDesktop implements Desktop {
  resets = 0;
  acts: Action[] = [];
  readonly judged: Ending[] = [];

  override reset(...given: Parameters<PocketDesktop['reset']>) {
    this.resets += 1;
    this.acts = [];
    return super.reset(...given);
  }

  override act(action: Action) {
    this.acts.push(action);
    return super.act(action);
  }

  override judge(ending: Ending) {
    this.judged.push(ending);
    return super.judge(ending);
  }
}

const desktops = (count: number) =>
  Array.from({ length: count }, (_, index) => new Counted(desktopId(`actor-${index}`)));

const TASKS: readonly Task[] = ['settings-theme', 'mail-star', 'files-rename', 'across-infeasible']
  .filter(id => POCKET.templates.some(each => each.id === id))
  .map(id => POCKET.task(id, seed(0)));

const order = (number: number, maxSteps = 3): EpisodeOptions => ({
  task: TASKS[number % TASKS.length] as Task,
  seed: seed(0),
  mode: 'screenshot_a11y_tree',
  maxSteps,
});

/** Plays so many orders to their end. */
async function playAll(
  machines: readonly Desktop[],
  count: number,
  maxSteps = 3,
  name = 'play',
  options = OPTIONS,
) {
  const actor = new Actor<EpisodeOptions>(machines, session, options, seeded(name));
  const played: Played<EpisodeOptions>[] = [];
  let given = 0;
  for (let tick = 0; played.length < count && tick < 200; tick++)
    played.push(...(await actor.tick(() => (given < count ? order(given++, maxSteps) : undefined))));
  return { played, actor };
}

const choicesOf = ({ chosen }: Sample): Choices =>
  Object.fromEntries(SLOTS.map((slot, at) => [slot, chosen[at]]));

describe('an actor', () => {
  test('plays every order once, on no more desktops than it has, and uses them again', async () => {
    const machines = desktops(3);
    sizes.length = 0;
    const { played, actor } = await playAll(machines, 10);
    expect(played).toHaveLength(10);
    expect(new Set(played.map(({ order }) => order)).size).toBe(10);
    expect(machines.reduce((sum, { resets }) => sum + resets, 0)).toBe(10);
    expect(machines.every(({ resets }) => resets > 1)).toBe(true);
    expect(Math.max(...sizes)).toBe(3);
    expect(actor.busy).toBe(0);
  });

  test('takes one step in every episode a tick, and starts new ones where others ended', async () => {
    const actor = new Actor<EpisodeOptions>(desktops(2), session, OPTIONS, seeded('ticks'));
    let given = 0;
    const played: Played<EpisodeOptions>[] = [];
    for (let tick = 1; tick <= 6; tick++) {
      const before = played.length;
      played.push(...(await actor.tick(() => order(given++, 2))));
      expect(given).toBe(2 + before);
      expect(actor.busy).toBe(2 + before - played.length);
    }
    expect(played.length).toBeGreaterThanOrEqual(6);
  });

  test('asks for nothing while no desktop is free, and does nothing where there is nothing to do', async () => {
    const actor = new Actor<EpisodeOptions>([], session, OPTIONS, seeded('none'));
    expect(
      await actor.tick(() => {
        throw new Error('It asked.');
      }),
    ).toEqual([]);
    const idle = new Actor<EpisodeOptions>(desktops(2), session, OPTIONS, seeded('idle'));
    sizes.length = 0;
    expect(await idle.tick(() => undefined)).toEqual([]);
    expect([sizes.length, idle.busy]).toEqual([0, 0]);
  });
});

describe('a played episode', () => {
  test('has a sample for each step, and ended by a word or at its cap, as the desktop judges', async () => {
    const machines = desktops(4);
    const { played } = await playAll(machines, 24, 5);
    for (const { samples, episode, ended, order } of played) {
      expect(samples).toHaveLength(episode.actions.length);
      expect(samples.length).toBeLessThanOrEqual(order.maxSteps);
      const last = episode.actions.at(-1)?.kind;
      const word = last === 'finished' || last === 'fail' ? last : 'capped';
      expect(ended.ending).toBe(word);
      if (word === 'capped') expect(samples).toHaveLength(order.maxSteps);
      for (const { kind } of episode.actions.slice(0, -1)) expect(['finished', 'fail']).not.toContain(kind);
      if (isInfeasible(order.task)) expect(ended.verdict.score).toBe(word === 'fail' ? 1 : 0);
    }
    const endings = played.map(({ ended }) => ended.ending);
    expect(new Set(endings)).toEqual(new Set(['finished', 'fail', 'capped']));
    expect(machines.flatMap(({ judged }) => judged).sort()).toEqual([...endings].sort());
  });

  test('did what its samples chose', async () => {
    const { played } = await playAll(desktops(3), 9, 4);
    for (const { samples, episode } of played)
      expect(samples.map(sample => actionOf(sample.tokens, episode.instruction, choicesOf(sample)))).toEqual(
        episode.actions,
      );
  });

  test('recorded the log-probabilities of the choices that it used', async () => {
    const { played } = await playAll(desktops(3), 9, 4);
    const samples = played.flatMap(each => each.samples);
    const assessed = await assessing.run(sampleFeeds(samples));
    for (const [index, { used, logProbabilities = [] }] of samples.entries()) {
      const now = row(assessed, 'logProbability', index);
      for (const [slot, isUsed] of used.entries())
        if (isUsed === 1)
          expect(Math.abs((logProbabilities[slot] ?? Number.NaN) - (now[slot] ?? 0))).toBeLessThan(1e-4);
    }
  });

  test('tells of the same desktop what another actor told of the same chance, and other things of another', async () => {
    const actions = async (name: string) =>
      (await playAll(desktops(3), 6, 4, name)).played.map(({ episode }) => episode.actions);
    const first = await actions('same');
    expect(await actions('same')).toEqual(first);
    expect(await actions('other')).not.toEqual(first);
  });

  test('is not the same as another of its group, though they start alike', async () => {
    const actor = new Actor<EpisodeOptions>(desktops(4), session, OPTIONS, seeded('group'));
    const group: Played<EpisodeOptions>[] = [];
    let given = 0;
    while (group.length < 4) group.push(...(await actor.tick(() => (given++ < 4 ? order(0, 4) : undefined))));
    expect(new Set(group.map(({ episode }) => JSON.stringify(episode.actions))).size).toBeGreaterThan(1);
  });
});
