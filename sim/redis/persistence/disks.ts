import type { Scenario } from '../../scenario/schema.js';
import { AlwaysDisk, NO_DISK, ShutdownDisk, type Disk, type Snapshot } from './disk.js';

/** Builds the disks that a scenario gives its servers. */
export function diskOf({ persistence }: Scenario['servers']): (data: Snapshot) => Disk {
  switch (persistence) {
    case 'none':
      return () => NO_DISK;
    case 'rdb':
      return (data) => new ShutdownDisk(data);
    case 'aof-always':
    case 'aof-everysec':
    case 'aof-no':
      return (data) => new AlwaysDisk(data);
  }
}
