// The metrics that evaluators are made of: each compares what was found with what was wanted, and gives a score from 0 to 1.
// Names and meanings follow OSWorld. They look at values only; getting them is the desktop's part.

type Options = Readonly<Record<string, unknown>>;
export type Metric = (result: unknown, expected: unknown, options: Options) => number;

const pass = (holds: boolean): number => (holds ? 1 : 0);

/** OSWorld writes what is wanted under `rules`; a plain value means itself. */
function rulesOf(expected: unknown): Options {
  const rules = isRecord(expected) && 'rules' in expected ? expected['rules'] : expected;
  return isRecord(rules) ? rules : { expected: rules };
}

const isRecord = (value: unknown): value is Options =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const METRICS = {
  /** Equal in every part. */
  exact_match: (result, expected) => pass(sameValue(result, rulesOf(expected)['expected'])),

  /** Equal to one of a list. */
  match_in_list: (result, expected) => {
    const choices = rulesOf(expected)['expected'];
    return pass(Array.isArray(choices) && choices.some(each => sameValue(result, each)));
  },

  /** A text that has all of `include` and none of `exclude`. */
  check_include_exclude: (result, expected) => {
    const { include, exclude } = rulesOf(expected);
    const text = String(result ?? '');
    return pass(
      strings(include).every(each => text.includes(each)) &&
        !strings(exclude).some(each => text.includes(each)),
    );
  },

  /** Two texts that are the same; `ignore_blanks` takes runs of blanks as one. */
  compare_text_file: (result, expected, { ignore_blanks: ignoreBlanks, ignore_case: ignoreCase }) => {
    const plain = (value: unknown): string => {
      const text = String(value ?? '');
      const blanks = ignoreBlanks === true ? text.replace(/\s+/g, ' ').trim() : text;
      return ignoreCase === true ? blanks.toLowerCase() : blanks;
    };
    const wanted = rulesOf(expected)['expected'];
    return pass(typeof result === 'string' && plain(result) === plain(wanted));
  },

  /** A list in which every pattern of `expect` matches an entry, and none of `unexpect` does. */
  check_list: (result, expected) => {
    const { expect, unexpect } = rulesOf(expected);
    const entries = strings(result);
    const matches = (pattern: string) => entries.some(entry => new RegExp(pattern).test(entry));
    return pass(strings(expect).every(matches) && !strings(unexpect).some(matches));
  },

  /** Solved by saying that it cannot be done; judged by how the episode ended (evaluate.ts). */
  infeasible: () => 0,
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof METRICS;

export const METRIC_NAMES = Object.keys(METRICS) as [MetricName, ...MetricName[]];

export const metricOf = (name: string): Metric | undefined =>
  Object.hasOwn(METRICS, name) ? METRICS[name as MetricName] : undefined;

export function sameValue(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((each, index) => sameValue(each, b[index]));
  }
  if (isRecord(a) && isRecord(b)) {
    const [names, others] = [Object.keys(a), Object.keys(b)];
    return (
      names.length === others.length &&
      names.every(name => Object.hasOwn(b, name) && sameValue(a[name], b[name]))
    );
  }
  return Object.is(a, b);
}
