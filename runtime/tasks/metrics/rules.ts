// Reads the rules of a task. A rule of the wrong type is an error of the task.

import { isRecord, MetricError, type Options } from './metric.ts';

const wrongRule = (rules: unknown, name: string, metric: string, wanted: string): MetricError =>
  new MetricError(
    `The rule ${name} of ${metric} is ${JSON.stringify(isRecord(rules) ? rules[name] : rules) ?? 'missing'}. Write ${wanted}.`,
  );

/** The rules of a task, as a record. */
export function ruleRecord(rules: unknown, metric: string): Options {
  if (isRecord(rules)) return rules;
  throw new MetricError(
    `The rules of ${metric} are ${JSON.stringify(rules) ?? 'missing'}. Use a getter of type rule with a record.`,
  );
}

/** A rule of any type. */
export function ruleValue(rules: unknown, name: string, metric: string): unknown {
  const value = ruleRecord(rules, metric)[name];
  if (value === undefined) throw wrongRule(rules, name, metric, 'a value');
  return value;
}

export function ruleText(rules: unknown, name: string, metric: string): string {
  const value = ruleRecord(rules, metric)[name];
  if (typeof value !== 'string') throw wrongRule(rules, name, metric, 'a text');
  return value;
}

export function ruleList(rules: unknown, name: string, metric: string): readonly unknown[] {
  const value = ruleRecord(rules, metric)[name];
  if (!Array.isArray(value)) throw wrongRule(rules, name, metric, 'a list');
  return value;
}

export function ruleTexts(rules: unknown, name: string, metric: string): readonly string[] {
  const list = ruleList(rules, name, metric);
  if (!list.every(each => typeof each === 'string')) throw wrongRule(rules, name, metric, 'a list of texts');
  return list;
}

/** A list of records, such as conditions; empty if the task has none. */
export function ruleRecords(rules: unknown, name: string, metric: string): readonly Options[] {
  const value = ruleRecord(rules, metric)[name] ?? [];
  if (!Array.isArray(value) || !value.every(isRecord))
    throw wrongRule(rules, name, metric, 'a list of records');
  return value;
}

/** The value of a rule that selects one of several ways to compare. */
export function ruleChoice<Choice extends string>(
  rules: unknown,
  name: string,
  metric: string,
  choices: readonly Choice[],
): Choice {
  const value = ruleRecord(rules, metric)[name];
  const choice = choices.find(each => each === value);
  if (choice === undefined)
    throw wrongRule(rules, name, metric, choices.map(each => `"${each}"`).join(' or '));
  return choice;
}
