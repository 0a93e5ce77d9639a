// What is wrong with a reply: no action, a cut, a wrong report, no training.

import type { ReplyDetail } from '../../../runtime/protocol/daemon/reply.ts';
import { make } from '../../shared/dom.ts';
import { plural } from '../../shared/labels.ts';
import { defectLabel, malformedLabel, sentence } from './labels.ts';

export const noticesOf = ({
  malformed,
  finish,
  defects,
  refusal,
  tokens,
}: ReplyDetail): readonly HTMLElement[] => [
  ...(malformed === undefined
    ? []
    : [
        notice('bad', '✗', malformedLabel(malformed), [
          make('p', { text: 'The step did nothing. It counts as a step of the agent.' }),
        ]),
      ]),
  ...(finish === 'length'
    ? [notice('warning', '…', `The server cut the reply at its limit${limitOf(tokens.length)}.`)]
    : []),
  ...(defects.length > 0
    ? [
        notice(
          'warning',
          '!',
          `The report of the server is wrong${refusal === undefined ? '' : ', so RL cannot use this step'}:`,
          [make('ul', {}, ...defects.map(each => make('li', { text: defectLabel(each) })))],
        ),
      ]
    : refusal === undefined
      ? []
      : [notice('warning', '!', `RL cannot use this step: ${sentence(refusal)}`)]),
];

const limitOf = (tokens: number): string => (tokens === 0 ? '' : ` of ${plural(tokens, 'token')}`);

function notice(
  kind: 'bad' | 'warning',
  sign: string,
  text: string,
  more: readonly HTMLElement[] = [],
): HTMLElement {
  const symbol = make('span', { class: 'mark', text: sign });
  symbol.setAttribute('aria-hidden', 'true');
  return make('div', { class: `notice ${kind}` }, symbol, make('div', {}, make('p', { text }), ...more));
}
