import { expect, test } from 'vitest';
import { COMMANDS } from '../../../extension/commands.ts';
import { inspectorLink, terminalText } from '../../../extension/testing/links.ts';

test('a link opens the Inspector at the step, and no id can break out of it', () => {
  const trajectory = 'evaluate-1.2 )"](command:x)';
  const link = inspectorLink({ trajectory, step: 6 });
  const [, title, command, argument = ''] = /^\[([^\]]*)\]\(command:([\w.]+)\?([^)\s]*)\)$/.exec(link) ?? [];
  expect({ title, command }).toEqual({ title: 'Open step 7', command: COMMANDS.openTrajectories });
  expect(JSON.parse(decodeURIComponent(argument))).toEqual([{ trajectory, step: 6 }]);
});

test('output has no control characters besides the end of its line', () => {
  expect(terminalText('a\u001b[31m\nb\u0007')).toBe('a [31m b \r\n');
});
