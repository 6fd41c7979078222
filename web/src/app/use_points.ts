// Points of the store, part by part.
import { withFields } from './addresses.ts';
import type { StoredPoint } from './point_list.ts';
import { useDocument, type UsedDocument } from './use_document.ts';

export interface PointList {
  points: StoredPoint[];
  /** That fit the request; null: not known. */
  total: number | null;
}

export function usePoints(request: { model?: string; machine?: string }): UsedDocument<PointList> {
  return useDocument<PointList>(withFields('points', request), async (source, report, stop) => {
    let points: StoredPoint[] = [];
    await source.readRows<StoredPoint>('points', request, (part, total) => {
      points = [...points, ...part];
      report({ points, total });
    }, stop);
  });
}
