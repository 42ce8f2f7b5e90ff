/** What `lockpick list` says of properties and faults, in a line each. docs/properties.md has the full definitions. */
import { FAULT_KINDS, faultSchema, type FaultKind } from '../sim/scenario/fault-schema.js';
import type { PropertyId } from '../sim/scenario/schema.js';

export const PROPERTIES: Readonly<Record<PropertyId, string>> = {
  'mutual-exclusion': 'no two holders believe at the same time that they hold the lock',
  'exclusive-use': 'the accesses of one holder to the storage never mix with those of another',
  'no-stale-write': 'the storage takes no write of an older holder after one of a newer holder',
  'fencing-order': 'fencing tokens rise in the order of the holds',
  'own-key-only': "no lock operation removes or changes another holder's live key",
  'quorum-backed': 'a grant that is returned is backed by a majority of the servers',
  'honest-validity': 'the end a lock claims is not past, and not after its keys are gone',
  'loss-signalled': 'a lock that promises to signal a loss does so in time, and only then',
  progress: 'whoever asks gets the lock within its bound once faults are over',
  'no-orphan': 'no key of a given-up attempt or a released hold stays behind',
  settles: 'every call resolves or rejects',
  quiet: 'no unhandled rejection, no hot loop, no error hidden by another',
  permits: 'a semaphore is never held by more than it has permits for',
};

const WHAT: Readonly<Record<FaultKind, string>> = {
  pause: 'nothing of a host runs for a while; its clocks go on',
  'step-clock': "a host's wall clock jumps",
  'set-drift': "a host's clocks run fast or slow from now on",
  crash: 'a host stops at once; a server keeps what was durable',
  shutdown: 'a server stops in order, saving what its persistence saves',
  restart: 'a stopped host starts again',
  partition: 'nothing passes between hosts',
  heal: 'a partition ends',
  hold: 'messages from one host to another are kept back',
  release: 'messages kept back go on',
  reset: 'connections break, with what was in flight',
  slow: 'a link takes longer',
  delay: 'the very message of the trigger takes longer',
  fill: 'others write a large value to a server: its memory gets short',
  promote: "a replica takes its master's place with what had reached it",
};

/** Each fault with its fields as a scenario writes them; the optional ones carry a question mark. */
export const FAULTS: Readonly<Record<string, { readonly what: string; readonly fields: readonly string[] }>> =
  Object.fromEntries(
    FAULT_KINDS.map((kind) => {
      const option = faultSchema.options.find(({ shape }) => shape.do.value === kind)!;
      const fields = Object.entries(option.shape)
        .filter(([name]) => name !== 'do' && name !== 'atMs' && name !== 'on')
        .map(([name, field]) => (field.safeParse(undefined).success ? `${name}?` : name));
      return [kind, { what: WHAT[kind], fields }];
    }),
  );
