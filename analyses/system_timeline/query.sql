-- Every series of the monitor, run by run.
SELECT r.point_id, s.run_id, r.rung, s.name, s.part, s.unit,
       s.time_ns - min(s.time_ns) OVER (PARTITION BY s.run_id) AS start_ns,
       s.until_ns - s.time_ns AS duration_ns, s.mean, s.most
FROM system_series s JOIN run r USING (run_id)
ORDER BY s.run_id, s.name, s.part, s.time_ns
