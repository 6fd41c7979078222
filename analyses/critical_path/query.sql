-- The path of the mean step by kind and, from half a percent of it on, by name; then each step by
-- kind. A run without steps counts as one.
WITH path AS (SELECT r.point_id, c.* FROM critical_path c JOIN run r USING (run_id)),
summed AS (
  SELECT point_id, run_id, rank, NULL::BIGINT AS step, kind, name, sum(duration_ns) AS ns,
         sum(segments) AS segments
  FROM path GROUP BY GROUPING SETS ((point_id, run_id, rank, kind),
                                    (point_id, run_id, rank, kind, name))
  UNION ALL
  SELECT point_id, run_id, rank, step, kind, NULL, sum(duration_ns), sum(segments)
  FROM path WHERE step IS NOT NULL GROUP BY point_id, run_id, rank, step, kind),
whole AS (
  SELECT run_id, rank, NULL::BIGINT AS step, sum(duration_ns) AS ns,
         count(DISTINCT coalesce(step, -1)) AS steps
  FROM path GROUP BY run_id, rank
  UNION ALL
  SELECT run_id, rank, step, sum(duration_ns), 1
  FROM path WHERE step IS NOT NULL GROUP BY run_id, rank, step)
SELECT s.point_id, s.rank, s.step, s.kind, s.name, s.ns / w.steps AS duration_ns,
       s.ns / nullif(w.ns, 0) AS share, s.segments / w.steps AS segments
FROM summed s
JOIN whole w ON s.run_id = w.run_id AND s.rank IS NOT DISTINCT FROM w.rank
            AND s.step IS NOT DISTINCT FROM w.step
WHERE s.name IS NULL OR s.ns >= 0.005 * w.ns
ORDER BY s.point_id, s.run_id, s.rank NULLS FIRST, s.step NULLS FIRST,
         max(s.ns) OVER (PARTITION BY s.run_id, s.rank, s.step, s.kind) DESC, s.kind,
         s.name IS NOT NULL, s.ns DESC, s.name
