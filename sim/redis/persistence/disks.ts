import type { Scenario } from '../../scenario/schema.js';
import { AppendOnlyFile } from './append-only.js';
import type { Disk, DiskOwner } from './disk.js';
import { Snapshots } from './snapshots.js';

/** Builds the disks that a scenario gives its servers. */
export function diskOf({ persistence, savePoints }: Scenario['servers']): (owner: DiskOwner) => Disk {
  switch (persistence) {
    case 'none':
      return (owner) => new Snapshots(owner, []);
    case 'rdb':
      return (owner) => new Snapshots(owner, savePoints);
    case 'aof-always':
      return (owner) => new AppendOnlyFile(owner, 'always');
    case 'aof-everysec':
      return (owner) => new AppendOnlyFile(owner, 'everysec');
    case 'aof-no':
      return (owner) => new AppendOnlyFile(owner, 'no');
  }
}
