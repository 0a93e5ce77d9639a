// Texts that change while they are shown.

/** Screen readers announce a change, and only that. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
