// A tree view of plain nodes. It fires a change only if the nodes have changed.

import * as vscode from 'vscode';
import { COMMANDS } from '../commands.ts';
import type { ViewNode } from './runs-tree.ts';

export class TreeNodesView implements vscode.TreeDataProvider<ViewNode> {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: vscode.TreeView<ViewNode>;
  #nodes: readonly ViewNode[] = [];
  #serialised = '';

  constructor(id: string) {
    this.#view = vscode.window.createTreeView(id, { treeDataProvider: this });
  }

  get isVisible(): boolean {
    return this.#view.visible;
  }

  onVisible(listener: () => void): vscode.Disposable {
    return this.#view.onDidChangeVisibility(({ visible }) => visible && listener());
  }

  /** VS Code shows the message above the tree. */
  show(nodes: readonly ViewNode[], message?: string): void {
    this.#view.message = message ?? '';
    const serialised = JSON.stringify(nodes);
    if (serialised === this.#serialised) return;
    this.#serialised = serialised;
    this.#nodes = nodes;
    this.#changed.fire();
  }

  getChildren(node?: ViewNode): ViewNode[] {
    return [...(node === undefined ? this.#nodes : (node.children ?? []))];
  }

  getTreeItem(node: ViewNode): vscode.TreeItem {
    const { label, description, tooltip, icon, color, run, trajectory } = node;
    const { Collapsed, None } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(label, node.children === undefined ? None : Collapsed);
    item.id = node.id;
    item.description = description;
    item.tooltip = tooltip.join('\n');
    item.iconPath = new vscode.ThemeIcon(
      icon,
      color === undefined ? undefined : new vscode.ThemeColor(color),
    );
    // Without this label a screen reader reads the tooltip alone.
    item.accessibilityInformation = { label: [label, description, ...tooltip].join(', ') };
    item.contextValue = node.context;
    if (run !== undefined || trajectory !== undefined)
      item.command = {
        command: trajectory === undefined ? COMMANDS.openTraining : COMMANDS.openTrajectories,
        title: 'Open',
        arguments: [{ ...(run !== undefined && { run }), ...(trajectory !== undefined && { trajectory }) }],
      };
    return item;
  }

  dispose(): void {
    this.#view.dispose();
    this.#changed.dispose();
  }
}
