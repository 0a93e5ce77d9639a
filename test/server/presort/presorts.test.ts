// A pre-sort of stored trajectories of the pocket desktop by a model behind an endpoint. Needs the bundles that `npm test` builds first.

import { expect, onTestFinished, test } from 'vitest';
import type { AgentSettings } from '../../../runtime/config/sections/agents.ts';
import { runId, seed, taskId } from '../../../runtime/core/ids.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import type { Trajectory } from '../../../runtime/core/trajectory.ts';
import { encodePng } from '../../../runtime/inference/png.ts';
import type { PresortState } from '../../../runtime/protocol/daemon/annotation.ts';
import { Presorts } from '../../../runtime/server/presort/presorts.ts';
import { step, trajectory } from '../../data/trajectories.ts';
import { type ChatInput, imagesOf, textOf } from '../../doubles/openai/chat-input.ts';
import { countingModel, ModelServer } from '../../doubles/openai/model-server.ts';
import { LLAMA_CPP, type ServerTraits, VLLM } from '../../doubles/openai/traits.ts';
import { stored } from '../trajectories/stored-workspace.ts';

const SETTINGS: AgentSettings = { profile: 'ui-tars-1.5', model: 'tars', url: 'http://lab:8000/v1' };
const QUEUE = { offset: 0, limit: 100 } as const;
const IMPORT = runId('import-1');

const isQuestion = (input: ChatInput): boolean => textOf(input).includes('Did the agent do');

/** `answer` gets the number of the question, from 0. */
async function presorting(
  answer: (number: number) => string,
  settings: Partial<AgentSettings> = {},
  traits: ServerTraits = VLLM,
) {
  const workspace = await stored();
  const questions: ChatInput[] = [];
  const transport = new ModelServer({
    ...{ traits, clock: systemClock },
    model: input => (isQuestion(input) ? answer(questions.push(input) - 1) : countingModel(input)),
  });
  const presorts = new Presorts({
    ...{ ...workspace, environment: {}, clock: systemClock, transport },
    agents: async () => ({ lab: { ...SETTINGS, ...settings } }),
  });
  onTestFinished(() => presorts.close());
  const done = async (count: number, run?: string): Promise<PresortState> => {
    let state = await presorts.start({ agent: 'lab', count, ...(run !== undefined && { run }) });
    while (state.status === 'opening' || state.status === 'asking')
      state = await presorts.follow(state.presort, state.change);
    return state;
  };
  return { ...workspace, presorts, questions, done };
}

const says = (verdict: string, confidence: number): string =>
  `{"verdict": "${verdict}", "confidence": ${confidence}, "reason": "It looks so."}`;

test('suggestions are stored with agent, model and time; they order the queue, and each trajectory is asked about once', async () => {
  const { trajectories, done, questions } = await presorting(number =>
    number === 1
      ? says('failure', 80)
      : number === 2
        ? 'I am not sure.'
        : says('success', Math.min(99, 70 + number)),
  );
  const { total } = await trajectories.queue(QUEUE);
  expect(await done(5)).toMatchObject({
    ...{ status: 'ended', agent: 'lab', total: 5, suggested: 4, doubted: 1, unreadable: 1, failed: 0 },
    tokens: expect.any(Number),
  });
  expect(questions).toHaveLength(5);
  const { waiting } = await trajectories.queue({ ...QUEUE, order: 'suggested' });
  expect(waiting[0]?.suggestion).toEqual({
    ...{ agent: 'lab', model: 'tars', at: 7, isSuccess: false, confidence: 0.8, reason: 'It looks so.' },
  });
  expect(waiting.filter(({ suggestion }) => suggestion !== undefined)).toHaveLength(4);
  // An unreadable reply may be readable another time.
  expect(await done(1000)).toMatchObject({ total: total - 4 });
  expect(await done(1000)).toMatchObject({ status: 'ended', total: 0 });
});

test('the model sees the last screens and the actions, and nothing that the evaluator found', async () => {
  const { done, questions, trajectories } = await presorting(() => says('success', 90));
  expect(await done(3)).toMatchObject({ status: 'ended', suggested: 3 });
  expect(questions).toHaveLength(3);
  const { waiting } = await trajectories.queue({ ...QUEUE, order: 'suggested' });
  for (const question of questions) {
    const text = textOf(question);
    const found = waiting.find(({ row }) => text.includes(row.instruction));
    expect(found).toBeDefined();
    const { why } = await trajectories.whole(
      found?.row.trajectory as Parameters<typeof trajectories.whole>[0],
    );
    expect(text).not.toContain(why);
    expect(imagesOf(question).length).toBe(Math.min(3, (found?.row.steps ?? 0) + 1));
    expect(text).toMatch(/1\. click /);
  }
});

