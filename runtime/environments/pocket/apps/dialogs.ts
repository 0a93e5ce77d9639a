// A dialog with a short text and buttons: what an application asks before something is lost.

import type { Dialog } from '../shell/app.ts';
import { column, row, space } from '../toolkit/boxes.ts';
import { button, label } from '../toolkit/controls.ts';

export interface Answer {
  readonly name: string;
  readonly choose: () => void;
}

interface QuestionOptions {
  readonly title: string;
  readonly text: string;
  /** From left to right behind 'Cancel'; the last is what Enter means. */
  readonly answers: readonly Answer[];
  readonly cancel: () => void;
  readonly width?: number;
}

export const question = ({ title, text, answers, cancel, width = 160 }: QuestionOptions): Dialog => ({
  title,
  width,
  focus: answers.at(-1)?.name ?? 'Cancel',
  accept: () => (answers.at(-1)?.choose ?? cancel)(),
  dismiss: cancel,
  content: column(
    [
      label(text, { wrap: true }),
      row([
        space(),
        button('Cancel', { press: cancel }),
        ...answers.map(({ name, choose }, index) =>
          button(name, { press: choose, primary: index === answers.length - 1 }),
        ),
      ]),
    ],
    { gap: 8, margin: 7 },
  ),
});
