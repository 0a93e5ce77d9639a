// The questions and results of the commands that import and export trajectories.

import { expect, test } from 'vitest';
import {
  exportResult,
  FORMAT_CHOICES,
  importResult,
  scopeChoices,
  stepChoices,
} from '../../../extension/exchange/questions.ts';
import {
  EXPORT_FORMATS,
  type ExportReport,
  type ImportReport,
} from '../../../runtime/protocol/daemon/exchange.ts';
import { request } from '../../../runtime/protocol/daemon/messages.ts';

test('each format is offered once, with a title and a description', () => {
  expect(FORMAT_CHOICES.map(({ answer }) => answer)).toEqual([...EXPORT_FORMATS]);
  for (const { label, detail } of FORMAT_CHOICES) expect(`${label} ${detail}`).toMatch(/^\S.+\.$/);
});

test.each([
  [{ trajectory: 't-1' }, [{ trajectories: ['t-1'] }]],
  [{ run: 'run-1' }, [{ runs: ['run-1'], only: 'successes' }, { runs: ['run-1'] }]],
  [{}, [{ only: 'successes' }, {}]],
])('on %j each answer is a request that the daemon accepts', (target, answers) => {
  const choices = scopeChoices(target);
  expect(choices.map(({ answer }) => answer)).toEqual(answers);
  for (const { answer } of choices)
    for (const format of EXPORT_FORMATS)
      expect(() =>
        request.parse({ id: 1, method: 'trajectories.export', params: { format, out: '/x', ...answer } }),
      ).not.toThrow();
});

test.each(EXPORT_FORMATS)(
  'on %s there is a choice of steps where both make sense, first the part to learn from',
  format => {
    const answers = stepChoices(format).map(({ answer }) => answer);
    expect(answers).toEqual(format === 'osworld' ? [{ whole: true }] : [{}, { whole: true }]);
    for (const answer of answers)
      expect(() =>
        request.parse({ id: 1, method: 'trajectories.export', params: { format, out: '/x', ...answer } }),
      ).not.toThrow();
  },
);

const imported: ImportReport['trajectories'][number] = {
  ...{ trajectory: 'imported-1', format: 'dart', file: 'a.json', task: 't', instruction: 'i', steps: 3 },
  ...{ pictures: 0, unreadable: 0, outcome: 'broken', isKnown: false },
  notes: ["The picture 'x.png' is missing."],
  untrained: 'It has no score.',
};

test('the result of an import names what is new, known, skipped and not for training', () => {
  const result = importResult({
    ...{
      source: '/data',
      counts: { stored: 1, known: 2, skipped: 1, steps: 9, unreadable: 0 },
      trajectories: [imported],
    },
    skipped: [{ file: 'b.json', why: 'It is no JSON. Repair it.' }],
  });
  expect(result).toEqual({
    text: "1 trajectory imported from '/data'. 2 were imported before. 1 file skipped: the log has the reasons. 1 cannot train here: the log has the reasons.",
    details: [
      'Skipped: b.json. It is no JSON. Repair it.',
      "Incomplete: a.json. The picture 'x.png' is missing.",
      "Not for training: imported-1 (task 't'). It has no score.",
    ],
    isIncomplete: true,
  });
});

test('the result of an export names the folder, the format and the examples', () => {
  const report: ExportReport = {
    format: 'llama-factory',
    folder: '/out',
    ...{ counts: { trajectories: 2, trimmed: 1, examples: 9, skipped: 0 }, skipped: [] },
  };
  expect(exportResult(report)).toEqual({
    ...{
      text: "2 trajectories exported to '/out' as LLaMA-Factory messages, 9 examples. 1 of them has only the part to learn from.",
      details: [],
    },
    isIncomplete: false,
  });
});
