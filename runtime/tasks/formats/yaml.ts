// Reads YAML as PyYAML's safe loader does: YAML 1.1, in which `yes` is true, `012` is 10 and `1:30` is 90.

import type { ScalarTag } from 'yaml';
import { onFirstUse } from './on-first-use.ts';

const library = onFirstUse<typeof import('yaml')>('yaml');

export class YamlError extends Error {
  override readonly name = 'YamlError';
}

const plain = (text: string): string => text.replaceAll('_', '');

/** Numbers such as 1:30:00, to the base of 60. */
const sexagesimal = (text: string): number =>
  text
    .replace(/^[+-]/, '')
    .split(':')
    .reduce((total, digits) => total * 60 + Number(digits), 0) * (text.startsWith('-') ? -1 : 1);

function readInt(text: string): number {
  const digits = plain(text).replace(/^[+-]/, '');
  if (digits.includes(':')) return sexagesimal(plain(text));
  const magnitude = /^0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  return text.startsWith('-') ? -magnitude : magnitude;
}

function readFloat(text: string): number {
  const digits = plain(text).toLowerCase();
  if (digits.endsWith('nan')) return Number.NaN;
  if (digits.endsWith('inf')) return digits.startsWith('-') ? -Infinity : Infinity;
  return digits.includes(':') ? sexagesimal(digits) : Number(digits);
}

const tag = (name: string, test: RegExp, resolve: (text: string) => unknown): ScalarTag => ({
  tag: `tag:yaml.org,2002:${name}`,
  default: true,
  test,
  resolve,
});

const TAGS: readonly ScalarTag[] = [
  tag('null', /^(?:~|null|Null|NULL)?$/, () => null),
  tag('bool', /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/, text =>
    /^(?:yes|true|on)$/i.test(text),
  ),
  tag('int', /^[-+]?(?:0b[01_]+|0[0-7_]+|0|[1-9][\d_]*|0x[\da-fA-F_]+|[1-9][\d_]*(?::[0-5]?\d)+)$/, readInt),
  tag(
    'float',
    /^(?:[-+]?\d[\d_]*\.[\d_]*(?:[eE][-+]\d+)?|\.\d[\d_]*(?:[eE][-+]\d+)?|[-+]?\d[\d_]*(?::[0-5]?\d)+\.[\d_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
    readFloat,
  ),
  tag(
    'timestamp',
    /^\d{4}-\d\d-\d\d$|^\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?$/,
    text => new Date(text),
  ),
];

/** The one value of a text. */
export function readYaml(text: string): unknown {
  const document = library().parseDocument(text, {
    version: '1.1',
    schema: 'failsafe',
    customTags: [...TAGS],
    merge: true,
    uniqueKeys: false,
  });
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem !== undefined) throw new YamlError('The text is not YAML.', { cause: problem });
  try {
    return document.toJS({ maxAliasCount: 100 }) ?? undefined;
  } catch (error) {
    throw new YamlError('The text has too many aliases, or one of an unknown anchor.', { cause: error });
  }
}
