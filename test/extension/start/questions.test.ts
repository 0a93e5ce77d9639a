import { describe, expect, test } from 'vitest';
import { type ConfigFile, parseConfigFile } from '../../../extension/config-file.ts';
import {
  asksDesktopKind,
  configOf,
  mustAsk,
  startQuestions,
  startsTraining,
} from '../../../extension/start/questions.ts';
import type { StartAnswers } from '../../../extension/start/start-choice.ts';
import { parseConfig } from '../../../runtime/config/config.ts';
import type { KindOffer } from '../../../runtime/protocol/daemon/desktops.ts';

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
  const firstAnswers = (previous: StartAnswers, latest?: string) =>
    startQuestions({}, previous, [], latest).map(({ choices: [first] }) => first?.answer);
  expect(firstAnswers(pocket)).toEqual([{ kind: 'pocket', tiers: [1, 2, 3] }, { preset: 'taught' }]);
  const fromBase = { preset: 'scratch', from: 'base' };
  expect(firstAnswers({ ...pocket, ...fromBase })[1]).toEqual(fromBase);
  expect(firstAnswers({ ...pocket, ...fromBase, from: undefined })[1]).toEqual({ preset: 'scratch' });
  const docker: StartAnswers = { kind: 'docker', tiers: [1] };
  expect(startQuestions({}, docker, DOCKER_READY)[0]?.choices[0]?.answer).toEqual(docker);
});

test('the daemon accepts the configuration of every combination of answers', () => {
  const [suites, presets] = startQuestions({}, {}, []);
  const combinations = (suites?.choices ?? []).flatMap(suite =>
    (presets?.choices ?? []).map(preset => ({ ...suite.answer, ...preset.answer })),
  );
  expect(combinations).toHaveLength(12);
  for (const answers of combinations)
    expect(parseConfig(configOf({}, answers))).toMatchObject({
      suite: { tiers: answers.tiers },
      preset: answers.preset,
    });
});

