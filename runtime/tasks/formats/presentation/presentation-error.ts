/** The bytes are not a presentation, or a part that is needed is damaged. */
export class PresentationError extends Error {
  override readonly name = 'PresentationError';
}
