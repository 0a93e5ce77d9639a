// Which keys belong to what has the keyboard: whoever types, chooses or presses a button is not steering the panel.

const TYPES = 'input, textarea, select, vscode-text-field, vscode-text-area, vscode-dropdown, dialog';
const PRESSES = 'button, a, summary, vscode-button, vscode-checkbox';

export function isForControl({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(TYPES) !== null) {
    // Escape leaves what one types in: the panel has the keys again.
    if (key === 'Escape' && target instanceof HTMLElement && target.closest('dialog') === null) target.blur();
    return true;
  }
  return (key === ' ' || key === 'Enter') && target.closest(PRESSES) !== null;
}
