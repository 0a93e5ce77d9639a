// A tree view over plain nodes. It is drawn anew only when what it shows has changed.

import * as vscode from 'vscode';
import { COMMANDS } from '../commands.ts';
import type { Node } from './runs-tree.ts';

export class NodesView implements vscode.TreeDataProvider<Node> {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: vscode.TreeView<Node>;
  #nodes: readonly Node[] = [];
  #drawn = '';

  constructor(id: string) {
    this.#view = vscode.window.createTreeView(id, { treeDataProvider: this });
  }

  get isVisible(): boolean {
    return this.#view.visible;
  }

  onShown(listener: () => void): vscode.Disposable {
    return this.#view.onDidChangeVisibility(({ visible }) => visible && listener());
  }

  /** A message stands above the tree; without one there is none. */
  show(nodes: readonly Node[], message?: string): void {
    this.#view.message = message ?? '';
    const drawn = JSON.stringify(nodes);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#nodes = nodes;
    this.#changed.fire();
  }

  getChildren(node?: Node): Node[] {
    return [...(node === undefined ? this.#nodes : (node.children ?? []))];
  }

  getTreeItem({
    id,
    label,
    description,
    tooltip,
    icon,
    colour,
    context,
    children,
    ...of
  }: Node): vscode.TreeItem {
    const item = new vscode.TreeItem(
      label,
      children === undefined
        ? vscode.TreeItemCollapsibleState.None
        : vscode.TreeItemCollapsibleState.Collapsed,
    );
    item.id = id;
    item.description = description;
    item.tooltip = tooltip.join('\n');
    item.iconPath = new vscode.ThemeIcon(
      icon,
      colour === undefined ? undefined : new vscode.ThemeColor(colour),
    );
    // Else the tooltip alone is read out.
    item.accessibilityInformation = { label: [label, description, ...tooltip].join(', ') };
    item.contextValue = context;
    const opens = of.trajectory !== undefined ? COMMANDS.openTrajectories : COMMANDS.openTraining;
    if (of.run !== undefined || of.trajectory !== undefined)
      item.command = { command: opens, title: vscode.l10n.t('Open'), arguments: [of] };
    return item;
  }

  dispose(): void {
    this.#view.dispose();
    this.#changed.dispose();
  }
}
