import { expect, test } from 'vitest';
import {
  type CollectAnswers,
  collectParams,
  collectQuestions,
  mustAsk,
  progressPercent,
  progressText,
  requireNoEvaluation,
  resultText,
} from '../../../extension/collect/questions.ts';
import { NO_RUNS, withSummaries } from '../../../extension/runs/run-list.ts';
import type { CollectionState } from '../../../runtime/protocol/daemon/collection.ts';
import { request } from '../../../runtime/protocol/daemon/messages.ts';
import { playedState } from '../../server/played-state.ts';
import { ScriptedRuns } from '../../server/scripted-runs.ts';

const trained = withSummaries(NO_RUNS, await new ScriptedRuns(playedState(600)).list());
const { run } = playedState(600);

const AGENTS = { agents: { reader: { profile: 'generic', url: 'http://localhost:8000/v1', model: 'm' } } };
const titles = (...of: Parameters<typeof collectQuestions>) =>
  collectQuestions(...of).map(({ title }) => title);

test('asks for a player only if there is a choice', () => {
  const [player, tasks, review] = [
    'Who plays?',
    'Collect successes of which tasks?',
    'Who accepts the successes?',
  ];
  expect(titles({}, NO_RUNS)).toEqual([tasks]);
  expect(titles({}, trained)).toEqual([player, tasks]);
  expect(titles(AGENTS, NO_RUNS)).toEqual([player, tasks, review]);
  // Called on a run: its weights play.
  expect(titles(AGENTS, trained, run)).toEqual([tasks]);
});

test('a run of a model agent has no weights to play with', () => {
  const ofModel = {
    ...trained,
    summaries: trained.summaries.map(each => ({ ...each, about: { ...each.about, agent: 'qwen' } })),
  };
  expect(titles({}, ofModel)).toEqual(titles({}, NO_RUNS));
});

test('offers the tasks of dartboard.json first', () => {
  const first = (config: object) => collectQuestions({ ...config }, NO_RUNS)[0]?.choices[0]?.answer;
  expect(first({})).toEqual({ wanted: { tiers: [1, 2, 3, 4] } });
  expect(first({ suite: { tasks: ['mail-star'] } })).toEqual({});
});

test('leaves the number of instances to the daemon, since weights play on the desktops of their own run', () => {
  for (const kind of ['guest', 'pocket'])
    expect(collectParams({ environments: { kind } }, {}, 'ada')).not.toHaveProperty('instances');
});

test('the daemon accepts the request of every combination of answers', () => {
  const config = { suite: { tiers: [2] }, ...AGENTS };
  const combinations = collectQuestions(config, trained).reduce<readonly CollectAnswers[]>(
    (before, question) =>
      before.flatMap(answers =>
        mustAsk(question, answers)
          ? question.choices.map(({ answer }) => ({ ...answers, ...answer }))
          : [answers],
      ),
    [{}],
  );
  // Scripted solutions and weights on six choices of tasks; an agent, with and without review.
  expect(combinations).toHaveLength(24);
  for (const answers of combinations) {
    const params = collectParams(config, answers, 'ada');
    expect(request.safeParse({ id: 1, method: 'collect.start', params }).success).toBe(true);
  }
});

test('leaves out guests that are there to be chosen', () => {
  const hosts = [{ address: 'http://lab:5000', browserPort: 9222, vlcPort: 8080 }];
  const config = { environments: { guest: { hosts } }, suite: { files: 'osworld', tiers: [1] } };
  expect(collectParams(config, {}, 'ada').config).toEqual({ environments: {}, suite: { tiers: [1] } });
});

test('accepts scripted solutions at once, and leaves other successes for review unless the user decides', () => {
  const players = collectQuestions(AGENTS, trained)[0]?.choices ?? [];
  const params = (label: string, accepts?: boolean) => {
    const { answer } = players.find(each => each.label.includes(label)) ?? {};
    return collectParams({}, { ...answer, ...(accepts !== undefined && { accepts }) }, 'ada');
  };
  expect(collectParams({}, {}, 'ada')).toMatchObject({ by: { kind: 'script' }, accepts: true, who: 'ada' });
  expect(params('Scripted')).toMatchObject({ by: { kind: 'script' }, accepts: true });
  expect(params('Weights')).toMatchObject({ by: { kind: 'weights', from: run }, accepts: false });
  expect(params('reader')).toMatchObject({ by: { kind: 'agent', agent: 'reader' }, accepts: false });
  expect(params('reader', true)).toMatchObject({ by: { kind: 'agent' }, accepts: true });
});

const row = { task: 'mail-star', tried: 12, succeeded: 3, kept: 3, broken: 4 };
const STATE: CollectionState = {
  ...{ collection: 'c', change: 4, status: 'ended', told: 'Scripted solutions', accepts: false },
  ...{ instances: 4, tasks: 1, tries: 64, rows: [row], members: { 'mail-star': 3 } },
};

test('counts episodes with infrastructure errors as done', () => {
  expect(progressPercent(STATE)).toBe(25);
  expect(progressText(STATE)).toContain('16 of 64');
  expect(progressText({ ...STATE, problem: 'the disk is full' })).toContain('the disk is full');
  expect(progressPercent({ ...STATE, tries: 0, rows: [] })).toBe(100);
});

test('the result shows what succeeded and what to do next', () => {
  expect(resultText(STATE)).toMatch(/3 of 12 .* review/);
  expect(resultText({ ...STATE, accepts: true, status: 'stopped' })).toMatch(/Stopped.* 3 of 12 .* pool/);
  expect(resultText({ ...STATE, rows: [{ ...row, succeeded: 0, kept: 0 }] })).toMatch(/0 of 12 .* Nothing/);
  expect(() => resultText({ ...STATE, status: 'failed', message: 'No disk.' })).toThrow('No disk.');
});

test('an evaluation that runs is an error that names it, and a collection is none', () => {
  const playing: CollectionState = { ...STATE, status: 'playing', told: "Agent 'tars'" };
  expect(() => requireNoEvaluation({ ...playing, evaluates: 'test' })).toThrow(
    /^The daemon is busy: an evaluation runs \(Agent 'tars', 16 of 64 episodes.*\)\. Wait for its end/,
  );
  expect(() => requireNoEvaluation(playing)).not.toThrow();
  expect(() => requireNoEvaluation(undefined)).not.toThrow();
});
