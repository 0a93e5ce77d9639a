// `dartboard endpoint check` against a double that listens on this machine: which agent it checks, what it prints, and its exit code.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentToCheck } from '../../../runtime/cli/endpoint/checked-agent.ts';
import { runProgram } from '../../../runtime/cli/program.ts';
import { parseConfig } from '../../../runtime/config/config.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { listen } from '../../doubles/openai/listen.ts';
import { type LanguageModel, ModelServer } from '../../doubles/openai/model-server.ts';
import { pointingModel } from '../../doubles/openai/pointing.ts';
import { HOSTED, type ServerTraits, VLLM } from '../../doubles/openai/traits.ts';
import { passUntil } from '../../pass-until.ts';
import { contextWithoutProcesses } from '../command-context.ts';

const GENERIC = pointingModel({ grammar: 'generic', frame: 'seen' });

const served = (traits: ServerTraits = VLLM, model: LanguageModel = GENERIC): Promise<string> =>
  listen(new ModelServer({ traits, clock: systemClock, model }));

interface Invocation {
  readonly args: readonly string[];
  readonly agents?: object;
  readonly environment?: Readonly<Record<string, string>>;
  readonly stop?: AbortSignal;
  readonly clock?: VirtualClock;
}

async function check({ args, agents, environment = {}, stop, clock }: Invocation) {
  const { context, output, errors } = contextWithoutProcesses();
  if (agents !== undefined) writeFileSync(join(context.folder, 'dartboard.json'), JSON.stringify({ agents }));
  const changed = {
    ...{ ...context, environment, clock: clock ?? context.clock },
    ...(stop !== undefined && { stopSignal: () => stop }),
  };
  // The command sets the exit code of the process.
  const before = process.exitCode;
  process.exitCode = 0;
  const code = await runProgram(changed, ['endpoint', 'check', ...args]);
  process.exitCode = before;
  return { code, text: output.text, errors: errors.join('\n') };
}

const LIST = ['--profile', 'generic', '--mode', 'a11y_tree'];

describe('an address', () => {
  test('is checked with the only model of its server, and the report ends with its uses', async () => {
    const { code, text, errors } = await check({ args: [await served(), ...LIST] });
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(text).toMatch(/^ {2}endpoint {2}tars at http:\/\/127\.0\.0\.1:\d+\/v1$/m);
    expect(text).toMatch(/^ {2}ok {2}Choices +12 of 12 choices of a listed element are right$/m);
    expect(text).toMatch(/^ {2}100 elements +4 of 4$/m);
    expect(text.trimEnd().split('\n').at(-1)).toBe(
      '  Usable for evaluation, annotation, fine-tuning and training.',
    );
  });

  test('of a server that cannot train has the reasons before the uses', async () => {
    const { code, text } = await check({ args: [await served(HOSTED), ...LIST] });
    expect(code).toBe(0);
    expect(text).toMatch(/Training needs more:\n {2}→ The server does not report the token ids/);
    expect(text).toMatch(/ {2}Usable for evaluation, annotation and fine-tuning, not for training\.\n/);
  });

  test('that is not usable has the exit code 1', async () => {
    const { code, text } = await check({ args: [await served(VLLM, () => 'Hm.'), ...LIST] });
    expect(code).toBe(1);
    expect(text).toMatch(/^ {2}problem {2}Format .* finds no action in 12 of 12$/m);
    expect(text).toMatch(/Not usable for .*Correct the\n {2}problem above\.$/m);
  });

  test('without a server has the exit code 1', async () => {
    const clock = new VirtualClock();
    let isOver = false;
    const work = check({ args: ['http://127.0.0.1:9/v1', '--model', 'tars', ...LIST], clock }).finally(() => {
      isOver = true;
    });
    // Between the attempts.
    await passUntil(clock, () => isOver);
    const { code, text } = await work;
    expect(code).toBe(1);
    expect(text).toMatch(/problem {2}Connection .*\n +ECONNREFUSED/);
    expect(text).toMatch(/→ Start the server, or correct the URL\./);
  });

  test('with several models needs a name', async () => {
    const several = await served({ ...VLLM, names: ['tars'], adapters: ['run-v1'], kind: 'unknown' });
    expect((await check({ args: [several, ...LIST] })).code).toBe(0);
    const hosted = await listen(
      new ModelServer({ traits: { ...HOSTED, names: ['a', 'b'] }, clock: systemClock }),
    );
    const { code, errors } = await check({ args: [hosted, ...LIST] });
    expect(code).toBe(1);
    expect(errors).toMatch(/lists 2 models: 'a', 'b'\. Name one with --model\./);
  });

  test('can have a key', async () => {
    const url = await served({ ...VLLM, key: 'sk-1' });
    const args = [url, ...LIST, '--key-env', 'LAB_KEY'];
    expect((await check({ args, environment: { LAB_KEY: 'sk-1' } })).code).toBe(0);
    expect((await check({ args })).errors).toMatch(/LAB_KEY is not set/);
  });

  test.each([
    [['not a url', '--model', 'm'], /the URL: This URL is invalid/],
    [['http://a/v1', '--agent', 'lab'], /Both the URL and --agent 'lab'/],
    [
      ['http://a/v1', '--model', 'm', '--profile', 'ui-tars-1.5', '--mode', 'a11y_tree'],
      /does not support\. Set 'mode' to 'screenshot'/,
    ],
    [['http://a/v1', '--profile', 'tars'], /Allowed choices are ui-tars-1\.5/],
  ])('with the options %j is an error', async (args, message) => {
    const { code, errors } = await check({ args });
    expect(code).toBe(1);
    expect(errors).toMatch(message);
  });
});

