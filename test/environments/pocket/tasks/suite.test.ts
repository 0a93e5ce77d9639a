// Suites: added templates, and errors about ids.

import { expect, test } from 'vitest';
import { seed } from '../../../../runtime/core/ids.ts';
import { templateFromFile } from '../../../../runtime/environments/pocket/tasks/from-folder.ts';
import { POCKET, suiteOf } from '../../../../runtime/environments/pocket/tasks/suite.ts';
import { EXAMPLE } from './guide.ts';

const added = (id: string, file: string) => templateFromFile({ ...JSON.parse(EXAMPLE), id }, file);

test('an added template is listed in its split and tier', () => {
  const suite = suiteOf([...POCKET.templates, added('quieter-alerts', 'mine.json')]);
  expect(suite.tasks('train')).toEqual([...POCKET.tasks('train'), 'quieter-alerts']);
  expect(suite.tasks('test', 2)).toContain('quieter-alerts');
  expect(suite.tasks('test', 1)).not.toContain('quieter-alerts');
  expect(suite.tasks('unseen')).toEqual(POCKET.tasks('unseen'));
  expect(suite.task('quieter-alerts', suite.seed('test', 0)).dartboard).toMatchObject({ split: 'test' });
  expect(POCKET.tasks('train')).not.toContain('quieter-alerts');
});

test('an unknown id is an error with that id', () => {
  const calls = [
    () => POCKET.template('fly'),
    () => POCKET.task('fly', seed(0)),
    () => POCKET.instance('fly', 0),
  ];
  for (const call of calls) expect(call).toThrow("'fly'");
});

test('two templates with one id are an error that names both sources', () => {
  const [one, other] = [added('same', 'one.json'), added('same', 'other.json')];
  expect(() => suiteOf([one, other])).toThrow("'same', one from one.json, one from other.json");
  const builtIn = added('settings-theme', 'mine.json');
  expect(() => suiteOf([...POCKET.templates, builtIn])).toThrow(
    "'settings-theme', one from the pocket suite, one from mine.json",
  );
});