/** Of three steps; a gap is an empty picture. */
const imported = (n: number, images: readonly Uint8Array[]): Trajectory =>
  trajectory(`imported-${n}`, {
    ...{ run: IMPORT, instance: { task: taskId('notes-rename'), seed: seed(n) } },
    ...{ provenance: { kind: 'imported', from: 'agentnet' }, frames: { kind: 'png', images } },
    steps: [step(1, 0.5), step(1, 0.5), step(1, 0.5)],
  });

const GAP = new Uint8Array();
const PICTURES = [1, 2, 3, 4].map(byte =>
  encodePng({ width: 64, height: 64, layout: 'rgb', data: new Uint8Array(64 * 64 * 3).fill(byte) }),
);

test.each<[string, readonly Uint8Array[], readonly string[]]>([
  ['no final picture', PICTURES.slice(0, 3), ['last 3 actions:', 'last 2 actions:', 'last action:']],
  ['a gap', PICTURES.with(2, GAP), ['last 3 actions:', 'last 2 actions:', 'The last screen:']],
])('of an imported trajectory with %s the last pictures are shown', async (_, images, labels) => {
  const { done, questions, store } = await presorting(() => says('success', 90));
  await store.ingest(imported(1, images));
  expect(await done(1, IMPORT)).toMatchObject({ status: 'ended', suggested: 1 });
  const [question] = questions;
  expect(question && imagesOf(question)).toHaveLength(labels.length);
  for (const label of labels) expect(question && textOf(question)).toContain(label);
});

test('trajectories without stored pictures fail by themselves, and the others are asked about', async () => {
  const { done, questions, store } = await presorting(() => says('success', 90));
  for (let n = 0; n < 9; n++) await store.ingest(imported(n, n === 4 ? PICTURES : PICTURES.map(() => GAP)));
  expect(await done(9, IMPORT)).toMatchObject({
    ...{ status: 'ended', total: 9, suggested: 1, failed: 8 },
    problem: expect.stringContaining('are not stored. Choose an agent'),
  });
  expect(questions).toHaveLength(1);
});

test('a model without vision is shown the elements', async () => {
  const { done, questions } = await presorting(
    () => says('success', 90),
    { profile: 'generic', mode: 'a11y_tree', model: 'tars.gguf' },
    LLAMA_CPP,
  );
  expect(await done(2)).toMatchObject({ status: 'ended', suggested: 2 });
  for (const question of questions) {
    expect(imagesOf(question)).toEqual([]);
    expect(textOf(question)).toMatch(/Elements on the last screen:\n1\. /);
  }
});

test('the agreement with people counts votes on trajectories with a suggestion', async () => {
  const { done, trajectories } = await presorting(() => says('success', 90));
  await done(2);
  const { waiting } = await trajectories.queue({ ...QUEUE, order: 'suggested' });
  for (const [index, isMember] of [true, false, true].entries()) {
    const id = waiting[index]?.row.trajectory as Parameters<typeof trajectories.annotate>[0];
    await trajectories.annotate(id, { kind: 'pool', isMember }, 'ada');
  }
  expect((await trajectories.agreement({})).models).toEqual([
    { agent: 'lab', who: 'ada', both: 2, agreed: 1, kappa: 0 },
  ]);
  // A vote of a person alone makes a member.
  expect((await trajectories.pool(QUEUE)).total).toBe(2);
});

test('the budget of the agent ends it with the reason; the suggestions so far stay', async () => {
  const { done, trajectories } = await presorting(() => says('success', 90), {
    limits: { tokens: 1, concurrency: 1 },
  });
  const state = await done(5);
  expect(state).toMatchObject({ status: 'failed', suggested: 1, failed: 1 });
  expect(state.message).toContain("'limits.tokens' of agent 'lab'");
  const { waiting } = await trajectories.queue({ ...QUEUE, order: 'suggested' });
  expect(waiting.filter(({ suggestion }) => suggestion !== undefined)).toHaveLength(1);
});

test('rejects an agent that is unknown or built in, a second pre-sort, and one that does not exist', async () => {
  const { presorts } = await presorting(() => says('success', 90));
  expect(await presorts.now()).toEqual({ agents: ['lab'] });
  await expect(presorts.start({ agent: 'compact', count: 1 })).rejects.toThrow('language model');
  await expect(presorts.start({ agent: 'lap', count: 1 })).rejects.toThrow("Did you mean 'lab'");
  const { presort } = await presorts.start({ agent: 'lab', count: 1 });
  await expect(presorts.start({ agent: 'lab', count: 1 })).rejects.toThrow('under way');
  await presorts.cancel(presort);
  expect((await presorts.now()).presort).toMatchObject({
    presort,
    status: expect.stringMatching(/stopped|ended/),
  });
  expect(() => presorts.follow('other', 0)).toThrow("'presort.now'");
});