test('--json prints the reports, and whether all are usable', async () => {
  const { code, text } = await check({ args: [await served(), ...LIST, '--json'] });
  expect(code).toBe(0);
  expect(JSON.parse(text)).toMatchObject({
    ok: true,
    reports: [
      { model: 'tars', capabilities: { server: { kind: 'vllm' } }, uses: { training: { allowed: true } } },
    ],
  });
});

test('Ctrl-C ends the check', async () => {
  const stop = new AbortController();
  const url = await served(VLLM, input => {
    stop.abort();
    return GENERIC(input);
  });
  const { code, errors } = await check({ args: [url, ...LIST], stop: stop.signal });
  expect({ code, errors }).toEqual({ code: 1, errors: 'Stopped before the check was complete.' });
});

describe('an agent of dartboard.json', () => {
  const agent = (url: string) => ({ url, model: 'tars', profile: 'generic', mode: 'a11y_tree' });

  test('is checked if it is the only one', async () => {
    const { code, text } = await check({ args: [], agents: { lab: agent(await served()) } });
    expect(code).toBe(0);
    expect(text).toMatch(/^ {2}lab {2}tars at /m);
  });

  test('is named if there are several, and options override it', async () => {
    const agents = { lab: agent('http://127.0.0.1:9/v1'), den: { ...agent(await served()), model: 'wrong' } };
    const { code, text } = await check({ args: ['--agent', 'den', '--model', 'tars'], agents });
    expect(code).toBe(0);
    expect(text).toMatch(/^ {2}den {2}tars at /m);
    expect((await check({ args: [], agents })).errors).toBe(
      'dartboard.json has 2 agents: lab, den. Name one with --agent.',
    );
    expect((await check({ args: ['--agent', 'x'], agents })).errors).toMatch(
      /no agent 'x'\. Its agents are lab, den/,
    );
  });

  test('is checked under the name of the command line, also on a server with a name of its own', () => {
    const agents = parseConfig({
      agents: { tars: { profile: 'generic', endpoints: [{ url: 'http://a/v1', model: 'own' }] } },
    }).agents;
    const named = agentToCheck(agents, { model: 'other' }).settings;
    expect(named).toMatchObject({ model: 'other', endpoints: [{ url: 'http://a/v1' }] });
    expect(named.endpoints?.[0]?.model).toBeUndefined();
    expect(agentToCheck(agents, {}).settings.endpoints?.[0]?.model).toBe('own');
  });

  test('is missing without an agent', async () => {
    expect((await check({ args: [] })).errors).toMatch(
      /^dartboard\.json has no agent to check\. Give the base URL/,
    );
    expect((await check({ args: ['--agent', 'lab'] })).errors).toMatch(/no agent 'lab'\. It has none\./);
  });
});
