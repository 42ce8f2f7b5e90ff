/** What is to be reached, on any machine: ratios, multiples and sizes. */
export const RATIO_TARGETS = {
  '5x3': { handBuilt: 400, careful: 6 },
  '1x2': { handBuilt: 300, careful: 12 },
  redlock4: { handBuilt: 150, careful: 3 },
} as const;

export const CONTESTS = ['5x3', '1x2', 'redlock4'] as const;
export type Contest = (typeof CONTESTS)[number];
export const OPPONENTS = ['handBuilt', 'careful'] as const;
export type OpponentName = (typeof OPPONENTS)[number];

/** An event costs at most so many times the floor. */
export const FLOOR_MULTIPLE_TARGET = 3;
/** Microseconds at the median, on the native engine: the command that takes a lock, and the script that gives it up. */
export const SET_US_TARGET = 1;
export const SCRIPT_US_TARGET = 1.5;
export const RSS_MIB_TARGET = 120;
export const KEPT_BYTES_PER_RUN_TARGET = 1024;
/** Runs per second of the load 5x3 with `redlock@4.2.0` and real ioredis clients. */
export const WIRE_RUNS_PER_SECOND_TARGET = 200;
/** The reference Redlock does at most so many runs in the time of one of a library's, both on the direct transport. */
export const LIBRARY_TIMES_TARGET = 4;
/** A hunt keeps so much of the runs per second of its bare runs. */
export const HUNT_RATIO_TARGET = 0.7;
/** A plain hunt finds each pitfall within so many runs, and half of them within so many. */
export const PITFALL_RUNS_TARGET = 20_000;
export const PITFALL_MEDIAN_TARGET = 500;
/** Two jobs of a hunt do so many times as much as one. */
export const JOBS_RATIO_TARGET = 1.7;
