import { expect, test } from 'vitest';
import {
  type Answers,
  asksKinds,
  configOf,
  isOpen,
  questions,
  type Said,
  saidIn,
} from '../../../extension/start/answers.ts';
import { parseConfig } from '../../../runtime/config/config.ts';
import { t } from '../translate.ts';

const titles = (said: Said): readonly string[] => questions(said, {}, [], t).map(({ title }) => title);

test('at most two questions are asked', () => {
  expect(titles({})).toEqual(['Which tasks?', 'How does it begin?']);
});

test('what dartboard.json says is not asked about', () => {
  expect(titles({ suite: { tiers: [2] } })).toEqual(['How does it begin?']);
  expect(titles({ suite: { tasks: ['mail-star'] }, preset: 'taught' })).toEqual([]);
  expect(titles({ demonstrations: 3 })).toEqual(['Which tasks?']);
  expect(titles({ suite: { files: 'tasks' }, minutes: 3 })).toHaveLength(2);
});

test('the answers of last time come first', () => {
  const last: Answers = { kind: 'pocket', tiers: [1, 2, 3], preset: 'taught' };
  expect(questions({}, last, [], t).map(({ choices: [first] }) => first?.answer)).toEqual([
    { kind: 'pocket', tiers: [1, 2, 3] },
    { preset: 'taught' },
  ]);
});

test('every pair of answers makes a configuration that the daemon takes', () => {
  const [suites, presets] = questions({}, {}, [], t);
  const pairs = (suites?.choices ?? []).flatMap(suite =>
    (presets?.choices ?? []).map(preset => ({ ...suite.answer, ...preset.answer })),
  );
  expect(pairs).toHaveLength(8);
  for (const answers of pairs)
    expect(parseConfig(configOf({}, answers))).toMatchObject({
      suite: { tiers: answers.tiers },
      preset: answers.preset,
    });
});

test('what the file says besides stays', () => {
  const said = saidIn('\uFEFF{ "minutes": 3, "suite": { "files": "tasks" } }');
  expect(configOf(said, { tiers: [1], preset: 'scratch' })).toEqual({
    minutes: 3,
    suite: { files: 'tasks', tiers: [1] },
    preset: 'scratch',
  });
});

const HERE = [
  { kind: 'pocket', is: 'here' },
  { kind: 'docker', is: 'here' },
] as const;

test('real desktops are offered where they can be had, and nothing more is asked then', () => {
  const [tasks, preset] = questions({}, {}, HERE, t);
  const real = tasks?.choices.find(({ label }) => label.startsWith('Real desktops'));
  expect(real?.builds).toBeUndefined();
  const answers = real?.answer ?? {};
  expect(preset === undefined ? [] : [isOpen(preset, answers), isOpen(preset, {})]).toEqual([false, true]);
  expect(parseConfig(configOf({ environments: { desktops: 4 } }, answers))).toMatchObject({
    environments: { kind: 'docker', desktops: 4 },
    preset: 'taught',
  });
});

test('where only their image is missing, it is offered to build it; where no engine answers, nothing', () => {
  const offered = (is: 'unbuilt' | 'away') =>
    questions({}, { kind: 'docker', tiers: [1] }, [{ kind: 'docker', is, why: 'so' }], t)[0]?.choices ?? [];
  expect(offered('unbuilt').filter(({ builds }) => builds)).toHaveLength(1);
  // Pressing Enter never builds.
  expect(offered('unbuilt')[0]?.builds).toBeUndefined();
  expect(offered('away')).toHaveLength(4);
});

test('what dartboard.json says of desktops holds', () => {
  for (const said of [
    { environments: { kind: 'pocket' } },
    { suite: { files: 'tasks' } },
    { suite: { tiers: [1] } },
  ])
    expect(asksKinds(said)).toBe(false);
  expect(
    questions({ environments: { kind: 'docker' } }, {}, HERE, t).map(({ choices }) => choices.length),
  ).toEqual([4]);
});

test('the desktops of last time come first', () => {
  const choices = questions({}, { kind: 'docker', tiers: [1] }, HERE, t)[0]?.choices;
  expect(choices?.[0]?.answer).toEqual({ kind: 'docker', tiers: [1] });
});
