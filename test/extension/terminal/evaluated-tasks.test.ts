import { Command } from 'commander';
import { expect, test } from 'vitest';
import { EVALUATED_TASKS, selectedTasks } from '../../../extension/terminal/evaluated-tasks.ts';
import { parseTaskIds, parseTiers } from '../../../runtime/cli/options.ts';

/** The values that the command line reads. */
function read(args: readonly string[] | undefined) {
  const program = new Command()
    .option('--tasks <ids>', '', parseTaskIds)
    .option('--tier <tiers>', '', parseTiers);
  return program.parse([...(args ?? [])], { from: 'user' }).opts();
}

test('an evaluation plays the tasks that dartboard.json selects', () => {
  expect(read(selectedTasks({ suite: { tasks: ['mail-star', 'notes-new'] } }))).toEqual({
    tasks: ['mail-star', 'notes-new'],
  });
  expect(read(selectedTasks({ suite: { tiers: [1, 2] } }))).toEqual({ tier: [1, 2] });
  for (const suite of [undefined, {}, { tiers: [] }, { tasks: 'x' }, []])
    expect(selectedTasks({ suite })).toBeUndefined();
});

test('otherwise it offers each tier, the smallest first, and all of them', () => {
  expect(EVALUATED_TASKS.map(({ args }) => read(args))).toEqual([
    ...[1, 2, 3, 4].map(tier => ({ tier: [tier] })),
    {},
  ]);
});
