// `dartboard run --agent` and `dartboard collect --agent` against a model server over HTTP.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SuccessPool } from '../../runtime/data/pool/pool.ts';
import { opened } from '../data/open-stores.ts';
import { agentWorkspace, SOLVED, UNREADABLE } from './agent-context.ts';

test('an attempt prints each turn with thought, action, confidence and cost, and a page with the replies', async () => {
  const { run, folder } = await agentWorkspace();
  const { code, text, errors } = await run('run', 'Please turn night light on.', '--agent', 'toy');
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(text).toContain('agent: toy (tars, profile generic)');
  const lines = text.split('\n').map(line => line.trim());
  const first = lines.findIndex(line => line.startsWith('1  click '));
  expect(lines[first]).toMatch(/^1 {2}click checkbox "Night light"/);
  expect(lines[first + 1]).toBe('I click Night light.');
  expect(lines[first + 2]).toMatch(
    /^\d+ % per token · entropy \d\.\d\d · \d+ ms · [\d,]+ \+ \d+ tokens · cost 0\.0\d+$/,
  );
  expect(text).toContain('2  report the task as done');
  expect(text).toContain('The agent reported the task as done.');
  expect(text).toContain('The task is solved.');
  const attempts = join(folder, '.dartboard/attempts');
  const page = readdirSync(attempts).find(name => name.endsWith('.html')) ?? '';
  expect(text).toContain(page);
  const html = readFileSync(join(attempts, page), 'utf8');
  expect(html.match(/<svg /g)).toHaveLength(3);
  expect(html).toContain('<p class="thought">I click Night light.</p>');
  expect(html).toContain('&quot;action&quot;:&quot;finished&quot;');
});

test('an attempt at a task of the suite is judged, also after an unreadable reply', async () => {
  const { run } = await agentWorkspace({ traits: { logProbabilities: 'none', tokenIds: 'none' } });
  const { code, text } = await run(
    'run',
    'Change the language to German.',
    '--agent',
    'toy',
    '--app',
    'settings',
  );
  expect(code).toBe(0);
  expect(text).toContain('unreadable reply: ');
  expect(text).toContain('do nothing: the reply has no readable action');
  // Nothing is invented for a server without log-probabilities.
  expect(text).not.toContain('per token');
  const judged = await run('run', '--agent', 'toy', '--seed', '1');
  expect(judged.text).toMatch(/The task is (not )?solved\./);
});

test('a stopped attempt shows its turns so far', async () => {
  const { run, stop } = await agentWorkspace({
    between: server => ({
      close: () => undefined,
      send: async request => {
        const reply = await server.send(request);
        if (reply.body.includes('finished')) {
          stop.abort();
          await new Promise(() => undefined);
        }
        return reply;
      },
    }),
  });
  const { code, text } = await run('run', 'Please turn night light on.', '--agent', 'toy');
  expect(code).toBe(0);
  expect(text).toContain('1  click checkbox "Night light"');
  expect(text).toContain('The attempt was stopped.');
});

test('an agent collects successes, which wait for review or enter the pool', async () => {
  const { run, folder } = await agentWorkspace();
  const tasks = ['--tasks', `${SOLVED},${UNREADABLE}`, '--instances', '2', '--rollouts', '2'];
  const { code, text, errors } = await run('collect', '--agent', 'toy', ...tasks);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(text).toMatch(
    /^Agent 'toy' \(tars, profile generic\) at temperature 1: 4 instances of 2 tasks, 8 attempts\./,
  );
  expect(text).toMatch(/\n +total +8 +4 +4 +0\n/);
  expect(text).toContain('They wait for a person to accept them.');
  const accepted = await run('collect', '--agent', 'toy', ...tasks, '--accept');
  expect(accepted.text).toMatch(/\n +total +8 +4 +4 +4\n/);
  const { store } = await opened({ root: join(folder, '.dartboard/runs') });
  expect(await new SuccessPool(store).sizes()).toEqual(new Map([[SOLVED, 4]]));
});

test('options without effect are errors', async () => {
  const { run } = await agentWorkspace();
  expect((await run('run', 'x', '--agent', 'toy', '--weights', 'w')).errors).toContain(
    '--weights w has no effect',
  );
  expect((await run('run', 'x', '--agent', 'tay')).errors).toContain("No agent is called 'tay'");
  expect((await run('collect', '--parallel', '3')).errors).toContain(
    '--parallel 3 has no effect without --agent',
  );
  expect((await run('collect', '--agent', 'toy', '--from', 'w')).errors).toContain('--from w has no effect');
});
