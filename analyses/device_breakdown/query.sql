-- The table `device_time` with shares: of each device the whole run first (no step), then its steps.
SELECT r.point_id, p.batch, d.rank, d.device, d.step, d.total_ns,
       d.busy_ns / nullif(d.total_ns, 0) AS busy_share,
       d.compute_ns / nullif(d.total_ns, 0) AS compute_share,
       d.exposed_communication_ns / nullif(d.total_ns, 0) AS exposed_communication_share,
       d.exposed_copy_ns / nullif(d.total_ns, 0) AS exposed_copy_share,
       d.idle_ns / nullif(d.total_ns, 0) AS idle_share,
       d.busy_ns, d.idle_ns, d.compute_ns, d.communication_ns, d.exposed_communication_ns,
       d.compute_communication_ns / nullif(d.communication_ns, 0) AS communication_overlap_share,
       d.copy_ns, d.exposed_copy_ns, d.spans AS work_count,
       CASE WHEN d.step IS NULL AND i.calls > 0 THEN i.idle_share END AS call_idle_share
FROM device_time d JOIN run r USING (run_id) JOIN point p USING (point_id)
LEFT JOIN device_idle i USING (run_id)
ORDER BY r.point_id, d.run_id, d.rank NULLS FIRST, d.device NULLS FIRST, d.step NULLS FIRST
