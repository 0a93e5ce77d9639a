// The report of a check for a terminal. Pure.

import type { ClickRow, EndpointReport } from '../../endpoint-check/report.ts';
import { SIDES } from '../../endpoint-check/screens.ts';
import { type AgentUse, USES, usesOf } from '../../endpoints/capabilities.ts';
import { arrowLines, findingRows } from '../terminal/finding-rows.ts';
import { faint, plain, type StyledLine, strong } from '../terminal/line.ts';
import { type TableColumn, table } from '../terminal/table.ts';
import { wrapped } from '../terminal/wrap.ts';

export function reportLines(report: EndpointReport, width: number): readonly StyledLine[] {
  const { name, url, model, profile, mode, findings, clicks } = report;
  return [
    [],
    [strong(name), plain(`  ${model} at ${url}`)],
    [faint(`profile ${profile}, mode ${mode}`)],
    [],
    ...findingRows(findings, width),
    [],
    ...(clicks.length === 0 ? [] : [...table(columnsOf(clicks), clicks, width), []]),
    ...refusedLines(report, width),
    ...verdictLines(report, width),
    [],
  ];
}

function columnsOf(rows: readonly ClickRow[]): readonly TableColumn<ClickRow>[] {
  const hasImages = rows.some(({ sent }) => sent !== undefined);
  const number = (title: string, text: (row: ClickRow) => string): TableColumn<ClickRow> => ({
    ...{ title, cell: row => [plain(text(row))], isNumber: true },
  });
  if (!hasImages)
    return [
      { title: 'list', cell: ({ group }) => [plain(group)] },
      number('right', ({ landed, targets }) => `${landed} of ${targets}`),
    ];
  return [
    { title: 'screen', cell: ({ group }) => [plain(group)] },
    { title: 'sent as', cell: ({ sent = '' }) => [faint(sent)] },
    ...SIDES.map(side =>
      number(`${side} px`, ({ bySide }) => {
        const own = bySide.find(each => each.side === side);
        return own === undefined ? '' : `${own.landed} of ${own.targets}`;
      }),
    ),
    number('off by', ({ distance }) => (distance === undefined ? '–' : `${distance} px`)),
  ];
}

/** The reasons against training that do not apply to evaluation. The rows of findings name the uses that they exclude. */
function refusedLines({ capabilities, mode, uses }: EndpointReport, width: number): readonly StyledLine[] {
  if (capabilities === undefined || uses.training.allowed) return [];
  const { evaluation, training } = usesOf(capabilities, { images: mode !== 'a11y_tree' });
  const reasons = training.reasons.filter(reason => !evaluation.reasons.includes(reason));
  if (reasons.length === 0) return [];
  return [[plain('Training needs more:')], ...reasons.flatMap(reason => arrowLines(reason, width)), []];
}

function verdictLines({ uses, findings }: EndpointReport, width: number): readonly StyledLine[] {
  const allowed = USES.filter(use => uses[use].allowed);
  const refused = USES.filter(use => !uses[use].allowed);
  const tone = uses.evaluation.allowed ? 'good' : 'poor';
  const remedy = findings.some(({ state }) => state === 'problem') ? ' Correct the problem above.' : '';
  const textOf = (): string => {
    if (refused.length === 0) return `Usable for ${listed(allowed, 'and')}.`;
    if (allowed.length === 0) return `Not usable for ${listed(refused, 'or')}.${remedy}`;
    return `Usable for ${listed(allowed, 'and')}, not for ${listed(refused, 'or')}.${remedy}`;
  };
  return wrapped(textOf(), width).map(text => [{ text, tone }]);
}

const listed = (uses: readonly AgentUse[], conjunction: 'and' | 'or'): string => {
  const last = uses.at(-1) ?? '';
  return uses.length < 2 ? last : `${uses.slice(0, -1).join(', ')} ${conjunction} ${last}`;
};
