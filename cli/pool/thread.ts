/** The entry of a thread: an entry point of its own in the build. */
import { workerData } from 'node:worker_threads';
// A thread that gets its locks ready-made loads no lock, and so not what scripts need either.
import '../../sim/redis/lua/fengari.js';
import { Workshop } from './handlers.js';
import type { Answered, Task } from './tasks.js';
import { Mark, type Posted, type ThreadData } from './threads.js';

const workshop = new Workshop((workerData as ThreadData).locks);

/** One task at a time: piscina never gives a thread a second one before it has answered. */
export default async function answer({ task, mark }: Posted<Task>): Promise<Answered> {
  try {
    return { answer: await workshop.handle(task, new Mark(mark).begin) };
  } catch (error) {
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
    return { failed: { name, message, stack } };
  }
}
