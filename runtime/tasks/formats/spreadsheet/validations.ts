// The rules that limit what can be entered into cells.

import { attribute, child, children, type Element } from '../xml.ts';
import { choice, flag, textAttribute, WorkbookError } from './attributes.ts';
import { type CellRange, parseRanges } from './coordinates.ts';

export interface Validation {
  readonly ranges: readonly CellRange[];
  readonly type: string | null;
  readonly formula1: string | null;
  readonly formula2: string | null;
  readonly operator: string | null;
  readonly allowBlank: boolean;
  readonly showDropDown: boolean;
  readonly showInputMessage: boolean;
  readonly showErrorMessage: boolean;
  readonly error: string | null;
  readonly errorTitle: string | null;
  readonly errorStyle: string | null;
  readonly prompt: string | null;
  readonly promptTitle: string | null;
  readonly imeMode: string | null;
}

const TYPES = ['whole', 'decimal', 'list', 'date', 'time', 'textLength', 'custom'];
const STYLES = ['stop', 'warning', 'information'];
const OPERATORS = [
  ...['between', 'notBetween', 'equal', 'notEqual'],
  ...['lessThan', 'lessThanOrEqual', 'greaterThan', 'greaterThanOrEqual'],
];

export const readValidations = (list: Element | undefined): readonly Validation[] =>
  list === undefined ? [] : children(list, 'dataValidation').map(readValidation);

function readValidation(element: Element): Validation {
  const place = attribute(element, 'sqref') ?? '';
  const ranges = parseRanges(place);
  if (ranges === undefined)
    throw new WorkbookError(`"${place}" is not a list of ranges. Save the file again.`);
  const isOn = (name: string): boolean => flag(attribute(element, name)) ?? false;
  return {
    ranges,
    type: choice(element, 'type', TYPES),
    formula1: formulaOf(element, 'formula1'),
    formula2: formulaOf(element, 'formula2'),
    operator: choice(element, 'operator', OPERATORS),
    allowBlank: isOn('allowBlank'),
    showDropDown: isOn('showDropDown'),
    showInputMessage: isOn('showInputMessage'),
    showErrorMessage: isOn('showErrorMessage'),
    error: textAttribute(element, 'error'),
    errorTitle: textAttribute(element, 'errorTitle'),
    errorStyle: choice(element, 'errorStyle', STYLES),
    prompt: textAttribute(element, 'prompt'),
    promptTitle: textAttribute(element, 'promptTitle'),
    imeMode: textAttribute(element, 'imeMode'),
  };
}

function formulaOf(element: Element, name: string): string | null {
  const text = child(element, name)?.textContent ?? '';
  return text === '' ? null : text;
}
