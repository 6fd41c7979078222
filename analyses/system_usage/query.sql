-- One row of each run that was sampled, in the order of measuring.
SELECT p.model, p.backend, p.batch, r.rung, u.seconds, u.samples, u.cpu_pct, u.gpu_pct_sum,
       u.system_memory_mb, u.gpu_memory_mb_sum, u.pcie_mbps, u.nvlink_mbps, u.cpu_pct_most,
       u.gpu_pct_sum_most, u.system_memory_mb_most, u.gpu_memory_mb_sum_most,
       u.monitor_share AS monitor_core_share
FROM system_usage u JOIN run r USING (run_id) JOIN point p USING (point_id)
ORDER BY u.run_id
