/** Tables and figures as the bench prints them. */
import Table from 'cli-table3';

export function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}

export function mark(reached: boolean): string {
  return reached ? 'ok' : 'BELOW';
}

export function plain(head: string[]): InstanceType<typeof Table> {
  return new Table({ head, style: { head: [], border: [], compact: true } });
}
