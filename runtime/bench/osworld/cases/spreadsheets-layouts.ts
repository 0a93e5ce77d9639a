// Scenarios of compare_table about layout.

import type { Random } from '../../../core/rng.ts';
import { anySheet, type Change, chance, pick, VALUE_CHANGES } from './spreadsheets-data.ts';
import type { BookModel, SheetModel } from './spreadsheets-model.ts';
import { STYLES } from './spreadsheets-model.ts';
import { type RuleModel, type Scenario, sheetPair, subset } from './spreadsheets-scenario.ts';

const onSheet =
  (change: (sheet: SheetModel, random: Random) => void): Change =>
  (book, random) =>
    change(anySheet(book, random), random);

const oneSheet = (book: BookModel, random: Random): RuleModel => ({
  sheet_idx: pick<unknown>(random, [book.focus, `RI${book.focus}`, `RN${book.sheets[book.focus]?.name}`]),
});

// The literals on both sides have the types of the values.
const CONDITIONS: readonly string[] = [
  '<cfRule type="cellIs" dxfId="0" priority="1" operator="greaterThan"><formula>50</formula></cfRule>',
  '<cfRule type="cellIs" dxfId="1" priority="2" operator="between"><formula>10</formula><formula>-5.5</formula></cfRule>',
  '<cfRule type="cellIs" dxfId="0" priority="2" operator="notBetween"><formula>10</formula><formula>100</formula></cfRule>',
  '<cfRule type="cellIs" dxfId="1" priority="3" operator="equal"><formula>"amber"</formula></cfRule>',
  '<cfRule type="cellIs" dxfId="1" priority="3" operator="lessThanOrEqual"><formula>B2</formula></cfRule>',
  '<cfRule type="containsText" dxfId="0" priority="4" operator="containsText" text="er"><formula>NOT(ISERROR(SEARCH("er",A1)))</formula></cfRule>',
  '<cfRule type="beginsWith" dxfId="0" priority="4" operator="beginsWith" text="St"><formula>LEFT(A1,LEN("St"))="St"</formula></cfRule>',
  '<cfRule type="endsWith" dxfId="1" priority="4" operator="endsWith" text="n"><formula>RIGHT(A1,1)="n"</formula></cfRule>',
  '<cfRule type="notContainsText" dxfId="1" priority="4" operator="notContains" text="er"><formula>ISERROR(SEARCH("er",A1))</formula></cfRule>',
  '<cfRule type="expression" dxfId="0" priority="5"><formula>A1&gt;20</formula></cfRule>',
  '<cfRule type="expression" dxfId="1" priority="5"><formula>AND($A1&gt;=0,$A1&lt;60)</formula></cfRule>',
  '<cfRule type="expression" dxfId="1" priority="5"><formula>A1="GREEN"</formula></cfRule>',
  '<cfRule type="expression" dxfId="0" priority="5"><formula>MOD(A1,2)=0</formula></cfRule>',
  '<cfRule type="expression" dxfId="0" priority="5"><formula>A1&gt;B1</formula></cfRule>',
  '<cfRule type="expression" dxfId="0" priority="5"><formula>A1&gt;</formula></cfRule>',
  '<cfRule type="expression" dxfId="1" priority="5"><formula>A1*2&gt;10</formula></cfRule>',
  '<cfRule type="expression" priority="5"><formula>LEN(A1)&gt;4</formula></cfRule>',
  '<cfRule type="colorScale" priority="6"><colorScale><cfvo type="min"/><cfvo type="max"/><color rgb="FFFF0000"/><color rgb="FF00FF00"/></colorScale></cfRule>',
  '<cfRule type="duplicateValues" dxfId="0" priority="7"/>',
];

const addCondition = (sheet: SheetModel, random: Random): void => {
  const range = pick(random, ['A1:C6', 'A2:A9', 'B1:B80 A1', 'C2']);
  const rules = Array.from({ length: 1 + random.int(2) }, () => pick(random, CONDITIONS));
  sheet.conditional.push(`<conditionalFormatting sqref="${range}">${rules.join('')}</conditionalFormatting>`);
};

const STYLE_NAMES = [
  ...['number_format', 'font_name', 'font_family', 'font_bold', 'font_italic', 'font_underline', 'font_size'],
  ...['fill_type', 'bgcolor', 'fgcolor', 'hyperlink', 'merge', 'font_color'],
];

