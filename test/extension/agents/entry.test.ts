import { expect, test } from 'vitest';
import { placedAgents, withAgent } from '../../../extension/agents/entry.ts';
import { parseConfigFile } from '../../../extension/config-file.ts';
import { parseConfig } from '../../../runtime/config/config.ts';

const ENTRY = {
  ...{ profile: 'ui-tars-1.5', url: 'http://localhost:8000/v1', model: 'ui-tars-1.5-7b' },
  key: { secret: 'UI_TARS' },
};

test('adds an entry to an empty or missing file', () => {
  expect(withAgent('', 'ui-tars', ENTRY)).toBe(`{
  "agents": {
    "ui-tars": {
      "profile": "ui-tars-1.5",
      "url": "http://localhost:8000/v1",
      "model": "ui-tars-1.5-7b",
      "key": {
        "secret": "UI_TARS"
      }
    }
  }
}
`);
});

test('keeps every character of the user, whatever the indentation and the line ends', () => {
  for (const indent of ['\t', '  ', '    '])
    for (const eol of ['\n', '\r\n']) {
      const lines = ['{', `${indent}"minutes" : 5,`, `${indent}"suite": { "tiers": [ 1,2 ] }`, '}', ''];
      const text = withAgent(lines.join(eol), 'ui-tars', ENTRY);
      const [open, minutes, suite] = lines;
      expect(text.startsWith([open, minutes, suite].join(eol))).toBe(true);
      expect(text).toContain(`${eol}${indent}"agents": {${eol}${indent}${indent}"ui-tars": {`);
      expect(text.replaceAll(eol, '').includes('\n')).toBe(false);
      expect(parseConfigFile(text)).toMatchObject({ minutes: 5, agents: { 'ui-tars': ENTRY } });
    }
});

test('adds a line end to a file in one line', () => {
  expect(
    withAgent('{"minutes":5, "agents": {} }', 'a', { profile: 'generic', url: 'u', model: 'm' }),
  ).toBe(`{"minutes":5, "agents": {
  "a": {
    "profile": "generic",
    "url": "u",
    "model": "m"
  }
} }`);
  expect(withAgent('{"minutes":5}', 'a', { profile: 'generic', url: 'u', model: 'm' })).toMatch(
    /^\{"minutes":5,\n {2}"agents": \{\n {4}"a": \{\n.*\n {4}\}\n {2}\}\n\}$/s,
  );
});

test('adds a second agent, and the whole is a valid configuration', () => {
  const text = withAgent(withAgent('{"minutes":5}', 'one', ENTRY), 'two', ENTRY);
  expect(Object.keys(parseConfig(parseConfigFile(text)).agents)).toEqual(['one', 'two']);
});

test('refuses a file that it cannot edit, with the line and what to do', () => {
  expect(() => withAgent('{\n  "minutes": ,\n}', 'a', ENTRY)).toThrow(
    /not valid JSON in line 2 .*Correct the file/,
  );
  expect(() => withAgent('[]', 'a', ENTRY)).toThrow(/Its content is not an object/);
  expect(() => withAgent('{"agents": null}', 'a', ENTRY)).toThrow(/'agents' is not an object/);
});

test('finds the agents of a file, also while the user edits it', () => {
  const text = withAgent(withAgent('', 'one', ENTRY), 'two', { ...ENTRY, key: { env: 'KEY' } });
  const expected = ['one', 'two'].map(name => text.indexOf(`"${name}"`));
  for (const version of [text, text.slice(0, text.lastIndexOf('}'))]) {
    const placed = placedAgents(version);
    expect(placed.map(({ offset }) => offset)).toEqual(expected);
    expect(placed.map(({ agent }) => [agent.name, agent.secret])).toEqual([
      ['one', 'UI_TARS'],
      ['two', undefined],
    ]);
  }
  for (const other of ['', '[]', '{"agents": 3}', '{"agents": {"a": 3}}'])
    expect(placedAgents(other).filter(({ agent }) => agent.model !== '')).toEqual([]);
});
