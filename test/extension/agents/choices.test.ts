import { expect, test } from 'vitest';
import { agentChoices, compactChoice } from '../../../extension/agents/choices.ts';
import {
  agentsOf,
  configuredAgents,
  describeAgent,
  secretsOf,
  withUserAgents,
} from '../../../extension/agents/configured-agents.ts';
import { keyChoices } from '../../../extension/agents/key-choices.ts';
import { GENERIC_MODES, PROFILES } from '../../../extension/agents/profiles.ts';
import { PROFILE_IDS } from '../../../runtime/agents/model/profile.ts';
import { GENERIC as GENERIC_PROFILE } from '../../../runtime/agents/model/profiles/generic.ts';
import { SECRET_NAME } from '../../../runtime/endpoints/keys.ts';

const CONFIG = {
  agents: {
    local: { profile: 'generic', url: 'http://localhost:8000/v1', model: 'm' },
    hosted: {
      ...{ profile: 'qwen3-vl', model: 'q', key: { secret: 'HOSTED' } },
      endpoints: [{ url: 'https://one.example/v1' }, { url: 'https://two.example/v1' }],
    },
    same: { profile: 'qwen3-vl', endpoints: [{ url: 'https://x', model: 'r' }], key: { secret: 'HOSTED' } },
  },
};

test('offers each agent with its model and server', () => {
  const agents = configuredAgents(CONFIG);
  expect(agentChoices(agents).map(({ agent }) => agent)).toEqual(['local', 'hosted', 'same']);
  expect(agents.map(describeAgent)).toEqual([
    'm at http://localhost:8000/v1',
    'q at https://one.example/v1 and 1 more',
    'r at https://x',
  ]);
});

test('the built-in agent has the base weights until a run has weights', () => {
  expect(compactChoice(true)).toMatchObject({ agent: 'compact', label: '$(target) Trained weights' });
  expect(compactChoice(false)).toMatchObject({ agent: 'compact', label: '$(target) Base weights' });
});

test('adds the agents of the user, unless the file has an agent of that name', () => {
  const [local, mine] = [CONFIG.agents.local, { profile: 'generic', url: 'http://mine/v1', model: 'n' }];
  const ofUser = { mine, local: mine };
  const listed = agentsOf({ agents: { local } }, ofUser);
  expect(listed.map(({ name, model, isOfUser }) => [name, model, isOfUser])).toEqual([
    ['local', 'm', undefined],
    ['mine', 'n', true],
  ]);
  // Questions see the same ones.
  expect(
    new Set(configuredAgents(withUserAgents({ agents: { local } }, ofUser)).map(({ name }) => name)),
  ).toEqual(new Set(['local', 'mine']));
  expect(agentChoices(listed).map(({ description }) => description)).toEqual([
    'generic',
    'generic, in your settings',
  ]);
});

test('names each key of the secret storage once, those of learners included', () => {
  expect(secretsOf(configuredAgents(CONFIG))).toEqual(['HOSTED']);
  const learner = { kind: 'tinker', url: 'https://t.example', base: 'b', key: { secret: 'TRAINING' } };
  const agents = { a: CONFIG.agents.same, b: { ...CONFIG.agents.hosted, learner } };
  expect(secretsOf(configuredAgents({ agents }))).toEqual(['HOSTED', 'TRAINING']);
});

test('names who trains each agent', () => {
  const learners = {
    server: { kind: 'tinker', url: 'http://localhost:8000' },
    folder: { kind: 'file', folder: 'rows' },
    here: { kind: 'in-process', weights: 'micro.safetensors' },
    odd: { kind: 'magic' },
    none: undefined,
  };
  const agents = Object.fromEntries(Object.entries(learners).map(([name, learner]) => [name, { learner }]));
  expect(configuredAgents({ agents }).map(({ name, learner }) => [name, learner?.title])).toEqual([
    ['server', 'Tinker server at http://localhost:8000'],
    ['folder', 'folder rows'],
    ['here', 'this machine'],
    ['odd', 'a learner of an unknown kind'],
    ['none', undefined],
  ]);
});

test('reads files that the command line would reject', () => {
  for (const agents of [undefined, null, 3, [], 'x']) expect(configuredAgents({ agents })).toEqual([]);
  expect(configuredAgents({ agents: { a: null, b: { key: { secret: 3 }, endpoints: [null] } } })).toEqual([
    { name: 'a', profile: '', model: '', urls: [] },
    { name: 'b', profile: '', model: '', urls: [] },
  ]);
});

test('knows every profile and every mode of the profile for other models', () => {
  expect(PROFILES.map(({ id }) => id)).toEqual([...PROFILE_IDS]);
  expect(GENERIC_MODES.map(({ mode }) => mode).sort()).toEqual([...GENERIC_PROFILE.modes].sort());
  expect(GENERIC_MODES[0]?.mode).toBe(GENERIC_PROFILE.modes[0]);
});

test('offers no key first for a server of this machine, and the secret storage for others', () => {
  const first = (url: string, stored: readonly string[] = []) => keyChoices(url, 'a', stored)[0]?.source;
  expect(first('http://localhost:8000/v1')).toEqual({ kind: 'none' });
  expect(first('https://api.example.com/v1')).toEqual({ kind: 'new', secret: 'A' });
  expect(first('https://api.example.com/v1', ['B'])).toEqual({ kind: 'stored', secret: 'B' });
});

test('names a new key after its agent, and never overwrites a stored key', () => {
  const name = (agent: string, stored: readonly string[] = []) =>
    keyChoices('https://x', agent, stored).flatMap(({ source }) =>
      source.kind === 'new' ? source.secret : [],
    )[0];
  expect(name('ui-tars.1')).toBe('UI_TARS_1');
  expect(name('a', ['A', 'A_2'])).toBe('A_3');
  expect(name('x'.repeat(64), ['X'.repeat(64)])).toMatch(SECRET_NAME);
});
