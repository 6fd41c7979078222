SELECT p.model, p.backend, p.batch, s.step_index, s.stage, s.step, s.mean_ns AS sample_ns,
       100 * s.mean_ns / sum(s.mean_ns) OVER (PARTITION BY s.point_id, s.run_id) AS percent,
       s.p50_ns, s.p99_ns, s.count AS times
FROM pipeline_step s JOIN point p USING (point_id)
ORDER BY p.model, s.point_id, s.step_index
