// What a device does: compute, communication, copies. The same names as src/timeline/activity.cc.
import { kHues } from './palette.ts';

export const kActivities = ['compute', 'communication', 'copy'] as const;
export type Activity = (typeof kActivities)[number];

const kCommunicating = /nccl|rccl|oneccl|msccl|nvshmem|internode::(dispatch|combine)|cross_device_reduce|quickreduce|oneshotallreduce|one_shot_all_reduce/i;

/** The activity of a device span of a type ("kernel", "memcpy", "memset") and name. */
export function activityOf(type: string, name: string): Activity {
  if (type === 'memcpy' || type === 'memset') return 'copy';
  return kCommunicating.test(name) ? 'communication' : 'compute';
}

export function activityColours(): Record<Activity, string> {
  return { compute: kHues[0]!, communication: kHues[3]!, copy: kHues[1]! };
}