const restyle: Change = onSheet((sheet, random) => {
  const cells = sheet.rows.flat().filter(each => each !== null);
  if (cells.length > 0) pick(random, cells).style = random.int(STYLES.length);
});

const addLink = (sheet: SheetModel, random: Random): void => {
  sheet.links.push({
    cell: pick(random, ['A1', 'B2', 'A9', 'A2:B2']),
    address: pick(random, ['https://example.org/?a=1&b=2', 'Sheet1!A1']),
    isInside: chance(random, 2),
  });
};

const validation = (random: Random): string => {
  const attributes = [
    `sqref="${pick(random, ['A1:A5', 'B2 C1:C4', 'D1'])}"`,
    pick(random, ['allowBlank="1"', 'allowBlank="true"', '']),
    pick(random, ['showErrorMessage="1" errorTitle="No" error="Wrong"', 'errorStyle="warning"', '']),
    pick(random, ['showInputMessage="1" promptTitle="Pick" prompt="Été"', 'showDropDown="false"', '']),
  ].join(' ');
  return pick(random, [
    `<dataValidation type="list" ${attributes}><formula1>"a,b,c"</formula1></dataValidation>`,
    `<dataValidation type="whole" operator="between" ${attributes}><formula1>1</formula1><formula2>9</formula2></dataValidation>`,
    `<dataValidation type="none" ${attributes}/>`,
  ]);
};

const VALIDATION_RULES: readonly RuleModel[] = [
  { ranges: { method: 'eq', ref: 'A1:A5' } },
  { ranges: { method: 'spreadsheet_range', ref: ['A1:A3', 'A1:D9'] } },
  { type: { method: 'eq', ref: 'list' }, formula1: { method: 'str_set_eq', ref: ['c', 'b', 'a'] } },
  { formula1: { method: 'str_list_eq', ref: ['a', 'b', 'c'] } },
  { type: { method: 'ne', ref: null } },
  { allowBlank: { method: 'eq', ref: true } },
  { showErrorMessage: { method: 'eq', ref: 1 }, error: { method: 're', ref: 'rong$' } },
  { operator: { method: 'eq', ref: 'between' }, formula2: { method: 'eq', ref: '9' } },
  { errorStyle: { method: 'eq', ref: null } },
  { prompt: { method: 'eq', ref: 'Été' }, sqref: { method: 'ne', ref: 'D1' } },
];

const FILTERS = [
  '<autoFilter ref="A1:C6"/>',
  '<autoFilter ref="a1:c6"><filterColumn colId="0"><filters><filter val="x"/><filter val="y"/></filters></filterColumn></autoFilter>',
  '<autoFilter ref="A1:C6"><filterColumn colId="0"><filters><filter val="y"/><filter val="x"/></filters></filterColumn></autoFilter>',
  '<autoFilter ref="A1:C6"><filterColumn colId="1" hiddenButton="1"><filters blank="1"><filter val="x"/></filters></filterColumn></autoFilter>',
  '<autoFilter ref="A1:C6"><filterColumn colId="1"><customFilters and="true"><customFilter operator="greaterThan" val="5"/><customFilter operator="lessThan" val="9"/></customFilters></filterColumn><filterColumn colId="0"/></autoFilter>',
  '<autoFilter ref="A1:C6"><filterColumn colId="0" hiddenButton="0" showButton="1"/><filterColumn colId="1"><customFilters and="1"><customFilter operator="lessThan" val="9"/><customFilter operator="greaterThan" val="5"/></customFilters></filterColumn></autoFilter>',
  '<autoFilter ref="A1:C6"><sortState ref="A2:C6"><sortCondition descending="1" ref="B2:B6"/></sortState></autoFilter>',
  '<autoFilter ref="A1:C6"><sortState ref="A2:C6"><sortCondition ref="B2:B6" customList="a,b"/></sortState></autoFilter>',
];

const ROWS = [
  'hidden="1"',
  'hidden="true" ht="20.5"',
  'ht="20.5" customHeight="1"',
  'outlineLevel="1"',
  'collapsed="1" hidden="0"',
  'spans="1:3"',
];
const COLUMNS = [
  'width="20.3" customWidth="1"',
  'width="9" hidden="1"',
  'bestFit="true" width="11.5"',
  'outlineLevel="2" collapsed="1"',
  '',
];

const addColumn = (sheet: SheetModel, random: Random): void => {
  const min = sheet.columnProperties.length * 3 + 1;
  sheet.columnProperties.push(`min="${min}" max="${min + random.int(3)}" ${pick(random, COLUMNS)}`.trim());
};

