// A language model for the profile `generic` in the mode `a11y_tree`: on its first turn it clicks the element with the longest name that
// occurs in the task, then it reports the end. Its reply to a task without such an element is unreadable.

import { textOf } from './chat-input.ts';
import { countingModel, type LanguageModel } from './model-server.ts';

export const clickingModel: LanguageModel = input => {
  const text = textOf(input);
  const task = /^Task: (.*)$/m.exec(text)?.[1]?.toLowerCase();
  if (task === undefined) return countingModel(input);
  if (!text.includes('Earlier actions:\nnone')) return 'It is done. {"action":"finished","answer":""}';
  const [longest] = [...text.matchAll(/^(\d+)\. (\S+) "([^"]{4,})"/gm)]
    .map(([, number = '', role, name = '']) => ({ number, role, name }))
    .filter(({ role, name }) => role !== 'window' && task.includes(name.toLowerCase()))
    .sort((a, b) => b.name.length - a.name.length);
  return longest === undefined
    ? 'I see nothing of that name.'
    : `I click ${longest.name}. {"action":"click","element":${longest.number}}`;
};
