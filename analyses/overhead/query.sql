-- A row per rung of a point, in the order of depth; the details pass is left out, its times are thrown away.
WITH ordered AS (
  SELECT run.*, list_position(['model', 'layer', 'library', 'kernel', 'counters', 'imported', 'recorded'], rung) AS depth
  FROM run WHERE samples > 0 AND rung <> 'details'),
-- Where several runs of a point have the same rung, the first counts as the rung above.
above AS (
  SELECT r.run_id, a.rung AS above, a.latency_ns, a.latency_low_ns, a.latency_high_ns
  FROM ordered r JOIN ordered a
    ON a.point_id = r.point_id AND a.depth < r.depth AND a.rung <> 'counters' AND r.rung NOT IN ('imported', 'recorded')
  QUALIFY row_number() OVER (PARTITION BY r.run_id ORDER BY a.depth DESC, a.run_id) = 1),
layers AS (SELECT point_id, count(*) AS n FROM layer GROUP BY point_id),
kernels AS (SELECT point_id, count(*) AS n FROM kernel GROUP BY point_id),
priced AS (
  SELECT r.*, a.above, a.latency_ns AS above_ns,
         CASE WHEN r.rung <> 'model' THEN l.n END AS layers,
         CASE WHEN r.rung NOT IN ('model', 'layer') THEN k.n END AS kernels,
         -- Without baseline calls the table's overhead is that across processes.
         CASE WHEN r.baseline_ns IS NOT NULL THEN r.overhead_ratio END AS within_ratio,
         CASE WHEN r.baseline_ns IS NOT NULL THEN r.overhead_ns END AS within_ns,
         r.latency_ns / nullif(a.latency_ns, 0) AS across,
         -- Relative half widths of two independent intervals add up in squares.
         sqrt(pow((r.latency_high_ns - r.latency_low_ns) / 2 / nullif(r.latency_ns, 0), 2)
              + pow((a.latency_high_ns - a.latency_low_ns) / 2 / nullif(a.latency_ns, 0), 2)) AS half_width
  FROM ordered r LEFT JOIN above a USING (run_id)
  LEFT JOIN layers l ON l.point_id = r.point_id LEFT JOIN kernels k ON k.point_id = r.point_id)
SELECT p.model, p.batch, p.backend, r.rung, r.above, r.samples, r.disturbed,
       max(CASE WHEN r.rung = 'model' THEN r.latency_ns END) OVER (PARTITION BY r.point_id) AS model_latency_ns,
       r.latency_ns, r.latency_low_ns, r.latency_high_ns, r.baseline_ns,
       r.within_ratio AS overhead_ratio, r.overhead_ratio_low, r.overhead_ratio_high,
       r.within_ns AS overhead_ns, r.overhead_ratio_low * r.baseline_ns AS overhead_low_ns,
       r.overhead_ratio_high * r.baseline_ns AS overhead_high_ns,
       r.within_ns / nullif(CASE r.rung WHEN 'layer' THEN r.layers ELSE r.kernels END, 0) AS per_event_ns,
       -- Known only where every step down to this rung is.
       CASE WHEN r.rung <> 'model' AND count(CASE WHEN r.rung <> 'model' AND r.within_ratio IS NULL THEN 1 END) OVER down = 0
            THEN product(1 + coalesce(r.within_ratio, 0)) OVER down - 1 END AS total_ratio,
       r.across - 1 AS across_ratio, r.across * (1 - r.half_width) - 1 AS across_low_ratio,
       r.across * (1 + r.half_width) - 1 AS across_high_ratio,
       r.baseline_ns / nullif(r.above_ns, 0) - 1 AS processes_ratio, r.layers, r.kernels
FROM priced r JOIN point p USING (point_id)
WINDOW down AS (PARTITION BY r.point_id ORDER BY r.depth, r.run_id)
ORDER BY p.model, p.batch, r.point_id, r.depth, r.run_id
