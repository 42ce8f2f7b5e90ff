/** Cases as GitHub's workflow commands: annotations beside the lines that they are about. */
import type { CiCase } from './model.js';

/** One line a failed or unknown case; null: there is nothing to annotate. */
export function githubAnnotations(name: string, cases: readonly CiCase[]): string | null {
  const lines = cases.flatMap((one) => {
    if (one.result !== 'failed' && one.result !== 'unknown') return [];
    const { suite, message, command, place } = one;
    const where = [
      ...(place === undefined ? [] : [`file=${property(place.file)}`]),
      ...(place?.line === undefined ? [] : [`line=${place.line}`]),
      `title=${property(`${name}: ${suite}: ${one.name}`)}`,
    ];
    const text = command === undefined ? message : `${message}\nagain: ${command}`;
    return [`::${one.result === 'failed' ? 'error' : 'warning'} ${where.join(',')}::${data(text)}`];
  });
  return lines.length === 0 ? null : lines.join('\n');
}

/** Source: the runner's own escapes of workflow commands. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
