// What a device does: compute, communication, copies.
import { kHues } from './palette.ts';

export const kActivities = ['compute', 'communication', 'copy'] as const;
export type Activity = (typeof kActivities)[number];

/** The activity of a device span of a type ("kernel", "memcpy", "memset") and name. `communicating`: the names of kernels that
    communicate, as the import told them. */
export function activityOf(type: string, name: string, communicating: ReadonlySet<string>): Activity {
  if (type === 'memcpy' || type === 'memset') return 'copy';
  return communicating.has(name) ? 'communication' : 'compute';
}

export function activityColours(): Record<Activity, string> {
  return { compute: kHues[0]!, communication: kHues[3]!, copy: kHues[1]! };
}
