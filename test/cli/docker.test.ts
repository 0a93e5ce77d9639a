import { expect, test } from 'vitest';
import { imageTable } from '../../runtime/cli/docker.ts';
import { runProgram } from '../../runtime/cli/program.ts';
import { contextWithoutProcesses } from './command-context.ts';

test.each([
  [['prune'], "Unknown command 'prune'"],
  [['build', 'tiny'], 'Allowed choices are small, large'],
  [['build', 'small', 'large'], 'too many arguments'],
  [['save'], "Missing required argument 'file'"],
  [['save', 'small.zip'], 'small.zip'],
  [['save', 'a.tar', 'tiny'], 'Allowed choices are small, large'],
  [['load', 'a.tar', 'b.tar'], 'too many arguments'],
  [['ls', '--again'], "Unknown option '--again'"],
])('docker %j fails before an engine is asked', async (args, message) => {
  const { context, errors } = contextWithoutProcesses();
  expect(await runProgram(context, ['docker', ...args])).toBe(1);
  expect(errors.join('\n').toLowerCase()).toContain(message.toLowerCase());
});

test('images are listed with their sizes, and whether they are current', () => {
  const [current, other] = imageTable([
    { tag: 'dartboard-small:1', kind: 'small', size: 235e6, isCurrent: true },
    { tag: 'dartboard-large:22', kind: 'large', size: 1e9, isCurrent: false },
  ]);
  expect(current).toMatch(/^dartboard-small:1 +235 MB +current$/);
  expect(other).toMatch(/^dartboard-large:22 +1 GB +not current$/);
  expect(imageTable([]).join()).toContain("'dartboard docker build'");
});
