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

/** The Enter that is held has pressed a control. */
let hasPressed = false;

/**
 * A held Enter would press a button again after its meaning has changed: it would approve an action that nobody has seen. Where the button
 * moved the focus, it would type.
 */
export function repeatsPress({ target, key, repeat }: KeyboardEvent): boolean {
  if (key !== 'Enter') return false;
  const isOnControl = target instanceof Element && target.closest(PRESSED_CONTROLS) !== null;
  if (!repeat) hasPressed = isOnControl;
  return repeat && (hasPressed || isOnControl);
}
