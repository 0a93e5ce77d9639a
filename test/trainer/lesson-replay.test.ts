// What is imitated: what happens often does not drown what happens seldom, and what goes wrong most is shown most.

import { describe, expect, test } from 'vitest';
import { trajectoryId } from '../../runtime/core/ids.ts';
import { LESSON_SORTS, type LessonSort } from '../../runtime/core/lesson.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { LessonReplay, type ReplayItem } from '../../runtime/trainer/lesson-replay.ts';

interface Step extends ReplayItem {
  readonly name: string;
}

const EVEN = Object.fromEntries(LESSON_SORTS.map(sort => [sort, 1])) as Readonly<Record<LessonSort, number>>;
const DRAWN = 4000;
const NOTHING: Step = { name: '', size: 0 };
const MEGABYTE = 1e6;

const replay = (shares: Partial<Record<LessonSort, number>> = {}) =>
  new LessonReplay<Step>({ ...EVEN, ...shares }, seeded('replay'));

const steps = (...names: readonly string[]): readonly Step[] => names.map(name => ({ name, size: 1 }));

/** The share of drawn steps that have each of these names. */
function near(drawnFrom: LessonReplay<Step>, wanted: Readonly<Record<string, number>>): void {
  const drawn = drawnFrom.draw(DRAWN).map(({ name }) => name);
  expect(drawn).toHaveLength(DRAWN);
  for (const [name, share] of Object.entries(wanted)) {
    const found = drawn.filter(each => each === name).length / DRAWN;
    expect(Math.abs(found - share), `${name}: ${found}`).toBeLessThan(0.03);
  }
}

test('sorts are drawn by their shares among those with lessons', () => {
  const made = replay({ hindsight: 3, beside: 5, demonstrations: 0 });
  for (const sort of ['hindsight', 'successes', 'demonstrations'] as const)
    made.add(sort, 'mail-star', steps(sort));
  near(made, { hindsight: 3 / 4, successes: 1 / 4, demonstrations: 0 });
});

test('kinds are drawn equally, and trajectories of a kind equally', () => {
  const made = replay();
  for (let number = 0; number < 20; number++) made.add('hindsight', 'often', steps('often'));
  made.add('hindsight', 'seldom', steps('short'));
  made.add('hindsight', 'seldom', steps(...Array.from({ length: 5 }, () => 'long')));
  near(made, { often: 1 / 2, short: 1 / 4, long: 1 / 4 });
});

test('a forgotten trajectory is not drawn any more, and leaves its place', () => {
  const made = replay();
  const [one, other] = ['one', 'other'].map(trajectoryId);
  if (one === undefined || other === undefined) throw new Error('Two names are two ids.');
  made.add('demonstrations', 'kind', steps('right'));
  made.add('demonstrations', 'kind', steps('wrong'), one);
  made.add('successes', 'alone', steps('alone'), other);
  expect([made.forget(one), made.forget(one), made.forget(other)]).toEqual([true, false, true]);
  near(made, { right: 1, wrong: 0, alone: 0 });
  made.add('demonstrations', 'kind', [{ name: 'vast', size: 41 * MEGABYTE }], one);
  made.forget(one);
  made.add('demonstrations', 'kind', steps('new'));
  near(made, { new: 1, vast: 0 });
});

test('kinds are drawn by their weights, 1 by default', () => {
  const made = replay();
  for (const kind of ['failing', 'mastered', 'constructor']) made.add('hindsight', kind, steps(kind));
  made.setWeights({ failing: 5, mastered: 1 });
  near(made, { failing: 5 / 7, mastered: 1 / 7, constructor: 1 / 7 });
  made.setWeights({});
  near(made, { failing: 1 / 3, mastered: 1 / 3 });
});

test('steps are drawn by their loss within limits; untrained steps most often', () => {
  const made = replay();
  const trajectory = steps('known', 'half', 'unforeseeable', 'new');
  made.add('successes', 'kind', trajectory);
  for (const [index, surprise] of [0, 1.45, 500].entries())
    made.setSurprise(trajectory[index] ?? NOTHING, surprise);
  made.setSurprise(trajectory[3] ?? NOTHING, Number.NaN);
  const all = 0.1 + 1.55 + 3.1 + 3.1;
  near(made, { known: 0.1 / all, half: 1.55 / all, unforeseeable: 3.1 / all, new: 3.1 / all });
});

test('a discarded step is not drawn again', () => {
  const made = replay();
  const trajectory = steps('spoilt', 'whole');
  made.add('successes', 'kind', trajectory);
  for (const step of trajectory.slice(0, 1)) made.discard(step);
  near(made, { spoilt: 0, whole: 1 });
});

test('new trajectories of a kind replace its oldest', () => {
  const made = replay();
  for (let number = 0; number < 30; number++) made.add('successes', 'kind', steps(String(number)));
  const drawn = new Set(made.draw(DRAWN).map(({ name }) => name));
  expect([...drawn].map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, at) => 6 + at));
});

test('a full shelf drops the oldest of the largest kind', () => {
  const made = replay();
  const put = (kind: string, name: string, megabytes: number) =>
    made.add('hindsight', kind, [{ name, size: megabytes * MEGABYTE }]);
  put('small', 'small 0', 1);
  put('small', 'small 1', 1);
  for (let number = 0; number < 9; number++) put('large', `large ${number}`, 4);
  const drawn = new Set(made.draw(DRAWN).map(({ name }) => name));
  expect([...drawn].sort()).toEqual(['large 5', 'large 6', 'large 7', 'large 8', 'small 0', 'small 1']);
});

test('the latest of each kind stays, whatever its size', () => {
  const made = replay();
  for (const turn of [0, 1])
    for (const kind of ['a', 'b', 'c'])
      made.add('hindsight', kind, [{ name: `${kind}${turn}`, size: 30 * MEGABYTE }]);
  expect(new Set(made.draw(DRAWN).map(({ name }) => name))).toEqual(new Set(['a1', 'b1', 'c1']));
});

describe('nothing is drawn and no random number is used', () => {
  test.each<[string, (made: LessonReplay<Step>) => void]>([
    ['while there is nothing', () => undefined],
    ['from a trajectory without steps', made => made.add('hindsight', 'kind', [])],
    ['of a sort that has no share', made => made.add('beside', 'kind', steps('never'))],
  ])('%s', (_, put) => {
    const random = seeded('nothing');
    const made = new LessonReplay<Step>({ ...EVEN, beside: 0 }, random);
    put(made);
    expect(made.draw(9)).toEqual([]);
    expect(random.save()).toEqual(seeded('nothing').save());
  });
});
