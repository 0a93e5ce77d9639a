// Whether there is a Docker engine, and on it what desktops start from. None is needed: only desktops in containers want one. Where the
// settings want those, their engines are looked at.

import { failureOf } from '../../core/failure.ts';
import { type Finding, ok, trouble, warning } from '../../core/finding.ts';
import type { EngineReport } from '../../environments/docker/open-docker.ts';
import type { EngineHere } from '../../server/desktops/image.ts';

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
    const remedy = isNamed
      ? `Start it, or correct DOCKER_HOST or DOCKER_CONTEXT. ${NONE_NEEDED}`
      : NONE_NEEDED;
    return warning(NAME, `${thing}: ${message}`, remedy);
  }
}

/** All that the settings name; a look rejects where desktops cannot be had on that one. A run does with those that it has. */
export async function engines(looks: readonly Promise<EngineReport>[]): Promise<Finding> {
  const ends = await Promise.allSettled(looks);
  const says = ends.map(end => {
    if (end.status === 'fulfilled') return found(end.value);
    const { thing, message } = failureOf(end.reason, 'provider', 'engine');
    return `${thing}: ${message.replace(/\.$/, '')}`;
  });
  const isIll = ends.filter(({ status }) => status === 'rejected').length;
  if (isIll === 0) return ok(NAME, says.join('; '));
  const finding = isIll === ends.length ? trouble : warning;
  return finding(NAME, says.join('; '), 'Mend that, or correct environments.docker in dartboard.json.');
}

function found({ where, version, image, limitsProcessors }: EngineReport): string {
  const share = limitsProcessors
    ? ''
    : ', but cannot limit processors, so that desktops there take what they get';
  return `the engine at ${where} answers (version ${version}) and has the image ${image}${share}`;
}

/** The socket is not there: nobody has put an engine onto this machine. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === 'ENOENT') || (error.cause !== undefined && isMissing(error.cause)));