test('offers the weights of the latest run, which are no setting', () => {
  const [, policy] = startQuestions({}, {}, [], 'night-owl');
  const answers = policy?.choices.at(-1)?.answer ?? {};
  expect(answers).toEqual({ preset: 'scratch', from: 'night-owl' });
  expect(configOf({}, answers)).toEqual({ preset: 'scratch' });
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

const webOffered = (offer: KindOffer, previous: StartAnswers = {}) =>
  startQuestions({}, previous, [{ kind: 'pocket', is: 'here' }, offer]);

test('offers web desktops if there is a browser, and then asks for the policy', () => {
  const [tasks, policy] = webOffered({ kind: 'web', is: 'here' });
  const answers = tasks?.choices.find(({ answer }) => answer.kind === 'web')?.answer ?? {};
  expect(policy && mustAsk(policy, answers)).toBe(true);
  for (const { answer } of policy?.choices ?? [])
    expect(parseConfig(configOf({}, { ...answers, ...answer }))).toMatchObject({
      ...{ environments: { kind: 'web' }, suite: { tiers: [1] }, preset: answer.preset },
    });
  const previous = { kind: 'web', tiers: [1] } as const;
  expect(webOffered({ kind: 'web', is: 'here' }, previous)[0]?.choices[0]?.answer).toEqual(previous);
});

test('explains how to get a missing browser, and never starts a training with it', () => {
  const why = 'No browser was found. Install one.';
  const choices = webOffered({ kind: 'web', is: 'away', why }, { kind: 'web', tiers: [1] })[0]?.choices ?? [];
  const explaining = choices.filter(choice => !startsTraining(choice));
  expect(explaining).toMatchObject([{ explains: why, answer: {} }]);
  // Enter starts a training.
  expect(choices.findIndex(({ explains }) => explains !== undefined)).toBeGreaterThan(0);
});

test('offers to build a missing image, and nothing without a Docker engine', () => {
  const choices = (is: 'unbuilt' | 'away') =>
    startQuestions({}, { kind: 'docker', tiers: [1] }, [{ kind: 'docker', is, why: 'so' }])[0]?.choices ?? [];
  expect(choices('unbuilt').filter(({ buildsImage }) => buildsImage)).toHaveLength(1);
  // Enter never builds.
  expect(choices('unbuilt')[0]?.buildsImage).toBeUndefined();
  expect(choices('away')).toHaveLength(4);
});

describe('stored trajectories', () => {
  const HERE: readonly KindOffer[] = [...DOCKER_READY, { kind: 'offline', is: 'here' }];

  test('are offered if the workspace has some, with no policy to choose', () => {
    const [tasks, policy] = startQuestions({}, {}, HERE);
    const answers = tasks?.choices.find(({ answer }) => answer.kind === 'offline')?.answer ?? {};
    expect(policy && mustAsk(policy, answers)).toBe(false);
    expect(parseConfig(configOf({}, answers))).toMatchObject({
      ...{ environments: { kind: 'offline' }, mode: 'screenshot', preset: 'taught' },
    });
    expect(startQuestions({}, {}, DOCKER_READY)[0]?.choices.map(({ answer }) => answer.kind)).not.toContain(
      'offline',
    );
  });

  test('are the only choice where dartboard.json names them', () => {
    const config = { environments: { kind: 'offline' }, agent: 'compact' };
    expect(startQuestions(config, {}, [])).toMatchObject([{ choices: [{ answer: { kind: 'offline' } }] }]);
  });
});

describe('guests', () => {
  const HOSTS = ['http://one:5000', 'http://two:5000'].map(address => ({
    ...{ address, browserPort: 9222, vlcPort: 8080 },
  }));
  const GUESTS = { environments: { guest: { hosts: HOSTS } }, suite: { files: 'osworld' } };
  const HERE: readonly KindOffer[] = [...DOCKER_READY, { kind: 'guest', is: 'here' }];
  const why = "Guests: none is configured. Name machines in 'environments.guest.hosts'.";
  const AWAY: readonly KindOffer[] = [...DOCKER_READY, { kind: 'guest', is: 'away', why }];

  test('are offered if the daemon has them, with no policy to choose', () => {
    expect(asksDesktopKind(GUESTS)).toBe(true);
    const [tasks, policy] = startQuestions(GUESTS, {}, HERE);
    const answers = tasks?.choices.find(({ answer }) => answer.kind === 'guest')?.answer ?? {};
    expect(policy && mustAsk(policy, answers)).toBe(false);
    expect(parseConfig(configOf(GUESTS, answers))).toMatchObject({
      environments: { kind: 'guest', guest: { hosts: HOSTS } },
      suite: { files: 'osworld' },
    });
    expect(startQuestions(GUESTS, { kind: 'guest' }, HERE)[0]?.choices[0]?.answer).toEqual({ kind: 'guest' });
  });

  test('that are missing are explained, and never start a training', () => {
    for (const config of [{}, GUESTS]) {
      const choices = startQuestions(config, {}, AWAY)[0]?.choices ?? [];
      expect(choices.filter(choice => !startsTraining(choice))).toMatchObject([
        { explains: why, answer: {} },
      ]);
      expect(choices.findIndex(({ explains }) => explains !== undefined)).toBeGreaterThan(0);
    }
  });

  test('and their tasks are left out for other desktops', () => {
    for (const { answer } of startQuestions(GUESTS, {}, HERE)[0]?.choices ?? [])
      if (answer.kind !== 'guest')
        expect(parseConfig(configOf(GUESTS, answer)).environments.kind).toBe(answer.kind);
    expect(configOf(GUESTS, { kind: 'pocket', tiers: [1] })).toEqual({
      environments: {},
      suite: { tiers: [1] },
    });
  });

  test('are the only choice if dartboard.json has this kind', () => {
    const config = { ...GUESTS, environments: { ...GUESTS.environments, kind: 'guest' } };
    expect(asksDesktopKind(config)).toBe(true);
    for (const kinds of [HERE, []]) {
      const questions = startQuestions(config, {}, kinds);
      expect(questions.map(({ choices }) => choices.map(({ answer }) => answer))).toEqual([
        [{ kind: 'guest' }],
      ]);
    }
    expect(startQuestions(config, {}, AWAY)[0]?.choices).toMatchObject([{ explains: why }]);
    expect(parseConfig(configOf(config, { kind: 'guest' })).environments.kind).toBe('guest');
  });
});

const TINKER = { kind: 'tinker', url: 'http://localhost:9000', base: 'Qwen/Qwen3.5-4B' };
const QWEN = { profile: 'qwen3-vl', url: 'http://localhost:8000/v1', model: 'qwen', learner: TINKER };
const { learner: _, ...TARS } = { ...QWEN, profile: 'ui-tars-1.5', model: 'tars' };
const AGENTS = { agents: { qwen: QWEN, tars: TARS } };

describe('with agents in dartboard.json', () => {
  test('asks first which agent to train, and names who trains it', () => {
    expect(titles(AGENTS)).toEqual(['Train which agent?', TASKS, POLICY]);
    const choices = startQuestions(AGENTS, {}, [])[0]?.choices ?? [];
    expect(choices.map(({ answer }) => answer.agent)).toEqual(['compact', 'qwen', undefined]);
    expect(choices[1]?.detail).toBe(
      'qwen at http://localhost:8000/v1. Trained by Tinker server at http://localhost:9000.',
    );
  });

  test('shows what an agent without a learner lacks, and never starts a training with it', () => {
    const previous = { agent: 'tars' };
    const [first, ...others] = startQuestions(AGENTS, previous, [])[0]?.choices ?? [];
    expect(first?.answer).toEqual({ agent: 'compact' });
    expect(others.at(-1)).toMatchObject({
      answer: {},
      opensAgent: 'tars',
      detail: "Has no learner: add 'learner' to agents.tars.",
    });
  });

  test('offers the previous agent first', () => {
    const [agents] = startQuestions(AGENTS, { agent: 'qwen', kind: 'pocket', tiers: [1] }, []);
    expect(agents?.choices[0]?.answer).toEqual({ agent: 'qwen' });
  });

  test('asks for no policy to start from: a model agent is pretrained', () => {
    const policy = startQuestions(AGENTS, {}, []).find(({ title }) => title === POLICY);
    const asks = (answers: StartAnswers) => policy !== undefined && mustAsk(policy, answers);
    expect([asks({ agent: 'qwen' }), asks({ agent: 'compact' }), asks({})]).toEqual([false, true, true]);
  });

  test('does not ask for the agent that dartboard.json sets', () => {
    expect(titles({ ...AGENTS, agent: 'qwen' })).toEqual([TASKS]);
    expect(titles({ ...AGENTS, agent: 'compact' })).toEqual([TASKS, POLICY]);
  });

  test('the daemon accepts the configuration of an agent with a learner', () => {
    expect(parseConfig(configOf(AGENTS, { agent: 'qwen', tiers: [1] }))).toMatchObject({
      agent: 'qwen',
      preset: 'dart-7b',
      suite: { tiers: [1] },
    });
  });
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
