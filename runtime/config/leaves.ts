// A configuration as a tree of plain values: its paths, its leaves, and how both are formatted.

export type SettingPath = readonly (string | number)[];

export interface Leaf {
  readonly path: SettingPath;
  /** A list is one value. */
  readonly value: unknown;
}

/** In the order of the tree. */
export function leavesOf(value: unknown, path: SettingPath = []): readonly Leaf[] {
  if (!isSection(value)) return value === undefined ? [] : [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

/** The tree of these leaves. Of two leaves at one path the later wins. */
export function treeOf(leaves: readonly Leaf[]): unknown {
  const keys = [...new Set(leaves.map(({ path }) => path[0]))];
  if (keys.includes(undefined)) return leaves.at(-1)?.value;
  return Object.fromEntries(
    keys.map(key => {
      const inside = leaves.filter(({ path }) => path[0] === key);
      return [String(key), treeOf(inside.map(({ path, value }) => ({ path: path.slice(1), value })))];
    }),
  );
}

export function valueAt(tree: unknown, path: SettingPath): unknown {
  return path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isSection(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, tree);
}

export const isSection = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** suite.tiers[1]; a key without characters is seen as "". */
export function pathText(path: SettingPath): string {
  return path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      const name = key === '' ? '""' : key;
      return index > 0 ? `.${name}` : name;
    })
    .join('');
}

/** A value inside a sentence. */
export function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Longer lists are split into lines; the rest of a line is for the name. */
const MAX_LINE_LENGTH = 96;

/** JSON as a person would write it: lists of plain values stay on one line. */
export function formatJson(value: unknown, indent = ''): string {
  const inner = `${indent}  `;
  const block = (open: string, parts: readonly string[], close: string): string =>
    `${open}\n${parts.map(part => `${inner}${part}`).join(',\n')}\n${indent}${close}`;
  if (Array.isArray(value)) {
    const isPlain = !value.some(item => typeof item === 'object' && item !== null);
    const inOne = `[${value.map(item => JSON.stringify(item)).join(', ')}]`;
    if (isPlain && indent.length + inOne.length <= MAX_LINE_LENGTH) return inOne;
    return block(
      '[',
      value.map(item => formatJson(item, inner)),
      ']',
    );
  }
  if (!isSection(value)) return JSON.stringify(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return '{}';
  return block(
    '{',
    entries.map(([key, item]) => `${JSON.stringify(key)}: ${formatJson(item, inner)}`),
    '}',
  );
}
