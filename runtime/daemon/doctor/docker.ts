// Whether there is a Docker engine, and on it what desktops start from. None is needed: only desktops in containers want one.

import { failureOf } from '../../contracts/failure.ts';
import type { EngineHere } from '../desktops/image.ts';
import { type Finding, ok, warning } from './finding.ts';

const NAME = 'Docker';
const NONE_NEEDED = 'The built-in desktop needs none.';

/** `isNamed` where somebody said which engine; `look` rejects where none answers, and says what to do. */
export async function docker(isNamed: boolean, look: () => Promise<EngineHere>): Promise<Finding> {
  try {
    const { where, version, tag, isThere } = await look();
    const image = isThere
      ? `the image ${tag} is there`
      : `the image for desktops is not there ('dartboard docker build' builds it)`;
    return ok(NAME, `the engine at ${where} answers (version ${version}); ${image}`);
  } catch (error) {
    if (isMissing(error) && !isNamed) return ok(NAME, 'no engine; the built-in desktop needs none');
    const { thing, message } = failureOf(error, 'provider', 'engine');
    const remedy = isNamed ? `Start it, or correct DOCKER_HOST. ${NONE_NEEDED}` : NONE_NEEDED;
    return warning(NAME, `${thing}: ${message}`, remedy);
  }
}

/** The socket is not there: nobody has put an engine onto this machine. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === 'ENOENT') || (error.cause !== undefined && isMissing(error.cause)));
