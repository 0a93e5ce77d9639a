// The XML namespaces of OSWorld's accessibility trees, by prefix. Pure.

type Namespaces = Readonly<Record<string, string>>;

const UBUNTU = {
  st: 'state',
  attr: 'attributes',
  cp: 'component',
  doc: 'document',
  docattr: 'document/attributes',
  txt: 'text',
  val: 'value',
  act: 'action',
};
const { docattr: _, ...MACOS } = { ...UBUNTU, role: 'role' };

const PATHS: Readonly<Record<string, Namespaces>> = {
  ubuntu: UBUNTU,
  windows: { ...UBUNTU, class: 'class' },
  macos: MACOS,
};

/** Undefined for another system than `ubuntu`, `windows` and `macos`. */
export function treeNamespaces(system: string): Namespaces | undefined {
  const paths = Object.hasOwn(PATHS, system) ? PATHS[system] : undefined;
  return (
    paths && Object.fromEntries(Object.entries(paths).map(([prefix, path]) => [prefix, nameOf(system, path)]))
  );
}

const nameOf = (system: string, path: string): string =>
  `https://accessibility.${system}.example.org/ns/${path}`;
