// Renders a JUnit XML file: testsuites, testsuite, testcase, as GitLab, Jenkins and the reporters of GitHub Actions read it. Pure.
//
// Laws: the text is well-formed XML for every name and message. The counts of a suite are those of its cases. A case has at most one of
// failure, error and skipped, because the readers use only one.

export interface JunitReport {
  readonly name: string;
  readonly suites: readonly JunitSuite[];
}

type JunitProperties = Readonly<Record<string, string | number | undefined>>;

export interface JunitSuite {
  readonly name: string;
  /** When it began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Values of undefined are left out. */
  readonly properties: JunitProperties;
  readonly cases: readonly JunitCase[];
}

export interface JunitCase {
  /** The readers group by it. */
  readonly className: string;
  readonly name: string;
  /** The sum over its instances; absent if unknown. */
  readonly seconds?: number | undefined;
  readonly properties: JunitProperties;
  readonly result: JunitResult;
}

export type JunitResult =
  | { readonly kind: 'passed' }
  /** `details`: one line for each instance. */
  | {
      readonly kind: 'failure' | 'error';
      readonly message: string;
      readonly type: string;
      readonly details: string;
    }
  | { readonly kind: 'skipped'; readonly message: string };

export function junitXml({ name, suites }: JunitReport): string {
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name, ...countsOf(all) })}>`,
    ...suites.flatMap(suiteLines),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteLines({ name, startedAt, properties, cases }: JunitSuite): readonly string[] {
  const timestamp = new Date(startedAt).toISOString().replace(/\.\d+Z$/, 'Z');
  return [
    `  <testsuite${attributes({ name, ...countsOf(cases), timestamp })}>`,
    ...propertyLines(properties, '    '),
    ...cases.flatMap(caseLines),
    '  </testsuite>',
  ];
}

function caseLines({ className, name, seconds, properties, result }: JunitCase): readonly string[] {
  const time = seconds === undefined ? undefined : inSeconds(seconds);
  return [
    `    <testcase${attributes({ classname: className, name, time })}>`,
    ...propertyLines(properties, '      '),
    ...resultLines(result),
    '    </testcase>',
  ];
}

function resultLines(result: JunitResult): readonly string[] {
  switch (result.kind) {
    case 'passed':
      return [];
    case 'skipped':
      return [`      <skipped${attributes({ message: result.message })}/>`];
    case 'failure':
    case 'error': {
      const { kind, message, type, details } = result;
      return [`      <${kind}${attributes({ message, type })}>${escapeXml(details)}</${kind}>`];
    }
  }
}

/** No element for an empty list: the schema of Jenkins requires a property in it. */
function propertyLines(properties: JunitProperties, indent: string): readonly string[] {
  const lines = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : [`${indent}  <property${attributes({ name, value })}/>`],
  );
  return lines.length === 0 ? [] : [`${indent}<properties>`, ...lines, `${indent}</properties>`];
}

function countsOf(cases: readonly JunitCase[]): Readonly<Record<string, string | number>> {
  const number = (kind: JunitResult['kind']): number =>
    cases.filter(({ result }) => result.kind === kind).length;
  return {
    tests: cases.length,
    failures: number('failure'),
    errors: number('error'),
    skipped: number('skipped'),
    time: inSeconds(cases.reduce((sum, { seconds = 0 }) => sum + seconds, 0)),
  };
}

const inSeconds = (seconds: number): string => seconds.toFixed(3);

const attributes = (values: JunitProperties): string =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');

/** XML 1.0 has no other characters, not even as references. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const REFERENCES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' },
  // A reader turns them into spaces or line feeds.
  ...{
    '\t': '&#9;',
    '\n': '&#10;',
    '\r': '&#13;',
    '\u0085': '&#133;',
    '\u2028': '&#8232;',
    '\u2029': '&#8233;',
  },
};

const escapeXml = (text: string): string =>
  text
    .replace(FORBIDDEN, '\uFFFD')
    .replace(/[&<>"'\t\n\r\u0085\u2028\u2029]/g, character => REFERENCES[character] ?? '');
