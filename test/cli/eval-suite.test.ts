// The suite of an evaluation, from dartboard.json and `--suite`.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evaluatedSuite, instancesText } from '../../runtime/cli/eval-suite.ts';
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

test.each([
  [1, 'tasks that may have trained: each has one instance'],
  [32, 'test instances'],
])('tests of tasks with %i training instances are named: %s', (trainSeeds, text) => {
  expect(instancesText({ trainSeeds }, 'test')).toBe(text);
  expect(instancesText({ trainSeeds }, 'train')).toBe('training instances');
});

test('a kind of desktops is a suite', async () => {
  const { config, suite, wanted } = await evaluatedSuite(temporaryFolder('workspace'), {
    ...{ suite: 'web', split: 'test', tier: [1] },
  });
  expect(config.environments.kind).toBe('web');
  expect(suite.tasks('test', 1).length).toBeGreaterThan(3);
  expect(wanted).toEqual({ tiers: [1] });
});

test('a kind that the file does not choose has its settings and the own tasks of the workspace', async () => {
  const workspace = temporaryFolder('workspace');
  const own = join(workspace, '.dartboard/tasks');
  for (const kind of ['guest', 'web']) mkdirSync(join(own, kind), { recursive: true });
  writeFileSync(join(own, 'web/press.json'), JSON.stringify(TASK));
  const hosts = [{ address: 'http://10.0.0.7:5000', browserPort: 9222, vlcPort: 8080 }];
  const environments = { web: { browser: '/opt/mine' }, guest: { hosts } };
  writeFileSync(join(workspace, 'dartboard.json'), JSON.stringify({ environments }));
  const web = await evaluatedSuite(workspace, { suite: 'web', split: 'test' });
  expect(web.config.environments).toMatchObject({ kind: 'web', web: environments.web });
  expect(web.suite.tasks('test')).toContain('press');
  const guest = await evaluatedSuite(workspace, { suite: 'guest', split: 'test' });
  expect(guest.config.environments).toMatchObject({ kind: 'guest', guest: { hosts } });
});

test('a folder with tasks of guests needs no other tasks of guests', async () => {
  const workspace = temporaryFolder('workspace');
  mkdirSync(join(workspace, 'examples'));
  const { dartboard: _, ...task } = TASK;
  writeFileSync(
    join(workspace, 'examples/press.json'),
    JSON.stringify({
      ...task,
      config: [{ type: 'sleep', parameters: { seconds: 0.1 } }],
      evaluator: {
        func: 'exact_match',
        result: { type: 'vm_command_line', command: 'cat done' },
        expected: { type: 'rule', rules: { expected: 'yes' } },
      },
    }),
  );
  const hosts = [{ address: 'http://10.0.0.7:5000', browserPort: 9222, vlcPort: 8080 }];
  const environments = { kind: 'guest', guest: { hosts } };
  writeFileSync(join(workspace, 'dartboard.json'), JSON.stringify({ environments }));
  const { config, wanted } = await evaluatedSuite(workspace, { suite: 'examples', split: 'test' });
  expect(config.environments.kind).toBe('guest');
  expect(wanted).toEqual({ tasks: ['press'] });
});
