// The error of a request to a recording.

/** A request that does not fit the state of the recording, or that the person cannot make. It changes nothing. */
export class RecordError extends Error {
  override readonly name = 'RecordError';
}
