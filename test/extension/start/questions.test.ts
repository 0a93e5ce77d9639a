import { expect, test } from 'vitest';
import { type ConfigFile, parseConfigFile } from '../../../extension/config-file.ts';
import {
  asksDesktopKind,
  configOf,
  mustAsk,
  type StartAnswers,
  startQuestions,
} from '../../../extension/start/questions.ts';
import { parseConfig } from '../../../runtime/config/config.ts';

const TASKS = 'Which tasks?';
const POLICY = 'Start from which policy?';
const titles = (config: ConfigFile): readonly string[] =>
  startQuestions(config, {}, []).map(({ title }) => title);

test('asks for tasks and for a policy to start from', () => {
  expect(titles({})).toEqual([TASKS, POLICY]);
});

test('does not ask what dartboard.json sets', () => {
  expect(titles({ suite: { tiers: [2] } })).toEqual([POLICY]);
  expect(titles({ suite: { tasks: ['mail-star'] }, preset: 'taught' })).toEqual([]);
  expect(titles({ demonstrations: 3 })).toEqual([TASKS]);
  expect(titles({ suite: { files: 'tasks' }, minutes: 3 })).toHaveLength(2);
});

test('offers the previous answers first', () => {
  const pocket: StartAnswers = { kind: 'pocket', tiers: [1, 2, 3], preset: 'taught' };
  expect(startQuestions({}, pocket, []).map(({ choices: [first] }) => first?.answer)).toEqual([
    { kind: 'pocket', tiers: [1, 2, 3] },
    { preset: 'taught' },
  ]);
  const docker: StartAnswers = { kind: 'docker', tiers: [1] };
  expect(startQuestions({}, docker, DOCKER_READY)[0]?.choices[0]?.answer).toEqual(docker);
});

test('the daemon accepts the configuration of every combination of answers', () => {
  const [suites, presets] = startQuestions({}, {}, []);
  const combinations = (suites?.choices ?? []).flatMap(suite =>
    (presets?.choices ?? []).map(preset => ({ ...suite.answer, ...preset.answer })),
  );
  expect(combinations).toHaveLength(8);
  for (const answers of combinations)
    expect(parseConfig(configOf({}, answers))).toMatchObject({
      suite: { tiers: answers.tiers },
      preset: answers.preset,
    });
});

test('keeps the other settings of dartboard.json', () => {
  const config = parseConfigFile('\uFEFF{ "minutes": 3, "suite": { "files": "tasks" } }');
  expect(configOf(config, { tiers: [1], preset: 'scratch' })).toEqual({
    minutes: 3,
    suite: { files: 'tasks', tiers: [1] },
    preset: 'scratch',
  });
});

const DOCKER_READY = [
  { kind: 'pocket', is: 'here' },
  { kind: 'docker', is: 'here' },
] as const;

test('offers Docker desktops if they are available, and then asks for no policy', () => {
  const [tasks, policy] = startQuestions({}, {}, DOCKER_READY);
  const docker = tasks?.choices.find(({ answer }) => answer.kind === 'docker');
  expect(docker?.buildsImage).toBeUndefined();
  const answers = docker?.answer ?? {};
  expect(policy === undefined ? [] : [mustAsk(policy, answers), mustAsk(policy, {})]).toEqual([false, true]);
  expect(parseConfig(configOf({ environments: { desktops: 4 } }, answers))).toMatchObject({
    environments: { kind: 'docker', desktops: 4 },
    preset: 'taught',
  });
});

test('offers to build a missing image, and nothing without a Docker engine', () => {
  const choices = (is: 'unbuilt' | 'away') =>
    startQuestions({}, { kind: 'docker', tiers: [1] }, [{ kind: 'docker', is, why: 'so' }])[0]?.choices ?? [];
  expect(choices('unbuilt').filter(({ buildsImage }) => buildsImage)).toHaveLength(1);
  // Enter never builds.
  expect(choices('unbuilt')[0]?.buildsImage).toBeUndefined();
  expect(choices('away')).toHaveLength(4);
});

test('does not ask for a kind of desktop that dartboard.json sets or implies', () => {
  for (const config of [
    { environments: { kind: 'pocket' } },
    { suite: { files: 'tasks' } },
    { suite: { tiers: [1] } },
  ])
    expect(asksDesktopKind(config)).toBe(false);
  const questions = startQuestions({ environments: { kind: 'docker' } }, {}, DOCKER_READY);
  expect(questions.map(({ choices }) => choices.length)).toEqual([4]);
});
