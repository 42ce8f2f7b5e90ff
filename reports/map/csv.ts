/** A two-parameter map as comma-separated values, one line for each cell; the header names the paths with their units. */
import type { GridMap } from '../../properties/search/margin/grid.js';
import type { Parameter } from '../../properties/search/margin/parameter.js';

/** Columns: x, y, verdict, blame (empty unless violated), and the x at which the closed form flips in that row. */
export function mapCsv({ property, x, y, rows, closedForm }: GridMap): string {
  const lines = [
    [heading(x.parameter), heading(y.parameter), property, 'blame', 'closedFormFlipsAt'].map(field).join(','),
  ];
  rows.forEach((row, index) => {
    const form = closedForm[index] ?? null;
    for (const { value, verdict, blame } of row)
      lines.push([value, y.values[index]!, verdict, blame ?? '', form ?? ''].join(','));
  });
  return `${lines.join('\n')}\n`;
}

function heading({ path, unit }: Parameter): string {
  return unit === 'ratio' || unit === 'count' ? path : `${path} [${unit}]`;
}

/** As RFC 4180 quotes: only where it must. */
function field(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
