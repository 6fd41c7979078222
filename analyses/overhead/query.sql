-- A row per rung of a point, in the order of depth; the details pass is left out, its times are discarded, and so are
-- the processes that were measured only for the overhead of a rung: their comparison is in the row of the rung.
WITH ordered AS (
  SELECT run.*, list_position(['model', 'layer', 'library', 'kernel', 'counters', 'imported', 'recorded'], rung) AS depth
  FROM run WHERE samples > 0 AND rung <> 'details' AND process_pair IS NULL
  -- Several processes of the rung model alternate where backends are compared: the first stands for them.
  QUALIFY row_number() OVER (PARTITION BY point_id, rung ORDER BY run_id) = 1),
above AS (
  SELECT r.run_id, a.rung AS above, a.latency_ns
  FROM ordered r JOIN ordered a
    ON a.point_id = r.point_id AND a.depth < r.depth AND a.rung <> 'counters' AND r.rung NOT IN ('imported', 'recorded')
  QUALIFY row_number() OVER (PARTITION BY r.run_id ORDER BY a.depth DESC) = 1),
layers AS (SELECT point_id, count(*) AS n FROM layer GROUP BY point_id),
kernels AS (SELECT point_id, count(*) AS n FROM kernel GROUP BY point_id),
priced AS (
  SELECT r.*, a.above, a.latency_ns AS above_ns,
         CASE WHEN r.rung <> 'model' THEN l.n END AS layers,
         CASE WHEN r.rung NOT IN ('model', 'layer') THEN k.n END AS kernels
  FROM ordered r LEFT JOIN above a USING (run_id)
  LEFT JOIN layers l ON l.point_id = r.point_id LEFT JOIN kernels k ON k.point_id = r.point_id)
SELECT p.model, p.batch, p.backend, r.rung, r.overhead_ratio, r.overhead_ratio_low, r.overhead_ratio_high,
       coalesce(r.overhead_basis, CASE WHEN r.above IS NOT NULL AND r.rung <> 'counters' THEN 'not separable' END) AS basis,
       r.overhead_units AS units, r.above, r.latency_ns, r.latency_low_ns, r.latency_high_ns, r.baseline_ns, r.overhead_ns,
       r.overhead_ratio_low * r.baseline_ns AS overhead_low_ns, r.overhead_ratio_high * r.baseline_ns AS overhead_high_ns,
       r.overhead_ns / nullif(CASE r.rung WHEN 'layer' THEN r.layers ELSE r.kernels END, 0) AS per_event_ns,
       -- Known only where every step down to this rung is.
       CASE WHEN r.rung <> 'model' AND count(CASE WHEN r.rung <> 'model' AND r.overhead_ratio IS NULL THEN 1 END) OVER down = 0
            THEN product(1 + coalesce(r.overhead_ratio, 0)) OVER down - 1 END AS total_ratio,
       max(CASE WHEN r.rung = 'model' THEN r.latency_ns END) OVER (PARTITION BY r.point_id) AS model_latency_ns,
       CASE WHEN r.overhead_basis IN ('pairs of calls', 'pairs of blocks') THEN r.baseline_ns / nullif(r.above_ns, 0) - 1 END
         AS processes_ratio,
       r.samples, r.disturbed, r.layers, r.kernels
FROM priced r JOIN point p USING (point_id)
WINDOW down AS (PARTITION BY r.point_id ORDER BY r.depth, r.run_id)
ORDER BY p.model, p.batch, r.point_id, r.depth, r.run_id
