import { expect, test } from 'vitest';
import { MICRO_PROFILE } from '../../runtime/agents/micro/profile.ts';
import { demonstrate, endlessDemonstrations } from '../../runtime/cloning/demonstrations.ts';
import { desktopId } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { PocketDesktop } from '../../runtime/environments/pocket/desktop.ts';
import { startOf } from '../../runtime/environments/pocket/getters.ts';
import { endingOf, POCKET, solutionOf } from '../../runtime/environments/pocket/tasks/suite.ts';

const TASKS = POCKET.tasks('train', 1);
const SEEDS = [0, 1, 2].map(index => POCKET.seed('train', index));

/** The score of the replies of one instance, read and performed as an agent would. Undefined if the mode cannot express a step. */
async function scoreOfReplies(
  id: (typeof TASKS)[number],
  seed: (typeof SEEDS)[number],
  mode: 'a11y_tree' | 'screenshot',
) {
  const task = POCKET.task(id, seed);
  const practice = {
    ...POCKET.instance(id, seed),
    ending: endingOf(task),
    begin: () => startOf(task).machine,
  };
  const examples = demonstrate(practice, mode);
  if (examples.length <= solutionOf(POCKET, task, seed).actions.length) return undefined;
  const desktop = new PocketDesktop(desktopId('test'));
  await desktop.reset(task, seed);
  for (const { reply, frame } of examples) {
    const reading = MICRO_PROFILE.read(reply, frame);
    if (reading.kind === 'malformed') throw new Error(`${id}: '${reply}' is malformed: ${reading.why}`);
    const [{ action }] = reading.actions;
    if (action.kind === 'finished' || action.kind === 'fail') return (await desktop.judge(action.kind)).score;
    await desktop.act(action);
  }
  return 0;
}

test.each(['a11y_tree', 'screenshot'] as const)(
  'the replies of a demonstration solve its task in the mode %s',
  async mode => {
    const scores = await Promise.all(
      TASKS.flatMap(id =>
        SEEDS.map(async seed => [`${id} ${seed}`, await scoreOfReplies(id, seed, mode)] as const),
      ),
    );
    const expressed = scores.filter(([, score]) => score !== undefined);
    expect(expressed.filter(([, score]) => score !== 1)).toEqual([]);
    expect(expressed.length / scores.length).toBeGreaterThan(0.9);
  },
);

test('equal seeds give equal examples, and other seeds give others', () => {
  const examplesOf = (seed: string) => {
    const next = endlessDemonstrations({
      templates: POCKET.templates.filter(({ tier, unseen }) => tier === 1 && unseen !== true),
      ...{ weightOf: () => 1, modes: { a11y_tree: 1, screenshot: 0.5 }, grounding: 1, random: seeded(seed) },
    });
    return [next(), next(), next()]
      .flat()
      .map(({ reply, row }) => [reply, row.entries.map(({ id }) => id).join()]);
  };
  expect(examplesOf('one')).toEqual(examplesOf('one'));
  expect(examplesOf('one')).not.toEqual(examplesOf('two'));
});
