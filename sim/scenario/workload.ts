/** What a schema can't say of a workload: its order names resources that it has. */
import type { Problem } from './hosts.js';
import { didYouMean } from './nearest.js';
import type { Scenario } from './schema.js';
import type { Path } from './shape.js';

export function workloadProblems({ workload, overrides }: Scenario): Problem[] {
  const problems = orderProblems(workload.resources, workload.order, ['workload']);
  for (const [host, override] of Object.entries(overrides)) {
    const own = override.workload;
    if (own === undefined) continue;
    const path = ['overrides', host, 'workload'];
    const resources = own.resources ?? workload.resources;
    if (own.order !== undefined || own.resources !== undefined)
      problems.push(...orderProblems(resources, own.order ?? workload.order, path));
  }
  return problems;
}

function orderProblems(
  resources: readonly string[],
  order: readonly string[] | undefined,
  path: Path,
): Problem[] {
  return (order ?? []).flatMap((name, index) =>
    resources.includes(name)
      ? []
      : [
          {
            path: [...path, 'order', index],
            message: `${name} is none of the resources${didYouMean(name, resources)}: ${resources.join(', ')}`,
          },
        ],
  );
}
