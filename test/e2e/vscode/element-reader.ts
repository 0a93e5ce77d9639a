// The model of the end-to-end test: reads the prompt of the profile `generic`, clicks the element that the task names, then finishes.

import { countingModel, type LanguageModel } from '../../doubles/openai/model-server.ts';

export const elementReader: LanguageModel = input => {
  const text = input.messages.at(-1)?.text ?? '';
  const task = /^Task: (.*)$/m.exec(text)?.[1]?.toLowerCase();
  if (task === undefined) return countingModel(input);
  if (!/^Earlier actions:\nnone$/m.test(text))
    return JSON.stringify({ thought: 'The setting has changed.', action: 'finished' });
  const [named] = [...text.matchAll(/^(\d+)\. (?:radio|checkbox|button) "(.*?)"/gm)]
    .map(([, number, name = '']) => ({ number: Number(number), name }))
    .filter(({ name }) => task.includes(name.toLowerCase()))
    .sort((one, other) => other.name.length - one.name.length);
  if (named === undefined)
    return JSON.stringify({ thought: 'No element fits the task.', action: 'fail', reason: 'not found' });
  return JSON.stringify({
    ...{ thought: `The task names ${named.name}, so I click it.`, action: 'click', element: named.number },
  });
};