const setRow = (sheet: SheetModel, random: Random): void => {
  sheet.rowProperties[1 + random.int(5)] = pick(random, ROWS);
};

const zoomMethods = (random: Random): RuleModel =>
  pick<RuleModel>(random, [
    { method: 'lt', ref: 260 },
    { method: 'eq', ref: pick(random, [100, 80, 120]) },
    { method: 'range.te', ref: [80, 120] },
    { method: 'approx:1', ref: 100 },
    { method: 'ge', ref: 100 },
  ]);

export const LAYOUT_SCENARIOS: Readonly<Record<string, Scenario>> = {
  style: {
    weight: 6,
    prepare: (book, random) => {
      const sheet = anySheet(book, random);
      if (chance(random, 2)) for (let index = 0; index < 4; index++) restyle(book, random);
      if (chance(random, 2)) addCondition(sheet, random);
      if (chance(random, 4)) sheet.merged.push(pick(random, ['A2:B3', 'B1:C1', 'A12:B12']));
      if (chance(random, 4)) addLink(sheet, random);
    },
    rule: (book, random) => ({
      type: 'style',
      ...sheetPair(book, random),
      props: subset(random, STYLE_NAMES),
    }),
    changes: [
      restyle,
      restyle,
      onSheet(addCondition),
      onSheet(addLink),
      onSheet(sheet => sheet.merged.pop()),
      ...VALUE_CHANGES.slice(0, 5),
    ],
  },
  freeze: {
    weight: 2,
    prepare: (book, random) => {
      anySheet(book, random).frozen = pick(random, ['B2', 'A3', null]);
    },
    rule: (book, random) => ({ type: 'freeze', ...sheetPair(book, random) }),
    changes: [
      onSheet((sheet, random) => {
        sheet.frozen = pick(random, ['B2', 'C1', null]);
      }),
    ],
  },
  zoom: {
    weight: 2,
    prepare: (book, random) => {
      anySheet(book, random).zoom = pick(random, [80, 100, 120, 260, null]);
    },
    rule: (book, random) => ({ type: 'zoom', ...oneSheet(book, random), ...zoomMethods(random) }),
    changes: [
      onSheet((sheet, random) => {
        sheet.zoom = pick(random, [50, 100, 130, null]);
      }),
    ],
  },
  data_validation: {
    weight: 3,
    prepare: (book, random) => {
      const sheet = book.sheets[book.focus];
      for (let count = pick(random, [0, 0, 1, 2]); count >= 0; count--)
        sheet?.validations.push(validation(random));
    },
    rule: (book, random) => ({
      type: 'data_validation',
      ...oneSheet(book, random),
      dv_props: Array.from({ length: 1 + random.int(2) }, () =>
        chance(random, 2) ? { showInputMessage: { method: 'ne', ref: 'x' } } : pick(random, VALIDATION_RULES),
      ),
    }),
    changes: [
      book => book.sheets[book.focus]?.validations.pop(),
      (book, random) => book.sheets[book.focus]?.validations.push(validation(random)),
    ],
  },
  row_props: {
    weight: 3,
    prepare: (book, random) => {
      for (let count = 0; count < 3; count++) setRow(anySheet(book, random), random);
    },
    rule: (book, random) => ({
      type: 'row_props',
      ...sheetPair(book, random),
      props: subset(random, ['hidden', 'hidden', 'collapsed', 'height', 'outlineLevel', 'customHeight']),
    }),
    changes: [onSheet(setRow)],
  },
  col_props: {
    weight: 3,
    prepare: (book, random) => {
      for (let count = 0; count < 3; count++) addColumn(anySheet(book, random), random);
    },
    rule: (book, random) => ({
      type: 'col_props',
      ...sheetPair(book, random),
      props: subset(random, ['width', 'auto_size', 'hidden', 'collapsed', 'min', 'max', 'outline_level']),
    }),
    changes: [onSheet(addColumn), onSheet(sheet => sheet.columnProperties.pop())],
  },
  filter: {
    weight: 3,
    prepare: (book, random) => {
      for (const sheet of book.sheets) sheet.filter = pick(random, [null, ...FILTERS]);
    },
    rule: (book, random) => ({ type: 'filter', ...sheetPair(book, random) }),
    changes: [
      onSheet((sheet, random) => {
        sheet.filter = pick(random, [null, ...FILTERS]);
      }),
    ],
  },
};
