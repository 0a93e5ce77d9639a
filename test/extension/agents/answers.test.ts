// The questions accept exactly the values that dartboard.json accepts.

import { expect, test } from 'vitest';
import {
  baseUrl,
  isLocal,
  keyProblem,
  modelProblem,
  nameProblem,
  urlProblem,
  variableProblem,
} from '../../../extension/agents/answers.ts';
import { agents } from '../../../runtime/config/sections/agents.ts';
import { resolveKey } from '../../../runtime/endpoints/keys.ts';

const ENTRY = { profile: 'generic', url: 'http://localhost:8000/v1', model: 'm' };
const accepts = (name: string, changes: object): boolean =>
  agents.safeParse({ [name]: { ...ENTRY, ...changes } }).success;

test.each([
  'ui-tars',
  'a',
  '7b',
  'a.b_c-d',
  'compact',
  '',
  '-a',
  'ui tars',
  'ümlaut',
  'x'.repeat(64),
  'x'.repeat(65),
])("the name '%s'", name => {
  expect(nameProblem(name, []) === undefined).toBe(accepts(name, {}));
});

test('a name is free once', () => {
  expect(nameProblem('ui-tars', ['ui-tars'])).toContain("an agent 'ui-tars'");
});

test.each([
  'http://localhost:8000/v1',
  'https://api.example.com/openai/v1/',
  'http://[::1]:8000',
  'ftp://localhost/v1',
  'localhost:8000',
  'http://',
  'not a url',
  'http://ada:secret@localhost/v1',
  'http://localhost/v1?key=1',
  'http://localhost/v1#a',
  `http://localhost/${'x'.repeat(1000)}`,
])("the URL '%s'", url => {
  expect(urlProblem(url) === undefined).toBe(accepts('a', { url }));
});

test('a URL with a password is not repeated in its error', () => {
  expect(urlProblem('http://ada:hunter2@localhost/v1')).not.toContain('hunter2');
});

test.each(['OPENAI_API_KEY', '_x1', '1x', 'A-B', 'sk-123', ''])("the variable '%s'", env => {
  expect(variableProblem(env) === undefined).toBe(accepts('a', { key: { env } }));
});

test.each(['m', 'Qwen/Qwen2.5-VL-7B-Instruct', '', 'x'.repeat(1001)])("the model '%s'", model => {
  expect(modelProblem(model) === undefined).toBe(accepts('a', { model }));
});

test.each(['sk-123', ' sk-123\n', 'sk 123', 'schlüssel', ''])("the key '%s'", key => {
  const use = () => resolveKey('a', { env: 'KEY' }, { KEY: key });
  if (keyProblem(key) === undefined) expect(use().authorization()).toBe(`Bearer ${key.trim()}`);
  else expect(use).toThrow();
});

test('the address of a route becomes the base', () => {
  const base = 'http://localhost:8000/v1';
  for (const end of ['', '/', '/models', '/chat/completions', '/chat/completions/'])
    expect(baseUrl(`${base}${end}`)).toBe(base);
  expect(baseUrl('http://localhost:8000/')).toBe('http://localhost:8000');
});

test('knows servers of this machine', () => {
  for (const host of ['localhost:8000', '127.0.0.1', '127.0.1.1:1', '[::1]:80'])
    expect(isLocal(`http://${host}/v1`)).toBe(true);
  for (const host of ['api.example.com', '10.0.0.1', '127.example.com'])
    expect(isLocal(`https://${host}/v1`)).toBe(false);
});
