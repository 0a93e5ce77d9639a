// The roles of elements that stand for a thing of an instance, such as a file or a mail.

/** Their names differ between instances. Other elements have the same name everywhere. */
export const THING_ROLES: ReadonlySet<string> = new Set([
  'row',
  'listitem',
  'treeitem',
  'gridcell',
  'checkbox',
  'cell',
]);
