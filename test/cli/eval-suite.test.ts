// The suite of an evaluation, from dartboard.json and `--suite`.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evaluatedSuite } from '../../runtime/cli/eval-suite.ts';
import { temporaryFolder } from '../temporary.ts';

const TASK = {
  id: 'press',
  instruction: 'Press OK.',
  config: [{ type: 'open', parameters: { url: 'http://a.test/' } }],
  evaluator: {
    func: 'exact_match',
    result: { type: 'url' },
    expected: { type: 'rule', rules: { expected: 'done' } },
  },
  dartboard: { tier: 1, solution: [['click', 'button', 'OK']] },
};

test('a folder has tasks of the kind of desktops that dartboard.json names, and these alone are played', async () => {
  const workspace = temporaryFolder('workspace');
  mkdirSync(join(workspace, 'tasks'));
  writeFileSync(join(workspace, 'tasks/press.json'), JSON.stringify(TASK));
  const web = { browser: '/opt/mine' };
  writeFileSync(join(workspace, 'dartboard.json'), JSON.stringify({ environments: { kind: 'web', web } }));
  const { config, wanted } = await evaluatedSuite(workspace, { suite: 'tasks', split: 'test' });
  expect(config.environments).toMatchObject({ kind: 'web', web });
  expect(wanted).toEqual({ tasks: ['press'] });
});

test('a kind of desktops is a suite', async () => {
  const { config, suite, wanted } = await evaluatedSuite(temporaryFolder('workspace'), {
    ...{ suite: 'web', split: 'test', tier: [1] },
  });
  expect(config.environments.kind).toBe('web');
  expect(suite.tasks('test', 1).length).toBeGreaterThan(3);
  expect(wanted).toEqual({ tiers: [1] });
});
