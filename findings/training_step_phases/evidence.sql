WITH whole AS (
  SELECT sum(steps) AS steps, sum(steps_ns) AS ns, max(samples) AS samples
  FROM (SELECT run_id, rank, any_value(steps) AS steps, any_value(steps_ns) AS steps_ns
        FROM training_phase GROUP BY run_id, rank) JOIN run USING (run_id)
  WHERE point_id = $point),
part AS (
  SELECT phase, sum(host_ns) / any_value(w.ns) AS share, sum(host_ns) AS phase_ns, any_value(w.ns / w.steps) AS all_ns,
         -- The latency is of the same steps where it is of as many.
         CASE WHEN any_value(w.steps = w.samples) AND any_value(p.latency_ns) > 0 THEN any_value(p.latency_ns) END
           AS latency_ns,
         any_value(w.steps) AS steps
  FROM training_phase JOIN run USING (run_id) JOIN point p USING (point_id), whole w
  WHERE point_id = $point GROUP BY phase)
SELECT phase, share, phase_ns, coalesce(latency_ns, all_ns) AS step_ns, latency_ns IS NULL AS is_mean,
       CASE WHEN abs(all_ns / latency_ns - 1) > $mean_differs THEN all_ns END AS mean_ns, steps
FROM part ORDER BY share DESC, phase LIMIT 4
