-- Every layer split into the time in which one of its kernels ran and the rest. Both are of the run
-- that shows the kernels: kernel_run_ns is the layer's latency there, latency_ns that of the run
-- with the least profiling. Kernels of a device can outlast the call that launched them.
SELECT l.point_id, p.batch, l.layer_index, l.name, l.type, l.latency_ns, l.device_ns,
       t.kernel_run_ns - l.device_ns AS non_device_ns,
       l.device_ns > t.kernel_run_ns AS negative,
       CASE WHEN l.device_ns <= t.kernel_run_ns
            THEN l.device_ns / nullif(t.kernel_run_ns, 0) END AS device_share,
       t.kernel_run_ns, t.device_share AS device_time_share
FROM layer l
JOIN layer_time t USING (point_id, layer_index)
JOIN point p USING (point_id)
WHERE EXISTS (FROM layer WHERE device_ns IS NOT NULL)
ORDER BY l.point_id, l.layer_index
