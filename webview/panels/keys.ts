// Keys that the focused control handles: typing, selecting or pressing a button must not trigger a shortcut of the panel.

const TEXT_CONTROLS = 'input, textarea, select, vscode-text-field, vscode-text-area, vscode-dropdown, dialog';
const PRESSED_CONTROLS = 'button, a, summary, vscode-button, vscode-checkbox';

export function isHandledByControl({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(TEXT_CONTROLS) !== null) {
    // Escape leaves the text field, so that the panel's shortcuts work again.
    if (key === 'Escape' && target instanceof HTMLElement && target.closest('dialog') === null) target.blur();
    return true;
  }
  return (key === ' ' || key === 'Enter') && target.closest(PRESSED_CONTROLS) !== null;
}

/** A held Enter would press a button again after its meaning has changed: it would approve an action that nobody has seen. */
export const repeatsPress = ({ target, key, repeat }: KeyboardEvent): boolean =>
  repeat && key === 'Enter' && target instanceof Element && target.closest(PRESSED_CONTROLS) !== null;
