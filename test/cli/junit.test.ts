// The JUnit file, read by an XML parser.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JunitCase, type JunitReport, type JunitResult, junitXml } from '../../runtime/cli/junit.ts';
import { child, children, type Element, parseXml, rootOf } from '../../runtime/tasks/formats/xml.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '<b>&amp;"\'',
    ']]>',
    '<!-- -->',
    '\u0000\u001b[31m',
    'a\r\nb\tc\n',
    '\uD800x',
    '\uFFFE',
    'a\u0085b\u2028c',
    '𝄞',
  ),
);
const result: fc.Arbitrary<JunitResult> = fc.oneof(
  fc.constant({ kind: 'passed' } as const),
  fc.record({
    kind: fc.constantFrom('failure', 'error'),
    message: text,
    type: text,
    details: text,
  }),
  fc.record({ kind: fc.constant('skipped' as const), message: text }),
);
const properties = fc.dictionary(text, fc.oneof(text, fc.integer(), fc.constant(undefined)), { maxKeys: 3 });
const cases: fc.Arbitrary<JunitCase> = fc.record(
  {
    ...{ className: text, name: text, properties, result },
    seconds: fc.double({ min: 0, max: 1e6, noNaN: true }),
  },
  { requiredKeys: ['className', 'name', 'properties', 'result'] },
);
const report: fc.Arbitrary<JunitReport> = fc.record({
  name: text,
  suites: fc.array(
    fc.record({
      ...{ name: text, properties },
      startedAt: fc.integer({ min: 0, max: 4e12 }),
      cases: fc.array(cases, { maxLength: 5 }),
    }),
    { maxLength: 4 },
  ),
});

/** What a parser returns for a text with characters that XML does not have. */
const readable = (written: string): string =>
  [...written]
    .map(character =>
      /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]$/u.test(character) ? character : '\uFFFD',
    )
    .join('');

const attribute = (element: Element, name: string): string | null => element.getAttribute(name);
const counts = (element: Element): readonly number[] =>
  ['tests', 'failures', 'errors', 'skipped'].map(name => Number(attribute(element, name)));
const countsOf = (all: readonly JunitCase[]): readonly number[] => [
  all.length,
  ...(['failure', 'error', 'skipped'] as const).map(
    kind => all.filter(each => each.result.kind === kind).length,
  ),
];
const valuesOf = (element: Element): readonly (readonly (string | null)[])[] =>
  children(child(element, 'properties') ?? element, 'property').map(each => [
    attribute(each, 'name'),
    attribute(each, 'value'),
  ]);
const written = (values: JunitCase['properties']): readonly (readonly string[])[] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[readable(name), readable(String(value))]],
  );

test('a parser reads every name, message and property back, and the counts are those of the cases', () => {
  fc.assert(
    fc.property(report, each => {
      const root = rootOf(parseXml(junitXml(each)));
      expect(root.tagName).toBe('testsuites');
      expect(attribute(root, 'name')).toBe(readable(each.name));
      expect(counts(root)).toEqual(countsOf(each.suites.flatMap(suite => suite.cases)));
      const suites = children(root);
      expect(suites).toHaveLength(each.suites.length);
      for (const [at, suite] of suites.entries()) {
        const expected = each.suites[at];
        if (expected === undefined) throw new Error('A suite too many.');
        expect(suite.tagName).toBe('testsuite');
        expect(attribute(suite, 'name')).toBe(readable(expected.name));
        expect(counts(suite)).toEqual(countsOf(expected.cases));
        expect(valuesOf(suite)).toEqual(written(expected.properties));
        expect(Date.parse(attribute(suite, 'timestamp') ?? '')).toBe(
          1000 * Math.floor(expected.startedAt / 1000),
        );
        expectCases(children(suite, 'testcase'), expected.cases);
      }
    }),
    { numRuns: 300 },
  );
});

function expectCases(found: readonly Element[], expected: readonly JunitCase[]): void {
  expect(found.map(each => [attribute(each, 'classname'), attribute(each, 'name')])).toEqual(
    expected.map(({ className, name }) => [readable(className), readable(name)]),
  );
  for (const [at, element] of found.entries()) {
    const { result, properties = {}, seconds } = expected[at] ?? {};
    expect(valuesOf(element)).toEqual(written(properties));
    expect(attribute(element, 'time')).toBe(seconds === undefined ? null : seconds.toFixed(3));
    const [outcome, ...more] = children(element).filter(({ tagName }) => tagName !== 'properties');
    expect(more).toEqual([]);
    expect(outcome?.tagName ?? 'passed').toBe(result?.kind);
    if (outcome === undefined || result === undefined || result.kind === 'passed') continue;
    expect(attribute(outcome, 'message')).toBe(readable(result.message));
    if (result.kind === 'skipped') continue;
    expect(attribute(outcome, 'type')).toBe(readable(result.type));
    expect(outcome.textContent).toBe(readable(result.details));
  }
}

test('the times of a suite and of the file are the sums of their cases', () => {
  const one = (seconds: number): JunitCase => ({
    ...{ className: 'c', name: 'n', properties: {}, result: { kind: 'passed' }, seconds },
  });
  const suites = [[one(1.5), one(0.25)], [one(2)]].map(each => ({
    ...{ name: 's', startedAt: 0, properties: {}, cases: each },
  }));
  const root = rootOf(parseXml(junitXml({ name: 'r', suites })));
  expect([root, ...children(root)].map(each => attribute(each, 'time'))).toEqual(['3.750', '1.750', '2.000']);
});
