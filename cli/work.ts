import { Option, type Command } from 'commander';
import { EXIT } from './exit.js';
import { addJobsOption, readDuration } from './flags.js';
import { interruptible } from './interrupt.js';
import { note } from './output.js';
import { openWay } from './queue/connect.js';
import { work } from './queue/worker.js';

interface Options {
  readonly queue: string;
  readonly jobs: number;
  readonly idle?: number;
  readonly quiet?: boolean;
}

export function addWorkVerb(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('work')
    .description('run ranges of the hunts that `hunt --queue` shares out')
    .requiredOption('--queue <url>', 'the Redis of the queue: redis://host:6379');
  addJobsOption(command)
    .addOption(
      new Option(
        '--idle <time>',
        'end when nothing came for so long (default: go on until Ctrl-C)',
      ).argParser(readDuration),
    )
    .addOption(new Option('--quiet', 'say nothing of what is done'))
    .addHelpText(
      'after',
      `
Examples:
  lockpick work --queue redis://queue.example:6379           on as many machines as there are
  lockpick hunt --queue redis://queue.example:6379 --lock redlock --runs 1000000

A worker runs whatever lock the queue sends it: use a Redis that only you can write to. One that dies loses
nothing: another runs its range again. The queue needs the package bullmq (npm i -D bullmq).

Exit codes: 0 idle for as long as asked, 2 bad usage or a queue that cannot be reached, 130 interrupted.`,
    )
    .action(async ({ queue, jobs, idle, quiet = false }: Options) => {
      const way = await openWay(queue);
      const code = await interruptible(async (interrupted) => {
        const { ranges, runs } = await work(way, { jobs, quiet, idleMs: idle ?? null, interrupted });
        if (!quiet) note(`${ranges} ranges, ${runs} runs`);
        return interrupted() ? EXIT.interrupted : EXIT.asExpected;
      });
      exit(code);
    });
}
