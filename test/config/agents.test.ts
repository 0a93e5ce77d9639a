// The section `agents` of dartboard.json: each mistake is an error at its place, and no error prints a key.

import { describe, expect, test } from 'vitest';
import { resolve } from '../../runtime/config/config.ts';
import { settingsFromText } from '../../runtime/config/config-file.ts';
import { printConfig } from '../../runtime/config/print.ts';
import { ConfigError, settingsFromOptions } from '../../runtime/config/settings.ts';

const KEY = 'sk-live-0123456789';
const VLM = { profile: 'ui-tars-1.5', model: 'm', url: 'http://localhost:8000/v1' };

const read = (value: unknown) => settingsFromText(JSON.stringify(value, undefined, 2), 'dartboard.json');
const refused = (value: unknown): string => {
  try {
    resolve(read(value));
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'accepted';
};

test('an agent with one URL, and one with several', () => {
  const agents = {
    'ui-tars': { ...VLM, key: { env: 'MODEL_KEY' }, sampling: { maxTokens: 400 } },
    qwen: {
      profile: 'qwen3-vl',
      mode: 'screenshot',
      endpoints: [
        { url: 'http://a:1/v1', model: 'x' },
        { url: 'http://b:2', model: 'y', restart: { command: 'systemctl', args: ['restart', 'vllm'] } },
      ],
      key: { secret: 'hosted' },
      limits: { concurrency: 4, money: 2.5 },
      prices: { input: 0.1, output: 0.4 },
    },
  };
  const resolved = resolve(read({ agent: 'qwen', agents }));
  expect(resolved.config).toMatchObject({ agent: 'qwen', agents });
  expect(resolved.sources['agents.qwen.limits.money']).toBe('file');
  expect(resolve(settingsFromText(printConfig(resolved), 'again')).config).toEqual(resolved.config);
});

test('without the section, compact plays', () => {
  expect(resolve(read({})).config).toMatchObject({ agent: 'compact', agents: {} });
});

test('the option --agent overrides the file, and an error names it', () => {
  const file = read({ agents: { a: VLM } });
  expect(resolve(file, settingsFromOptions({ agent: 'a' })).config.agent).toBe('a');
  expect(() => resolve(file, settingsFromOptions({ agent: 'b' }))).toThrow(
    "--agent: No agent is named 'b'. The agents are compact, a.",
  );
});

describe('a mistake is an error at its place', () => {
  const { url, ...without } = VLM;
  const { model, ...nameless } = VLM;
  test.each([
    [{ agent: 'b' }, "No agent is named 'b'. The agents are compact."],
    [{ agent: 'constructor' }, "No agent is named 'constructor'. The agents are compact."],
    [{ agents: { compact: VLM } }, "'compact' is the built-in agent"],
    [{ agents: { 'a b': VLM } }, 'The name of an agent has'],
    [{ agents: { a: without } }, "The agent has no server. Add 'url'"],
    [{ agents: { a: nameless } }, "The agent has no model. Add 'model'"],
    [{ agents: { a: { ...VLM, endpoints: [{ url }] } } }, "'url' and 'endpoints' exclude each other"],
    [{ agents: { a: { ...without, endpoints: [{ url }, { url }] } } }, 'Two endpoints have the same URL'],
    [{ agents: { a: { ...without, endpoints: [{ url, restart: {} }] } } }, 'agents.a.endpoints'],
    [{ agents: { a: { ...VLM, profile: 'uitars' } } }, 'must be one of ui-tars-1.5, '],
    [{ agents: { a: { ...VLM, limits: { money: 1 } } } }, "no effect without 'prices'"],
    [{ agents: { a: { ...VLM, samplings: {} } } }, "Did you mean 'agents.a.sampling'?"],
    [{ agents: { a: { ...VLM, sampling: { topP: 0 } } } }, 'above 0 and up to 1, but is 0'],
    [{ agents: { a: 3 } }, 'agents.a must be an object with profile, mode, model, '],
    [{ agents: 3 }, 'agents must be an object with one entry for each agent, but is 3'],
    [{ agents: { a: { ...VLM, url: 'localhost' } } }, 'This URL is invalid'],
  ])('%j', (value, message) => {
    const why = refused(value);
    expect(why).toContain(message);
    expect(why).toMatch(/^dartboard\.json:\d+:\d+: /);
  });
});

describe('a key in the file is refused, with advice and without the key', () => {
  test.each([
    [{ key: KEY }, 'store it in an environment variable or in the secret storage'],
    [{ key: { env: KEY } }, 'the name of an environment variable, not the key itself'],
    [{ key: { secret: KEY } }, 'not the key itself'],
    [{ key: {} }, '{ "env": "VARIABLE" } or { "secret": "NAME" }'],
    [{ key: { env: 'A', secret: 'B' } }, '{ "env": "VARIABLE" } or { "secret": "NAME" }'],
    [{ apiKey: KEY }, "use one of the settings of 'agents.a': profile, mode, model, url, endpoints, key,"],
    [{ url: `http://user:${KEY}@host/v1` }, "use the setting 'key'"],
    [{ url: `http://host/v1?api_key=${KEY}` }, "a key belongs to the setting 'key'"],
    [{ url: `${KEY}` }, 'This URL is invalid'],
    [{ url: [KEY] }, 'agents.a.url must be'],
  ])('%j', (changes, advice) => {
    const why = refused({ agents: { a: { ...VLM, ...changes } } });
    expect(why).toContain(advice);
    expect(why).not.toContain(KEY);
    expect(why).toMatch(/^dartboard\.json:\d+:\d+: /);
  });
});

test('more agents than anybody has are rejected', () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`agent-${index}`, VLM]));
  expect(() => read({ agents: many })).toThrow(/'agents' has 5000 entries/);
});
